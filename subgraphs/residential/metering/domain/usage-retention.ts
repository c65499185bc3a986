// How long the ledger keeps single entries. Totals and days stay for ever.
import { DAY, after } from '#platform/clock.ts';

const RAW_DAYS = 90;

/** A line of before this is refused: its week may be gone, and with it the memory of what was counted. */
export const earliestEntry = (now: Date): Date => after(now, -RAW_DAYS * DAY);

/**
 * Weeks that ended by this are dropped, and reports that last came before it forgotten: a day beyond what can still be reported, whatever the clocks
 * say.
 */
export const endOfRaw = (now: Date): Date => after(now, -(RAW_DAYS + 1) * DAY);
