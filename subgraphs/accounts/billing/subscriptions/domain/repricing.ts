// A price that a seller has announced of a subscription: whether it holds, and from which period on.
import type { OfferLine } from '#commerce/offers.ts';
import { periodEndAfter } from './subscription.ts';

interface Announced {
  linesBefore: readonly OfferLine[];
  appliesFrom: Date;
}

interface Recurring {
  lines: readonly OfferLine[];
  currentPeriodEnd: Date;
  anchorAt: Date;
  intervalCount: number;
}

/** What counts of lines: a product may have another name by now. */
const sums = (lines: readonly OfferLine[]): string => JSON.stringify(lines.map(({ quantity, amountMinor }) => [quantity, amountMinor]));

/** Whether it was computed from what recurs now: after a change of the subscription its seller announces it again. */
export const isUpToDate = ({ linesBefore }: Pick<Announced, 'linesBefore'>, { lines }: Pick<Recurring, 'lines'>): boolean =>
  sums(linesBefore) === sums(lines);

/** Whether the period that begins at `start` has the announced price. */
export const appliesTo = (announced: Announced, recurring: Pick<Recurring, 'lines'>, start: Date): boolean =>
  isUpToDate(announced, recurring) && announced.appliesFrom <= start;

/** When the first period at the announced price begins. */
export function firstPeriodAt(
  { appliesFrom }: Pick<Announced, 'appliesFrom'>,
  { currentPeriodEnd, anchorAt, intervalCount }: Omit<Recurring, 'lines'>,
): Date {
  let start = currentPeriodEnd;
  while (start < appliesFrom) start = periodEndAfter(anchorAt, start, intervalCount);
  return start;
}
