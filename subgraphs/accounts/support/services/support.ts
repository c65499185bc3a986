// What a member of support does on somebody's account. Every act is in that account's activity, with who did it. Callers have checked that the viewer is a
// member of support.
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { type Account, searchAccounts } from '../../identity/entities/account.ts';
import { type ApiKey, keyWithId, searchKeys } from '../../keys/entities/api-key.ts';
import { hasChatIdentity } from '../../identity/entities/chat-identity.ts';
import { subscriptionWithId } from '../../billing/subscriptions/entities/billing-subscription.ts';
import { type Order, existingOrder, lockOrder, orderWithId } from '../../billing/orders/entities/order.ts';
import { deletePasskeysOf } from '../../identity/entities/passkey.ts';
import { deleteCodes } from '../../identity/entities/recovery-code.ts';
import { newestSignUp } from '../../identity/entities/sign-up.ts';
import { deleteTotp } from '../../identity/entities/totp.ts';
import type { Context } from '../../context.ts';
import { announceAccess } from '../../identity/entities/access-notice.ts';
import { record } from '../../identity/services/activity.ts';
import { accountFor, refuseColleague } from '../../identity/services/staff.ts';
import { revokeKey } from '../../keys/services/api-keys.ts';
import { announceOrder, checkCancel, closeLater, moveOrder } from '../../billing/orders/services/orders.ts';
import { paidData } from '../../billing/incoming-payments/services/pay-order.ts';
import { settleOrder } from '../../billing/incoming-payments/services/settle-orders.ts';
import { notifyFactorsChanged } from '../../identity/services/second-factor.ts';
import { reviewOfOrder } from '../../billing/risk/entities/order-review.ts';
import { endSessions } from '../../identity/services/sessions.ts';
import { mailVerification } from '../../identity/services/sign-up.ts';
import { DESK_SEARCH_MIN } from '../../../../schema/limits.ts';

const MAX_FOUND = 20;

/** Accounts by a part of the address, by their id, an order's id, a key's id or its last four characters; newest first, at most 20. */
export async function findAccounts({ em }: Context, search: string): Promise<Account[]> {
  const word = search.trim();
  if (word.length < DESK_SEARCH_MIN) return [];
  const byOrder = word.startsWith('ord_') ? await orderWithId(em, word) : null;
  const keys = await searchKeys(em, word, MAX_FOUND);
  const ids = [
    word,
    ...(byOrder ? [byOrder.accountId] : []),
    ...(word.length === 4 || word.startsWith('key_') || word.includes('...') ? keys.map(({ accountId }) => accountId) : []),
  ];
  return searchAccounts(em, { ids, part: word, limit: MAX_FOUND });
}

/** Allows or forbids API use. While it is forbidden, every key of the account answers 403. Errors: account_not_found, own_account_refused (to allow it). */
export const allowApi = (ctx: Context, { accountId, allowed }: { accountId: string; allowed: boolean }): Promise<Account> =>
  inTransaction(ctx, async (tx) => {
    if (allowed) refuseOwnAccount(ctx, accountId);
    const account = await accountFor(tx, accountId);
    if (account.apiAllowed === allowed) return account;
    account.apiAllowed = allowed;
    await record(tx, { type: allowed ? 'account.api_allowed' : 'account.api_forbidden', accountId, subject: accountId });
    await announceAccess(tx.em, accountId);
    return account;
  });

/** Errors: key_not_found. */
export const revokeAnyKey = (ctx: Context, id: string): Promise<ApiKey> =>
  inTransaction(ctx, async (tx) => {
    const key = await keyWithId(tx.em, id);
    if (!key) throw fail('key_not_found');
    await revokeKey(tx, key);
    return key;
  });

/** Signs an account out everywhere. Errors: account_not_found. */
export const endAllSessions = (ctx: Context, accountId: string): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    refuseColleague(tx, await accountFor(tx, accountId));
    return endSessions(tx, accountId);
  });

