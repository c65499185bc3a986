// Compares our books with those of each processor that keeps any: what it holds for us, where they differ, and what it has paid out.
import { DAY, after } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Money } from '#commerce/money.ts';
import type { MovementKind } from '../../payments/domain/balance-movement.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';
import { balancesOf } from '../../payments/providers/payment-methods.ts';
import { type ProcessorMovement, linesOfPayout } from '../entities/processor-movement.ts';
import { type ProcessorPayout, payoutsBetween, sumsOfPayout } from '../entities/processor-payout.ts';
import { readingOf } from '../entities/processor-reading.ts';
import { balanceOfLedger, strangeMovements, unevenPayments } from '../entities/reconciliation.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { SETTLED_AFTER_DAYS } from '../../../../../schema/limits.ts';

/** NO_ENTRY: only the processor's books have it; NO_MOVEMENT: only ours have it. */
export const UNEVEN_REASONS = ['NO_ENTRY', 'NO_MOVEMENT', 'OTHER_AMOUNT'] as const;
type UnevenReason = (typeof UNEVEN_REASONS)[number];

export interface UnevenPayment {
  payment: string;
  orderId: string | null;
  kind: MovementKind;
  why: UnevenReason;
  booked: Money;
  moved: Money;
  since: Date;
}

export interface ProcessorBooks {
  processor: Processor;
  /** Until when its books were read; null: they never were. */
  readUntil: Date | null;
  /** `held`: the balance that the processor reported then; `booked`: the present balance of our ledger for it. */
  held: Money[];
  booked: Money[];
  uneven: UnevenPayment[];
  strange: ProcessorMovement[];
}

interface Span {
  from: Date;
  until: Date;
}

/** The books of each processor that keeps any, with the differences of what moved or was posted in the span. */
export function processorBooks(ctx: Pick<SubscriptionsContext, 'em' | 'clock' | 'providers'>, span: Span): Promise<ProcessorBooks[]> {
  const settledBefore = after(ctx.clock.now(), -SETTLED_AFTER_DAYS * DAY);
  return Promise.all(
    balancesOf(ctx.providers).map(async ({ method: { processor, ledger } }) => {
      const em = ctx.em.fork();
      const compared = { processor, ledger, ...span, settledBefore };
      const reading = await readingOf(em, processor);
      const held = Object.entries(reading?.held ?? {}).map(([currency, amountMinor]) => ({ currency, amountMinor }));
      const booked = (await balanceOfLedger(em, ledger)).map(({ currency, minor }) => ({ currency, amountMinor: Number(minor) }));
      const uneven = (await unevenPayments(em, compared)).map(({ what, currency, booked: ours, moved: theirs, at, ...row }) => ({
        ...row,
        kind: what,
        why: whyOf(Number(ours), Number(theirs)),
        booked: { amountMinor: Number(ours), currency },
        moved: { amountMinor: Number(theirs), currency },
        since: at,
      }));
      return { processor, readUntil: reading?.readUntil ?? null, held, booked, uneven, strange: await strangeMovements(em, compared) };
    }),
  );
}

const whyOf = (booked: number, moved: number): UnevenPayment['why'] =>
  booked === 0 ? 'NO_ENTRY' : moved === 0 ? 'NO_MOVEMENT' : 'OTHER_AMOUNT';

export interface PayoutSum {
  kind: string;
  lines: number;
  amount: Money;
  fees: Money;
  net: Money;
}

/** The payouts of a span, newest first, at most 200. */
export const payoutsOf = ({ em }: Pick<SubscriptionsContext, 'em'>, span: Span): Promise<ProcessorPayout[]> => payoutsBetween(em, span);

/** The lines of a payout, summed by kind. */
export const payoutSums = async ({ em }: Pick<SubscriptionsContext, 'em'>, payout: ProcessorPayout): Promise<PayoutSum[]> =>
  (await sumsOfPayout(em, payout)).map(({ kind, lines, amount, fees }) => {
    const money = (amountMinor: number): Money => ({ amountMinor, currency: payout.currency });
    return { kind, lines, amount: money(Number(amount)), fees: money(Number(fees)), net: money(Number(amount) - Number(fees)) };
  });

/** A page of the lines of a payout. Errors: limit_invalid. */
export async function payoutLines(
  { em }: Pick<SubscriptionsContext, 'em'>,
  payout: ProcessorPayout,
  { first, after: last }: { first: number; after?: string | null },
): Promise<{ items: ProcessorMovement[]; next: string | null }> {
  if (first < 1 || first > 100) throw fail('limit_invalid', { field: 'first' });
  const rows = await linesOfPayout(em, payout, { first: first + 1, after: last ?? null });
  const items = rows.slice(0, first);
  return { items, next: rows.length > first ? (items.at(-1)?.id ?? null) : null };
}
