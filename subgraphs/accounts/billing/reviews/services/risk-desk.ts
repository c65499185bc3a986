// What staff do about risk: they set rules, note verified identities, and decide about orders that are held.
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { formatMoney } from '#commerce/money.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { record } from '../../../identity/services/activity.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import type { BillingContext } from '../../context.ts';
import { type Order, lockOrder } from '../../orders/entities/order.ts';
import { announceOrder } from '../../orders/services/orders.ts';
import { paidData } from '../../incoming-payments/services/pay-order.ts';
import { refundRest } from '../../refunds/services/undelivered.ts';
import { subscriptionWithId } from '../../subscriptions/entities/billing-subscription.ts';
import { type RiskKind, type RiskOutcome, toWord } from '../../risk/domain/risk-rule.ts';
import { type IdentityLevel, lockLevel, saveLevel } from '../../risk/entities/identity-level.ts';
import { type OrderReview, lockReview, reviewOfOrder } from '../../risk/entities/order-review.ts';
import { type RiskRule, deleteRule, ruleWithId, saveRule } from '../../risk/entities/risk-rule.ts';

export interface GivenRule {
  id?: string | null | undefined;
  kind: RiskKind;
  outcome: RiskOutcome;
  onlyNew: boolean;
  enabled: boolean;
  amountMinor?: number | null | undefined;
  maxOrders?: number | null | undefined;
  hours?: number | null | undefined;
  words?: readonly string[] | null | undefined;
  identityLevel?: number | null | undefined;
}

const MAX = { amountMinor: 100_000_000, maxOrders: 10_000, hours: 168, identityLevel: 9, words: 50_000 };
/** The fields that each kind needs in addition to those of all kinds. */
const NEEDS: { readonly [Kind in RiskKind]: readonly ('amountMinor' | 'maxOrders' | 'hours' | 'identityLevel' | 'words')[] } = {
  AMOUNT: ['amountMinor'],
  VELOCITY: ['maxOrders', 'hours'],
  DISPOSABLE_MAIL: ['words'],
  IDENTITY: ['identityLevel'],
  CARD_COUNTRY: ['words'],
  COUNTRY_MISMATCH: [],
};

const unfit = (field: string, reason: Reason) => fail('parameter_invalid', { field, reason });

function countOf(given: GivenRule, field: 'amountMinor' | 'maxOrders' | 'hours' | 'identityLevel'): number | null {
  if (!NEEDS[given.kind].includes(field)) return null;
  const value = given[field];
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > MAX[field])
    throw unfit(field, because('number_out_of_range', { name: field, max: MAX[field] }));
  return Number(value);
}

function wordsOf({ kind, words = [] }: GivenRule): string[] {
  const given = [...new Set((words ?? []).map((word) => word.trim()).filter(Boolean))];
  const strange = given.find((word) => toWord(kind, word) === undefined);
  if (strange !== undefined) throw unfit('words', because('risk_word_unfit', { word: strange.slice(0, 60) }));
  if (given.length > MAX.words || (NEEDS[kind].includes('words') && given.length === 0))
    throw unfit('words', because('risk_words_count', { max: MAX.words }));
  return given.flatMap((word) => toWord(kind, word) ?? []);
}

/** Creates a rule, or replaces one; it applies from now on. Errors: parameter_invalid, rule_not_found. */
export function setRule(ctx: BillingContext, given: GivenRule): Promise<RiskRule> {
  const { kind, outcome, onlyNew, enabled } = given;
  const counts = {
    amountMinor: countOf(given, 'amountMinor'),
    maxOrders: countOf(given, 'maxOrders'),
    hours: countOf(given, 'hours'),
    identityLevel: countOf(given, 'identityLevel'),
  };
  const words = wordsOf(given);
  return inTransaction(ctx, async (tx) => {
    if (given.id && !(await ruleWithId(tx.em, given.id))) throw fail('rule_not_found');
    const id = given.id ?? newId('risk', tx.clock);
    return saveRule(tx.em, { id, kind, outcome, onlyNew, enabled, ...counts, words, changedBy: accountOf(tx), changedAt: tx.clock.now() });
  });
}

