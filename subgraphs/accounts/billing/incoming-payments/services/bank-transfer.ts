// Bank transfers: the order waits, support is told of it, and confirms the money when it has arrived. From then on it is an order like any
// other.
import { toDay } from '#platform/clock.ts';
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { formatMoney } from '#commerce/money.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { isPosted, lockReference } from '../../ledger/entities/journal.ts';
import { lockOrder, orderWithId, type Order } from '../../orders/entities/order.ts';
import { paymentBy } from '../../payments/entities/payment.ts';
import { methodOf, processorOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { once } from '../../idempotency/services/idempotency.ts';
import { postMail, postToOwner } from '../../../mail/services/mails.ts';
import { announceOrder } from '../../orders/services/orders.ts';
import { payOrder } from './pay-order.ts';
import { holdMore } from '../../orders/services/hold-credit.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import { TEXT_MAX } from '../../../../../schema/limits.ts';

type Asked = Pick<Order, 'id' | 'accountId' | 'method' | 'title' | 'totalMinor' | 'currency' | 'expiresAt'>;

/** Notifies support and the buyer, in the transaction that places the order; the order's id is the reference of the transfer. */
export async function askForTransfer(
  ctx: SubscriptionsContext,
  { id, accountId, method, title, totalMinor, currency, expiresAt }: Asked,
): Promise<void> {
  const { supportEmail, publicUrl } = ctx.providers;
  const bank = [...processorOf(ctx.providers, method).instructions];
  const { email } = await existingAccount(ctx.em, accountId);
  const what = { title, reference: id, amount: formatMoney({ amountMinor: totalMinor, currency }) };
  await postMail(ctx, supportEmail, 'transfer_asked', { ...what, account: email ?? accountId, url: `${publicUrl}/support/orders/${id}` });
  if (email) await postMail(ctx, email, 'transfer_terms', { ...what, bank, until: toDay(expiresAt), url: `${publicUrl}/orders/${id}` });
}

export interface ConfirmTransferInput {
  orderId: string;
  /** The amount that has arrived, in minor units of the order's currency. */
  amountMinor: number;
  /** The bank's own reference of the transfer: each is confirmed once. */
  bankReference: string;
  idempotencyKey: string;
}

/**
 * Support confirms a transfer. It pays the order if it is the price, less what banks on the way may keep. A smaller amount is set aside, and the owner is
 * asked for the rest. What is beyond the price, or arrives when the order does not wait any more, becomes account credit. Errors: order_not_found,
 * own_account_refused, action_not_allowed (not an order by transfer; this transfer was confirmed before), parameter_invalid, idempotency_conflict,
 * idempotency_in_flight.
 */
export function confirmTransfer(ctx: SubscriptionsContext, { idempotencyKey, ...input }: ConfirmTransferInput): Promise<Order> {
  const reference = input.bankReference.trim();
  if (reference === '' || reference.length > TEXT_MAX.transferReference)
    throw fail('parameter_invalid', { field: 'bankReference', reason: because('bank_reference_length') });
  if (input.amountMinor < 1) throw fail('parameter_invalid', { field: 'amountMinor', reason: because('amount_not_positive') });
  return once(ctx, { operation: 'supportTransferConfirm', key: idempotencyKey, request: input }, (effect) =>
    inTransaction(ctx, (tx) => confirmNow(tx, { ...input, bankReference: reference, effect })),
  );
}

async function confirmNow(
  ctx: SubscriptionsContext,
  { orderId, amountMinor, bankReference, effect }: Omit<ConfirmTransferInput, 'idempotencyKey'> & { effect: string },
): Promise<Order> {
  const seen = await orderWithId(ctx.em, orderId);
  if (!seen) throw fail('order_not_found');
  refuseOwnAccount(ctx, seen.accountId);
  const { opens, processor } = methodOf(seen.method);
  if (opens !== 'INSTRUCTIONS') throw fail('action_not_allowed', { reason: because('not_by_transfer') });
  const { accountId, currency, title } = seen;
  await lockCreditOfAccount(ctx.em, accountId, currency);
  const order = await lockOrder(ctx.em, orderId);
  if (!order) throw fail('order_not_found');
  const credited = `transfer:${bankReference}`;
  // One transfer may be confirmed for two orders at the same moment.
  await lockReference(ctx.em, credited);
  const known =
    (await paymentBy(ctx.em, { processor, processorId: bankReference })) ?? (await isPosted(ctx.em, 'transfer_credited', credited));
  if (known) throw fail('action_not_allowed', { reason: because('transfer_known') });
  const { totalMinor } = order;
  const shortMinor = Math.max(0, totalMinor - amountMinor);
  const waits = order.status === 'PENDING';
  const pays = waits && shortMinor <= (processorOf(ctx.providers, order.method).shortfallOf?.(totalMinor) ?? 0);
  if (pays) await payOrder(ctx, order, { processor, processorId: bankReference, shortMinor });
  const rest = amountMinor - (pays ? totalMinor - shortMinor : 0);
  const amount = formatMoney({ amountMinor: rest, currency });
  if (rest > 0) {
    await postJournal(ctx, 'transfer_credited', { reference: credited, currency, note: title, data: { accountId, amountMinor: rest } });
    if (waits && !pays) await setAside(ctx, order, rest);
    else await postToOwner(ctx, accountId, 'transfer_credited', { title, amount, url: `${ctx.providers.publicUrl}/billing` });
  }
  await record(ctx, {
    type: 'transfer.confirmed',
    accountId,
    subject: orderId,
    data: { amount: formatMoney({ amountMinor, currency }), credited: amount, bankReference, confirmation: effect },
  });
  return order;
}

/** Sets a part of an order's price aside; the owner is asked for the rest. */
async function setAside(ctx: SubscriptionsContext, order: Order, amountMinor: number): Promise<void> {
  await holdMore(ctx, order, amountMinor);
  await announceOrder(ctx, order, 'order.payment_seen');
  const { id, accountId, title, currency, totalMinor, expiresAt } = order;
  await postToOwner(ctx, accountId, 'transfer_part', {
    title,
    reference: id,
    arrived: formatMoney({ amountMinor, currency }),
    left: formatMoney({ amountMinor: totalMinor, currency }),
    until: toDay(expiresAt),
    url: `${ctx.providers.publicUrl}/orders/${id}`,
  });
}
