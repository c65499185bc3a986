// How long the ledger keeps single entries: `days` are the operator's. Totals and days are kept for good.
import { daysBefore } from '#platform/clock.ts';

/** An older line is refused: its week may be dropped, and with it the record of which lines were counted. */
export const earliestEntry = (now: Date, days: number): Date => daysBefore(now, days);

/**
 * Weeks that ended by then are dropped, and reports that came last before then are deleted. It is a day earlier than `earliestEntry`, so that differing clocks
 * do no harm.
 */
export const endOfRaw = (now: Date, days: number): Date => daysBefore(now, days + 1);
