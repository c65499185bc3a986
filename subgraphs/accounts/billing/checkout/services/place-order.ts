import { after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { type EntityManager, inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { normalCode } from '../../coupons/domain/coupon.ts';
import { creditToUse } from '../../ledger/domain/account-credit.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { type Order, insertOrderOnce, lockOrder, newOrder, orderOfKey } from '../../orders/entities/order.ts';
import { CREDIT, FIRST_METHOD, methodOf, whyNotMethod } from '../../payments/providers/payment-methods.ts';
import type { CheckoutContext } from '../context.ts';
import { refusalOf, untilAnswered } from './await-stock.ts';
import { askForTransfer } from '../../incoming-payments/services/bank-transfer.ts';
import { checkChange } from '../../subscriptions/services/change-subscription.ts';
import { findCode, noteUse, takeCoupon } from '../../coupons/services/apply-coupon.ts';
import type { CouponCode } from '../../coupons/entities/coupon-code.ts';
import { holdCredit } from '../../orders/services/hold-credit.ts';
import { once } from '../../idempotency/services/idempotency.ts';
import { announceOrder, chargeLater, isAskingForStock, openCheckout } from '../../orders/services/orders.ts';
import { defaultMeansOf } from './default-means.ts';
import { offerOrdered, openUnordered } from './open-unordered.ts';
import { payOrder } from '../../incoming-payments/services/pay-order.ts';
import { OrderRefused, judgePlaced, noteFindings, noteRefusal } from '../../risk/services/judge-order.ts';
import { noteOrderTax } from '../../tax/services/order-tax.ts';
import { checkTax } from '../../tax/services/tax-position.ts';
import { buyerOf, checkUnpaid } from './unpaid-orders.ts';

export interface PlaceOrderInput {
  offer: string;
  method: PaymentMethod;
  idempotencyKey: string;
  /** The code of a coupon. */
  coupon?: string | null;
}

/**
 * Orders what a signed offer describes, at its price. Account credit pays first; what it covers whole is paid at once. Stock is held from here on,
 * and asked for before anything is to be paid. Errors: offer_invalid, offer_ordered, offer_expired, billing_country_required, offer_tax_changed,
 * bank_transfer_too_small, crypto_not_available, paypal_not_available, coupon_invalid, too_many_unpaid_orders,
 * order_refused, out_of_stock, hold_too_large, idempotency_conflict, idempotency_in_flight.
 */
export function placeOrder(ctx: CheckoutContext, input: PlaceOrderInput): Promise<Order> {
  const { idempotencyKey, coupon, ...request } = input;
  // Without a coupon it is the same request as before there were any.
  const asked = { ...request, ...(coupon && { coupon: normalCode(coupon) }) };
  return once(ctx, { operation: 'orderPlace', key: idempotencyKey, request: asked }, () => placeNow(ctx, input));
}

/** How an order differs that a key places: nobody is there to pay it. */
export interface PlacedByKey {
  apiKeyId: string;
  /** Once the order is written, in the same transaction, which holds the lock of the account's credit: no two are placed at once. Throws to take it back. */
  admit(tx: CheckoutContext, order: Order): Promise<void>;
}

/**
 * The same for a key: what account credit does not cover is charged to the account's default means. Errors: those of `placeOrder`, and action_not_allowed
 * (there are none).
 */
export function placeOrderByKey(
  ctx: CheckoutContext,
  { offer, idempotencyKey }: Pick<PlaceOrderInput, 'offer' | 'idempotencyKey'>,
  byKey: PlacedByKey,
): Promise<Order> {
  return once(ctx, { operation: 'keyOrderPlace', key: idempotencyKey, request: { offer, apiKeyId: byKey.apiKeyId } }, async () => {
    const means = await defaultMeansOf(ctx, accountOf(ctx));
    const input = { offer, idempotencyKey, method: means?.method ?? FIRST_METHOD };
    return placeNow(ctx, input, {
      ...byKey,
      async admit(tx, order) {
        if (order.totalMinor > 0 && !means) throw fail('action_not_allowed', { reason: because('order_means_missing') });
        await byKey.admit(tx, order);
      },
    });
  });
}

/** Safe to repeat: an earlier attempt may have ended between the order and its answer. */
async function placeNow(
  ctx: CheckoutContext,
  { offer, method, idempotencyKey, coupon }: PlaceOrderInput,
  byKey?: PlacedByKey,
): Promise<Order> {
  const accountId = accountOf(ctx);
  const earlier = await orderOfKey(ctx.em, accountId, idempotencyKey);
  if (!earlier) {
    const terms = await openUnordered(ctx, offer);
    const code = coupon ? await findCode(ctx, accountId, coupon) : undefined;
    await writeUnlessRefused(ctx, () => inTransaction(ctx, (tx) => writeOrder(tx, terms, { method, idempotencyKey, byKey }, code)));
  }
  const order = await orderOfKey(ctx.em.fork(), accountId, idempotencyKey);
  // A request with another idempotency key has ordered the offer in the meantime.
  if (!order) throw await offerOrdered(ctx, openedOffer(offer));
  if (openedOffer(offer) !== order.offerId) throw fail('idempotency_conflict', { field: 'idempotencyKey' });
  const answered = isAskingForStock(order) ? await untilAnswered(ctx, order.id) : order;
  if (answered.holdRefusal) throw refusalOf(answered.holdRefusal);
  return answered.checkoutUrl || answered.status !== 'PENDING' ? answered : openCheckout(ctx, order.id);
}

/** Errors: order_refused; the support desk shows which rule refused it. */
async function writeUnlessRefused(ctx: CheckoutContext, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof OrderRefused)) throw error;
    await noteRefusal({ ...ctx, em: ctx.em.fork() as EntityManager }, error);
    throw fail('order_refused');
  }
}

