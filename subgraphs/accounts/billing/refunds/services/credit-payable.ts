// The part of an account's credit that can be paid out, and to where: back to the charge it came from, never more than is left of that charge, never
// credit that support has given, and never to a charge whose payer's bank has taken the money or is deciding about it.
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

/** The part that is returned to one charge, in the currency of all prices. */
export interface PayablePart {
  /** "processor:the processor's id". */
  chargeId: string;
  /** The order that the charge has paid, if any. */
  orderId: string | null;
  destination: MethodName;
  /** True: no processor returns it, so a person sends it. */
  byHand: boolean;
  amountMinor: number;
}

/** The parts that can be paid out, those of the oldest credit first. */
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
    // A payment that came too late for its order is listed as a charge of its own.
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

/** Charge id -> what is left of it; null: it is disputed. Money that arrived without an order is not included. */
function leftOfCharges(charges: readonly AccountCharge[], payOuts: readonly Refund[]): Map<string, number | null> {
  const left = new Map<string, number | null>();
  for (const { id, amountMinor, refundedMinor, isDisputed } of charges) left.set(id, isDisputed ? null : amountMinor - refundedMinor);
  for (const { chargeId, amountMinor, status, againstLoss } of payOuts) {
    const known = left.get(chargeId ?? '');
    if (chargeId && known !== null && status !== 'CREDITED' && !againstLoss) left.set(chargeId, (known ?? 0) - amountMinor);
  }
  return left;
}

/** Where a part is sent: back by its processor if that makes refunds; otherwise by a person, coins as coins and all else to a bank account. */
function goesTo({ providers }: Pick<SubscriptionsContext, 'providers'>, chargeId: string, refused: ReadonlySet<string>) {
  const { name, refunds } = methodOfProcessor(toCharge(chargeId).processor);
  const byItself = refunds === 'SENT' && providers.payments[name] !== undefined && !refused.has(chargeId);
  return byItself ? { destination: name, byHand: false } : { destination: sentByHand(name), byHand: true };
}
