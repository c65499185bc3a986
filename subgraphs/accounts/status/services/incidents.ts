// What staff do about incidents and maintenance: open one, add updates, and resolve it.
import { DAY, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { ComponentState } from '#platform/component-state.ts';
import { STATUS_DAYS } from '../../../../schema/limits.ts';
import type { IncidentStep, StatusComponent } from '../../../../schema/status.ts';
import type { Context } from '../../context.ts';
import type { GivenText } from '../../identity/domain/local-text.ts';
import { type IncidentKind, firstStep, sayingOf, spanOf, titleOf } from '../domain/incident.ts';
import {
  type Incident,
  type IncidentUpdate,
  incidents,
  incidentsSince,
  insertIncident,
  insertIncidentUpdate,
  lockIncident,
  updatesOf,
} from '../entities/incident.ts';

/** An incident with all its updates, the latest first. */
export interface IncidentWithUpdates extends Incident {
  updates: readonly IncidentUpdate[];
}

export interface NewIncident {
  kind: IncidentKind;
  components: readonly StatusComponent[];
  /** The state that the page shows for these components while it lasts, unless a worse one is measured. */
  impact: ComponentState;
  title: GivenText;
  text: GivenText;
  /** The times of maintenance; an incident has none. */
  beginsAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
}

/** With `open`: those that are not resolved; otherwise the resolved ones. The latest first, at most 200. */
export const listIncidents = async ({ em }: Context, open: boolean): Promise<IncidentWithUpdates[]> =>
  withUpdates(em, await incidents(em, open));

/** The incidents on the status page, the latest first. */
export const incidentsOfHistory = async ({ em, clock }: Context): Promise<IncidentWithUpdates[]> =>
  withUpdates(em, await incidentsSince(em, after(clock.now(), -STATUS_DAYS * DAY)));

/** Errors: parameter_invalid. */
export const openIncident = (ctx: Context, given: NewIncident): Promise<IncidentWithUpdates> =>
  inTransaction(ctx, async (tx) => {
    const { kind, impact } = given;
    const components = [...new Set(given.components)];
    if (components.length === 0) throw fail('parameter_invalid', { field: 'components' });
    const now = tx.clock.now();
    const incident = {
      id: newId('inc', tx.clock),
      kind,
      components,
      impact,
      title: titleOf(given.title),
      ...spanOf(kind, given, now),
      resolvedAt: null,
    };
    await insertIncident(tx.em, incident as Incident);
    const update = await say(tx, incident.id, firstStep(kind), given.text);
    return { ...(incident as Incident), updates: [update] };
  });

/** Adds an update; RESOLVED ends the incident. Errors: incident_not_found (none, or it is over), parameter_invalid. */
export const updateIncident = (
  ctx: Context,
  { id, step, text }: { id: string; step: IncidentStep; text: GivenText },
): Promise<IncidentWithUpdates> =>
  inTransaction(ctx, async (tx) => {
    const incident = await lockIncident(tx.em, id);
    if (!incident || incident.resolvedAt) throw fail('incident_not_found');
    if (step === 'RESOLVED') incident.resolvedAt = tx.clock.now();
    await say(tx, id, step, text);
    await tx.em.flush();
    const [updated] = await withUpdates(tx.em, [incident]);
    if (!updated) throw fail('internal');
    return updated;
  });

async function say(ctx: Context, incidentId: string, step: IncidentStep, text: GivenText): Promise<IncidentUpdate> {
  const update = {
    id: newId('incu', ctx.clock),
    incidentId,
    step,
    said: sayingOf(text),
    at: ctx.clock.now(),
    byAccount: accountOf(ctx),
  } as IncidentUpdate;
  await insertIncidentUpdate(ctx.em, update);
  return update;
}

async function withUpdates(em: Context['em'], found: readonly Incident[]): Promise<IncidentWithUpdates[]> {
  const updates = await updatesOf(
    em,
    found.map(({ id }) => id),
  );
  return found.map((incident) => Object.assign(incident, { updates: updates.get(incident.id) ?? [] }));
}
