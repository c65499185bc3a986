// How long the ledger keeps single entries. Totals and days are kept for good.
import { DAY, after } from '#platform/clock.ts';

const RAW_DAYS = 90;

/** An older line is refused: its week may be dropped, and with it the record of which lines were counted. */
export const earliestEntry = (now: Date): Date => after(now, -RAW_DAYS * DAY);

/**
 * Weeks that ended by then are dropped, and reports that came last before then are deleted. It is a day earlier than `earliestEntry`, so that differing clocks
 * do no harm.
 */
export const endOfRaw = (now: Date): Date => after(now, -(RAW_DAYS + 1) * DAY);
