// What of an account's credit can be paid out, and where each part goes: back to the charge that it came from, never more than is left of that, never
// what support has given, never to a charge whose payer's bank has the money or decides about it.
import { CURRENCY } from '#commerce/money.ts';
import { arrivedBy, lotsOf } from '../../ledger/domain/credit-lots.ts';
import { toCharge } from '../../payments/domain/charge.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';
import {
  type AccountCharge,
  chargesOfAccount,
  creditMoves,
  disputedCharges,
  givenBackTo,
  refusedCharges,
} from '../entities/account-charge.ts';
import { type Refund, everyPayOut } from '../entities/refund.ts';
import { methodOfProcessor, sentByHand } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';

/** What goes back to one charge. Of the currency that everything is sold in. */
export interface PayablePart {
  /** "processor:its id there". */
  chargeId: string;
  /** What the charge has paid, if it has paid an order. */
  orderId: string | null;
  destination: MethodName;
  /** No processor gives it back: a person sends it. */
  byHand: boolean;
  amountMinor: number;
}

/** The oldest credit first. */
export async function payableCredit(ctx: Pick<SubscriptionsContext, 'em' | 'providers'>, accountId: string): Promise<PayablePart[]> {
  const { em } = ctx;
  const moves = await creditMoves(em, accountId, CURRENCY);
  if (moves.length === 0) return [];
  const charges = await chargesOfAccount(em, accountId, CURRENCY);
  const payOuts = await everyPayOut(em, accountId);
  const lots = lotsOf(moves, {
    charges: new Map(
      charges
        .filter(({ credited }) => !credited)
        .map(({ id, orderId, amountMinor, refundedMinor }) => [orderId, { id, openMinor: amountMinor - refundedMinor }]),
    ),
    givenBack: Map.groupBy(await givenBackTo(em, accountId), ({ reference }) => reference),
    takers: new Map([
      ...(await disputedCharges(em, accountId)),
      ...payOuts.map(({ id, processorId, elsewhere, chargeId }) => [(elsewhere && processorId) || id, chargeId ?? ''] as const),
    ]),
  });
  const left = leftOfCharges(charges, payOuts);
  const late = new Set(charges.filter(({ credited }) => credited).map(({ id }) => id));
  for (const move of moves) {
    const chargeId = arrivedBy(move);
    // What came too late is a charge of its own already.
    if (chargeId === undefined || late.has(chargeId)) continue;
    const known = left.get(chargeId);
    if (known !== null) left.set(chargeId, (known ?? 0) + move.amountMinor);
  }
  const refused = await refusedCharges(em, accountId);
  const orders = new Map(charges.filter(({ credited }) => !credited).map(({ id, orderId }) => [id, orderId]));
  const parts = new Map<string, PayablePart>();
  for (const { chargeId, leftMinor } of lots) {
    const open = chargeId === null ? 0 : (left.get(chargeId) ?? 0);
    const amountMinor = Math.min(leftMinor, open);
    if (chargeId === null || amountMinor <= 0) continue;
    left.set(chargeId, open - amountMinor);
    const part = parts.get(chargeId);
    if (part) part.amountMinor += amountMinor;
    else parts.set(chargeId, { chargeId, orderId: orders.get(chargeId) ?? null, ...goesTo(ctx, chargeId, refused), amountMinor });
  }
  return [...parts.values()];
}

/** By charge what is left of it; null: it is disputed. What arrived without an order is not in it yet. */
function leftOfCharges(charges: readonly AccountCharge[], payOuts: readonly Refund[]): Map<string, number | null> {
  const left = new Map<string, number | null>();
  for (const { id, amountMinor, refundedMinor, isDisputed } of charges) left.set(id, isDisputed ? null : amountMinor - refundedMinor);
  for (const { chargeId, amountMinor, status, againstLoss } of payOuts) {
    const known = left.get(chargeId ?? '');
    if (chargeId && known !== null && status !== 'CREDITED' && !againstLoss) left.set(chargeId, (known ?? 0) - amountMinor);
  }
  return left;
}

/** Back the way it came, where its processor takes it back; otherwise a person sends it: coins as coins, all else to a bank account. */
function goesTo({ providers }: Pick<SubscriptionsContext, 'providers'>, chargeId: string, refused: ReadonlySet<string>) {
  const { name, refunds } = methodOfProcessor(toCharge(chargeId).processor);
  const byItself = refunds === 'SENT' && providers.payments[name] !== undefined && !refused.has(chargeId);
  return byItself ? { destination: name, byHand: false } : { destination: sentByHand(name), byHand: true };
}
