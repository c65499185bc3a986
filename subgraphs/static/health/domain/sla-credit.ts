// What downtime past the promise is worth: the address's price for the time in which it did not work.
import { divideHalfUp } from '#commerce/money.ts';
import { allowedDowntimeMs } from './health.ts';

export interface Downtime {
  id: string;
  addressId: string;
  startedAt: Date;
  endedAt: Date;
  /** Counted towards a credit before. */
  counted: boolean;
}

export interface Period {
  periodStart: Date;
  periodEnd: Date;
}

/**
 * What a plan has earned by outages that are over, and which of them are settled by it. Per address: within the promise nothing is earned and the
 * outages stay open for more to come; once the period's downtime is past it, all that was not counted yet earns. Outages of a period that is over
 * within the promise are settled for nothing.
 */
export function creditOf(
  outages: readonly Downtime[],
  { periodStart, periodEnd }: Period,
  unitMinor: number,
): { amountMinor: number; downMs: number; settled: string[] } {
  const periodMs = periodEnd.getTime() - periodStart.getTime();
  const length = ({ startedAt, endedAt }: Downtime) => endedAt.getTime() - startedAt.getTime();
  let downMs = 0;
  const settled: string[] = [];
  for (const [, ofAddress] of Map.groupBy(outages, ({ addressId }) => addressId)) {
    const uncounted = ofAddress.filter(({ counted }) => !counted);
    const whole = ofAddress.reduce((sum, outage) => sum + length(outage), 0);
    const passed = whole > allowedDowntimeMs(periodMs);
    if (passed) downMs += uncounted.reduce((sum, outage) => sum + length(outage), 0);
    settled.push(...uncounted.filter(({ startedAt }) => passed || startedAt < periodStart).map(({ id }) => id));
  }
  return { amountMinor: Number(divideHalfUp(BigInt(unitMinor) * BigInt(downMs), BigInt(periodMs))), downMs, settled };
}
