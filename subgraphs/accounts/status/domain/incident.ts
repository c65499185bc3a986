// What staff publish about the platform: incidents while they last, and planned maintenance.
import { DAY, after } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import type { IncidentStep } from '../../../../schema/status.ts';
import { type GivenText, type LocalText, toLocalText } from '../../identity/domain/local-text.ts';

export const INCIDENT_KINDS = ['INCIDENT', 'MAINTENANCE'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

const refuse = (field: string) => fail('parameter_invalid', { field });

export const titleOf = (given: GivenText): LocalText => toLocalText('title', TEXT_MAX.incidentTitle, given);
export const sayingOf = (given: GivenText): LocalText => toLocalText('text', TEXT_MAX.incidentText, given);

/** Spec is silent: how many days ahead maintenance can be announced. */
const AHEAD_DAYS = 366;

export interface IncidentSpan {
  beginsAt: Date;
  endsAt: Date | null;
}

/** An incident begins now and has no end yet; maintenance needs both times, and an end in the future. Errors: parameter_invalid. */
export function spanOf(
  kind: IncidentKind,
  given: { beginsAt?: Date | null | undefined; endsAt?: Date | null | undefined },
  now: Date,
): IncidentSpan {
  if (kind === 'INCIDENT') return { beginsAt: now, endsAt: null };
  const { beginsAt, endsAt } = given;
  if (!beginsAt || beginsAt > after(now, AHEAD_DAYS * DAY)) throw refuse('beginsAt');
  if (!endsAt || endsAt <= beginsAt || endsAt <= now) throw refuse('endsAt');
  return { beginsAt, endsAt };
}

/** The step of the first update. */
export const firstStep = (kind: IncidentKind): IncidentStep => (kind === 'INCIDENT' ? 'INVESTIGATING' : 'SCHEDULED');