/** Errors: rule_not_found. */
export const removeRule = (ctx: BillingContext, id: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    if ((await deleteRule(tx.em, id)) === 0) throw fail('rule_not_found');
    return true;
  });

/** Notes how well the identity behind an account was verified. Errors: account_not_found, parameter_invalid, own_account_refused. */
export function setIdentityLevel(
  ctx: BillingContext,
  given: { accountId: string; level: number; reference: string },
): Promise<IdentityLevel> {
  const { accountId, level } = given;
  refuseOwnAccount(ctx, accountId);
  if (!Number.isInteger(level) || level < 0 || level > MAX.identityLevel)
    throw unfit('level', because('number_out_of_range', { name: 'level', max: MAX.identityLevel }));
  const reference = checkReason(given.reference);
  return inTransaction(ctx, async (tx) => {
    await existingAccount(tx.em, accountId);
    await lockLevel(tx.em, accountId);
    const now = tx.clock.now();
    const row = await saveLevel(tx.em, { accountId, level, reference, setBy: accountOf(tx), setAt: now, decidedAt: now, expiresAt: null });
    await record(tx, { type: 'account.identity_set', accountId, subject: accountId, data: { level } });
    await tx.jobs.enqueue(tx.em, 'accounts.identity-release', { accountId });
    return row;
  });
}

export interface Decision {
  id: string;
  reason: string;
}

/** Releases an order that is held: it is delivered now. Errors: order_not_found, action_not_allowed, own_account_refused, parameter_invalid. */
export const releaseOrder = (ctx: BillingContext, decision: Decision): Promise<Order> =>
  decide(ctx, decision, 'RELEASED', async (tx, order) => {
    const subscription = order.subscriptionId ? await subscriptionWithId(tx.em, order.subscriptionId) : null;
    await announceOrder(tx, order, 'order.paid', paidData(order, subscription));
  });

/**
 * Refuses an order that is held: all of its money is paid back to what it came from. Errors: order_not_found, action_not_allowed, own_account_refused,
 * parameter_invalid.
 */
export const refuseOrder = (ctx: BillingContext, decision: Decision): Promise<Order> =>
  decide(ctx, decision, 'REFUSED', async (tx, order, reason) => {
    const amountMinor = await refundRest(tx, order, reason);
    const amount = formatMoney({ amountMinor, currency: order.currency });
    await postToOwner(tx, order.accountId, 'order_refused', {
      title: order.title,
      amount,
      url: `${tx.providers.publicUrl}/orders/${order.id}`,
    });
  });

/** Job: refuses an order because of what its payment has shown, unless somebody has decided about it meanwhile. */
export async function refuseByRule(ctx: BillingContext, { orderId: id }: { orderId: string }): Promise<void> {
  const review = await reviewOfOrder(ctx.em.fork(), id);
  if (review?.state === 'WAITING') await refuseOrder(ctx, { id, reason: 'A rule of the desk' });
}

function decide(
  ctx: BillingContext,
  { id, reason }: Decision,
  state: OrderReview['state'],
  act: (tx: BillingContext, order: Order, reason: string) => Promise<void>,
): Promise<Order> {
  const why = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const order = await lockOrder(tx.em, id);
    if (!order) throw fail('order_not_found');
    refuseOwnAccount(tx, order.accountId);
    const review = await lockReview(tx.em, id);
    if (review?.state !== 'WAITING' || order.status !== 'PAID') throw fail('action_not_allowed', { reason: because('order_not_held') });
    const decidedBy = tx.viewer.kind === 'session' ? tx.viewer.accountId : null;
    Object.assign(review, { state, decidedAt: tx.clock.now(), decidedBy, reason: why });
    await act(tx, order, why);
    await record(tx, { type: 'order.reviewed', accountId: order.accountId, subject: id, data: { released: state === 'RELEASED' } });
    return order;
  });
}
