// An order that a setting of the account has asked for. Nobody is there to pay it, so it is charged to the account's saved means, or to its credit when that
// covers the whole price.
import { DAY, after } from '#platform/clock.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { openOffer } from '#commerce/offers.ts';
import { isAccountSuspended } from '../../../identity/entities/account.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { type Order, insertOrderOnce, lockOrder, newOrder } from '../../orders/entities/order.ts';
import { holdCredit } from '../../orders/services/hold-credit.ts';
import { announceOrder, chargeLater } from '../../orders/services/orders.ts';
import { FIRST_METHOD } from '../../payments/providers/payment-methods.ts';
import { payOrder } from '../../incoming-payments/services/pay-order.ts';
import { noteRenewalTax } from '../../tax/services/order-tax.ts';
import { isCountryMissing, taxPositionOf, taxedNow } from '../../tax/services/tax-position.ts';
import type { CheckoutContext } from '../context.ts';
import { defaultMeansOf } from './default-means.ts';

/** How long charging is tried again while the processor does not answer, in milliseconds. */
const VALID_MS = DAY;

/** Why nothing was bought. PASSING: the seller may ask again. */
type Why = EventOf<'top_up.declined'>['data']['why'];
interface Asked {
  accountId: string;
  data: { planId: string; requestId: string };
}

/** Reaction to `residential_plan.top_up_asked`: one order, however often it is heard. */
export async function placeTopUp(ctx: CheckoutContext, { accountId, data }: EventOf<'residential_plan.top_up_asked'>): Promise<void> {
  if (accountId === null) return;
  const { em, clock } = ctx;
  const offered = openedOffer(ctx, accountId, data.offer);
  if (!offered) return declineTopUp(ctx, { accountId, data }, 'PASSING');
  const balance = await lockCreditOfAccount(em, accountId, offered.currency);
  // This locks the account's row, so that a suspension comes either before or after this order.
  if (await isAccountSuspended(em, accountId)) return declineTopUp(ctx, { accountId, data }, 'PASSING');
  const position = await taxPositionOf(ctx, accountId);
  if (isCountryMissing(ctx, offered, position)) return declineTopUp(ctx, { accountId, data }, 'COUNTRY_NEEDED');
  const terms = await taxedNow(ctx, offered);
  const byCredit = balance >= terms.totalMinor;
  const means = await defaultMeansOf(ctx, accountId, terms.totalMinor);
  if (!byCredit && !means) return declineTopUp(ctx, { accountId, data }, 'NO_MEANS');
  const now = clock.now();
  const row = newOrder({
    id: newId('ord', clock),
    accountId,
    offerId: terms.id,
    idempotencyKey: terms.id,
    method: means?.method ?? FIRST_METHOD,
    title: terms.title,
    kind: 'PURCHASE',
    automatic: true,
    lines: terms.lines,
    currency: terms.currency,
    subtotalMinor: terms.subtotalMinor,
    taxBasisPoints: terms.taxBasisPoints,
    taxMinor: terms.taxMinor,
    creditMinor: byCredit ? terms.totalMinor : 0,
    totalMinor: byCredit ? 0 : terms.totalMinor,
    seller: terms.seller,
    fulfil: { ...terms.fulfil, requestId: terms.id },
    placedAt: now,
    expiresAt: after(now, VALID_MS),
  });
  if (!(await insertOrderOnce(em, row))) return;
  await noteRenewalTax(ctx, row, position, data.orderId);
  await announceOrder(ctx, row, 'order.placed');
  if (!byCredit) return chargeLater(ctx, row, means?.meansId);
  await holdCredit(ctx, row);
  const order = await lockOrder(em, row.id);
  if (order) await payOrder(ctx, order);
}

/** The terms of an offer; undefined: the offer has expired. */
function openedOffer({ providers, clock }: CheckoutContext, accountId: string, token: string) {
  try {
    return openOffer(token, accountId, providers.secrets.offers, clock);
  } catch {
    return undefined;
  }
}

/** Tells the seller that nothing was bought, in the transaction of `ctx.em`; `words`: the bank's own explanation. */
export const declineTopUp = (
  ctx: CheckoutContext,
  { accountId, data: { planId, requestId } }: Asked,
  why: Why,
  words?: string,
): Promise<void> =>
  appendEvents(ctx.em, {
    type: 'top_up.declined',
    at: ctx.clock.now(),
    accountId,
    subject: planId,
    data: { planId, requestId, why, ...(words !== undefined && { words }) },
  });

/** The plan and the request that an automatic order is for, as its seller has written them; undefined: the order is not automatic. */
export function askedBy({ automatic, fulfil }: Order): { planId: string; requestId: string } | undefined {
  const { planId, requestId } = fulfil;
  return automatic && typeof planId === 'string' && typeof requestId === 'string' ? { planId, requestId } : undefined;
}