async function writeOrder(
  ctx: CheckoutContext,
  offered: OfferTerms,
  { byKey, ...more }: Pick<Order, 'method' | 'idempotencyKey'> & { byKey: PlacedByKey | undefined },
  code: CouponCode | undefined,
): Promise<void> {
  const now = ctx.clock.now();
  const { accountId, currency, subscription, creditMinor: granted = 0 } = offered;
  const method = methodOf(more.method);
  const balance = await lockCreditOfAccount(ctx.em, accountId, currency);
  const coupon = code && (await takeCoupon(ctx, offered, code));
  const terms = coupon?.terms ?? offered;
  const { subtotalMinor, taxMinor } = terms;
  const position = await checkTax(ctx, terms);
  const refused = whyNotMethod(ctx.providers, more.method, { totalMinor: terms.totalMinor, recurs: subscription !== undefined });
  if (refused) throw refused;
  const kind = subscription?.basedOn === undefined ? ('PURCHASE' as const) : ('CHANGE' as const);
  if (subscription && kind === 'CHANGE') await checkChange(ctx, terms, subscription);
  const creditMinor = creditToUse(balance, terms.totalMinor);
  const totalMinor = terms.totalMinor - creditMinor;
  const refusedRest = method.whyNotRest(totalMinor);
  if (refusedRest) throw refusedRest;
  const buyer = await buyerOf(ctx, accountId);
  if (totalMinor > 0) await checkUnpaid(ctx, accountId, more.method, buyer);
  const findings = kind === 'PURCHASE' ? await judgePlaced(ctx, terms, buyer) : [];
  const { holdsAs } = totalMinor > 0 ? method : methodOf(CREDIT);
  const hold = terms.holdsStock && holdsAs ? { ...buyer, method: holdsAs } : undefined;
  const row = newOrder({
    ...more,
    id: newId('ord', ctx.clock),
    accountId,
    offerId: terms.id,
    title: terms.title,
    kind,
    automatic: byKey !== undefined,
    apiKeyId: byKey?.apiKeyId ?? null,
    subscription: subscription ?? null,
    subscriptionId: subscription?.id ?? null,
    grantMinor: granted,
    lines: terms.lines,
    discountMinor: coupon?.discountMinor ?? 0,
    currency,
    subtotalMinor,
    taxBasisPoints: terms.taxBasisPoints,
    taxMinor,
    creditMinor,
    totalMinor,
    seller: terms.seller,
    fulfil: terms.fulfil,
    placedAt: now,
    expiresAt: after(now, method.validMs),
    hold: hold ? 'ASKED' : null,
  });
  // When several requests come at once one of them inserts the row; the others find it afterwards.
  if (!(await insertOrderOnce(ctx.em, row))) return;
  await byKey?.admit(ctx, row);
  if (kind === 'PURCHASE') await noteFindings(ctx, row, buyer, findings);
  if (coupon) await noteUse(ctx, coupon, row);
  await noteOrderTax(ctx, row, position);
  await announceOrder(ctx, row, 'order.placed', hold && { hold });
  await holdCredit(ctx, row);
  if (row.totalMinor > 0 && byKey) return hold ? undefined : chargeLater(ctx, row);
  if (row.totalMinor > 0 && method.opens === 'INSTRUCTIONS') return askForTransfer(ctx, row);
  // An order that credit covers completely is paid as soon as its stock is held.
  if (row.totalMinor > 0 || hold) return;
  const order = await lockOrder(ctx.em, row.id);
  if (order) await payOrder(ctx, order);
}

/** The id inside an offer whose signature was checked when its order was placed, or will not match. */
function openedOffer(token: string): string | undefined {
  try {
    return (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { id?: string }).id;
  } catch {
    return undefined;
  }
}
