// The credit for downtime beyond the promise: the address's price for the time in which it did not work.
import { divideHalfUp } from '#commerce/money.ts';
import { allowedDowntimeMs } from './health.ts';

export interface Downtime {
  id: string;
  addressId: string;
  startedAt: Date;
  endedAt: Date;
  /** Whether it was counted for a credit before. */
  counted: boolean;
}

export interface Period {
  periodStart: Date;
  periodEnd: Date;
}

/**
 * The credit that a plan has earned by ended outages, and the outages that are settled by it. Each address is judged by itself. While its downtime in the
 * period is within the promise, it earns nothing and its outages stay open, since more may follow. Once the downtime exceeds the promise, all outages that were
 * not counted yet earn. Outages of an earlier period that stayed within the promise are settled for nothing.
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
