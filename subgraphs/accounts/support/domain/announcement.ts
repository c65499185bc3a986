// What staff tell customers in the dashboard, and how long it is shown.
import { DAY, after } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import { type GivenText, type LocalText, toLocalText } from '../../identity/domain/local-text.ts';

/** CUSTOMERS: accounts that have bought something. RESIDENTIAL, STATIC, COMPUTE: accounts that have bought something of that seller. */
export const ANNOUNCEMENT_AUDIENCES = ['EVERYBODY', 'CUSTOMERS', 'RESIDENTIAL', 'STATIC', 'COMPUTE'] as const;
export type AnnouncementAudience = (typeof ANNOUNCEMENT_AUDIENCES)[number];

export const headingOf = (given: GivenText): LocalText => toLocalText('title', TEXT_MAX.announcementTitle, given);
export const messageOf = (given: GivenText): LocalText => toLocalText('text', TEXT_MAX.announcementText, given);

/** Spec is silent: the most days that an announcement may be shown, or be planned ahead. */
const SHOWN_DAYS_MAX = 366;

/** When it is shown: from now, or from a later moment that is given; until a moment after that. Both within a year. Errors: parameter_invalid. */
export function shownSpan(
  { showsFrom, showsUntil }: { showsFrom?: Date | null | undefined; showsUntil: Date },
  now: Date,
): { showsFrom: Date; showsUntil: Date } {
  const from = showsFrom && showsFrom > now ? showsFrom : now;
  if (from > after(now, SHOWN_DAYS_MAX * DAY)) throw fail('parameter_invalid', { field: 'showsFrom' });
  if (showsUntil <= from || showsUntil > after(from, SHOWN_DAYS_MAX * DAY)) throw fail('parameter_invalid', { field: 'showsUntil' });
  return { showsFrom: from, showsUntil };
}
