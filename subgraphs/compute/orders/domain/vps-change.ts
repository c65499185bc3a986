// The price of a change of a VPS: the difference of the recurring price, for the rest of the period.
import type { OfferLine } from '#commerce/offers.ts';
import { sumOfLines } from '#commerce/offers.ts';
import { prorate } from '#commerce/proration.ts';
import type { VpsPrices } from '../../catalogue/domain/vps-plan.ts';
import { type VpsOrder, vpsLines } from './vps-order.ts';

/** The terms of a VPS that recurring prices depend on. */
export type VpsTerms = Pick<VpsOrder, 'plan' | 'months' | 'extraIpv4' | 'backups'>;

export interface Period {
  start: Date;
  end: Date;
}

/** `now`: the one line that is charged now, rounded to whole cents by `prorate`; `recurring`: the lines from the next renewal on. */
export function priceChange(
  before: VpsTerms,
  after: VpsTerms,
  { label, period, at, prices }: { label: string; period: Period; at: Date; prices: VpsPrices },
): { now: OfferLine[]; recurring: OfferLine[] } {
  const recurring = vpsLines(after, prices);
  const fullMinor = sumOfLines(recurring) - sumOfLines(vpsLines(before, prices));
  const amountMinor = prorate({ fullMinor, periodStart: period.start, periodEnd: period.end, months: after.months, at });
  return { now: [{ label, quantity: 1, amountMinor }], recurring };
}