/**
 * Sends a verification link again, regardless of the customer's limit. As there is no account yet, it is recorded in the activity of the member of support.
 * Errors: sign_up_not_found (none waits, or the address has its account).
 */
export const resendLink = (ctx: Context, email: string): Promise<{ email: string }> =>
  inTransaction(ctx, async (tx) => {
    const sent = (await mailVerification(tx, email)) ? await newestSignUp(tx.em, email) : null;
    if (!sent) throw fail('sign_up_not_found');
    await record(tx, { type: 'sign_up.link_sent', accountId: accountOf(ctx), subject: sent.id, actor: 'SUPPORT' });
    return { email };
  });

/**
 * Removes the second factors of an account whose owner has lost them, and signs it out everywhere. The owner then enters by password or chat log-in alone, so
 * support must have made sure of the person. Passkeys stay where they are the only way in. Errors: account_not_found.
 */
export const removeFactors = (ctx: Context, accountId: string): Promise<Account> =>
  inTransaction(ctx, async (tx) => {
    const account = await accountFor(tx, accountId);
    refuseColleague(tx, account);
    await deleteTotp(tx.em, accountId);
    await deleteCodes(tx.em, accountId);
    const enters = account.passwordHash !== null || (await hasChatIdentity(tx.em, accountId));
    if (enters) await deletePasskeysOf(tx.em, accountId);
    await record(tx, { type: 'account.factors_removed', accountId, subject: accountId });
    await endSessions(tx, accountId);
    await notifyFactorsChanged(tx, accountId, { change: 'factors_removed' });
    return account;
  });

export const ORDER_REMEDIES = ['RECHECK', 'REDELIVER', 'CANCEL'] as const;
export type OrderRemedy = (typeof ORDER_REMEDIES)[number];

/**
 * Helps an order that is stuck. RECHECK asks the processor for its payment. REDELIVER tells its seller once more that it is paid; it is still delivered only
 * once. CANCEL cancels an unpaid order. Errors: order_not_found, action_not_allowed.
 */
export async function remedyOrder(ctx: Context, { id, remedy }: { id: string; remedy: OrderRemedy }): Promise<Order> {
  const order = await orderWithId(ctx.em.fork(), id);
  if (!order) throw fail('order_not_found');
  const note = (tx: Context) => record(tx, { type: 'order.remedied', accountId: order.accountId, subject: id, data: { remedy } });
  if (remedy === 'RECHECK') {
    await settleOrder(ctx, order);
    await inTransaction(ctx, note);
  } else
    await inTransaction(ctx, async (tx) => {
      const locked = await lockOrder(tx.em, id);
      if (!locked) throw fail('order_not_found');
      await (remedy === 'CANCEL' ? cancel(tx, locked) : redeliver(tx, locked));
      await note(tx);
    });
  return existingOrder(ctx.em.fork(), id);
}

async function cancel(ctx: Context, order: Order): Promise<void> {
  checkCancel(order);
  if (!moveOrder(order, 'cancelled'))
    throw fail('action_not_allowed', { reason: because('order_not_cancellable', { status: order.status }) });
  await announceOrder(ctx, order, 'order.cancelled');
  await closeLater(ctx, order);
}

async function redeliver(ctx: Context, order: Order): Promise<void> {
  if (order.status !== 'PAID')
    throw fail('action_not_allowed', {
      reason: because('order_not_redeliverable', { status: order.status }),
    });
  if ((await reviewOfOrder(ctx.em, order.id))?.state === 'WAITING')
    throw fail('action_not_allowed', { reason: because('order_in_review') });
  const { id: subject, accountId, subscriptionId } = order;
  const subscription = subscriptionId ? await subscriptionWithId(ctx.em, subscriptionId) : null;
  await appendEvents(ctx.em, { type: 'order.paid', at: ctx.clock.now(), accountId, subject, data: paidData(order, subscription) });
}
