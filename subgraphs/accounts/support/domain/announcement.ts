// What staff tell customers in the dashboard, and for how long.
import { DAY, after } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import { type GivenText, type LocalText, toLocalText } from '../../identity/domain/local-text.ts';

/** Everybody; who has bought something; who has bought something of that seller. */
export const ANNOUNCEMENT_AUDIENCES = ['EVERYBODY', 'CUSTOMERS', 'RESIDENTIAL', 'STATIC', 'COMPUTE'] as const;
export type AnnouncementAudience = (typeof ANNOUNCEMENT_AUDIENCES)[number];

export const headingOf = (given: GivenText): LocalText => toLocalText('title', TEXT_MAX.announcementTitle, given);
export const messageOf = (given: GivenText): LocalText => toLocalText('text', TEXT_MAX.announcementText, given);

/** Spec is silent: what is shown for longer is no news. */
const SHOWN_DAYS_MAX = 366;

/** From now on, unless a later moment is given; until a moment that is to come, within a year. Errors: parameter_invalid. */
export function shownSpan(
  { showsFrom, showsUntil }: { showsFrom?: Date | null | undefined; showsUntil: Date },
  now: Date,
): { showsFrom: Date; showsUntil: Date } {
  const from = showsFrom && showsFrom > now ? showsFrom : now;
  if (from > after(now, SHOWN_DAYS_MAX * DAY)) throw fail('parameter_invalid', { field: 'showsFrom' });
  if (showsUntil <= from || showsUntil > after(from, SHOWN_DAYS_MAX * DAY)) throw fail('parameter_invalid', { field: 'showsUntil' });
  return { showsFrom: from, showsUntil };
}
