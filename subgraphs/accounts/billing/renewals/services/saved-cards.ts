// The means that processors keep for an account to charge, mostly cards, and which of them pays what. Card numbers never come here.
import { randomUUID } from 'node:crypto';
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { lockMoneyOf } from '../../../identity/entities/account.ts';
import { checkSubscriptionAction } from '../../subscriptions/domain/subscription-action.ts';
import {
  type BillingSubscription,
  forgetMeans,
  lockSubscription,
  renewsBy,
  subscriptionOfOwner,
} from '../../subscriptions/entities/billing-subscription.ts';
import { customerOfAccount, forgetDefaultMeans, setDefaultMeans } from '../../payments/entities/processor-customer.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { chargedMethods, isCharged, keepsMeans, methodOf, savedMeansOf } from '../../payments/providers/payment-methods.ts';
import type { SavedMeans } from '../../payments/providers/saved-means.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { payRenewal } from './attempt-renewal.ts';
import { customerOf } from '../../payments/services/processor-customer.ts';
import { adoptMeans } from '../../subscriptions/services/saved-means.ts';
import { once } from '../../idempotency/services/idempotency.ts';
import { renewingOf } from '../../subscriptions/services/subscriptions.ts';

export interface SavedCard extends SavedMeans {
  /** The payment method that charges it. */
  method: PaymentMethod;
  /** Whether it is the default of its method, by which new subscriptions renew. */
  isDefault: boolean;
}

/** The saved means of an account by method, the default of each first. Errors: vendor_unavailable. */
export async function savedCards(ctx: SubscriptionsContext, accountId: string): Promise<SavedCard[]> {
  const saving = chargedMethods().filter((method) => keepsMeans(ctx.providers, method));
  return (await Promise.all(saving.map((method) => savedBy(ctx, method, accountId)))).flat();
}

async function savedBy(ctx: SubscriptionsContext, method: PaymentMethod, accountId: string): Promise<SavedCard[]> {
  const customer = await customerOfAccount(ctx.em.fork(), methodOf(method).processor, accountId);
  if (!customer) return [];
  const cards = await savedMeansOf(ctx.providers, method).list(customer.processorId);
  return cards
    .map((card) => ({ ...card, method, isDefault: card.id === customer.defaultMeansId }))
    .sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
}

/**
 * The account's saved means with this id, of `method` or of any method; only the processor of `method` is asked. Errors: card_not_found, vendor_unavailable.
 */
export async function ownCard(ctx: SubscriptionsContext, accountId: string, cardId: string, method?: PaymentMethod): Promise<SavedCard> {
  const saved = method ? await savedBy(ctx, method, accountId) : await savedCards(ctx, accountId);
  const card = saved.find(({ id }) => id === cardId);
  if (!card) throw fail('card_not_found');
  return card;
}

/** Opens the processor's page where a card, or means of another charged method, is added. Errors: action_not_allowed, vendor_unavailable. */
export async function addCard(ctx: SubscriptionsContext, method: PaymentMethod): Promise<{ url: string }> {
  if (!isCharged(method)) throw fail('action_not_allowed', { reason: because('nothing_saved_by_method') });
  const accountId = accountOf(ctx);
  const { processorId: customerId } = await customerOf(ctx, method, accountId);
  const page = `${ctx.providers.publicUrl}/billing?tab=methods`;
  const key = randomUUID();
  const request = { accountId, customerId, successUrl: `${page}&card=added&method=${method}`, cancelUrl: page, key };
  return { url: await savedMeansOf(ctx.providers, method).openPage(request) };
}

/**
 * Saves the means that were agreed to on such a page, for processors that do not save them by themselves; `returned`: what the page has added to the address.
 * Idempotent. Errors: card_not_found, vendor_unavailable.
 */
export async function finishCard(ctx: SubscriptionsContext, method: PaymentMethod, returned: string): Promise<SavedCard[]> {
  const accountId = accountOf(ctx);
  const customer = isCharged(method) ? await customerOfAccount(ctx.em.fork(), methodOf(method).processor, accountId) : null;
  const meansId = customer && (await savedMeansOf(ctx.providers, method).finish?.(customer.processorId, returned));
  if (!meansId) throw fail('card_not_found');
  await inTransaction(ctx, (tx) => adoptMeans(tx, method, accountId, meansId));
  return savedCards(ctx, accountId);
}

/** Errors: card_not_found, vendor_unavailable. */
export async function makeDefault(ctx: SubscriptionsContext, cardId: string): Promise<SavedCard[]> {
  const accountId = accountOf(ctx);
  const { method } = await ownCard(ctx, accountId, cardId);
  await inTransaction(ctx, async (tx) => {
    await lockMoneyOf(tx.em, accountId);
    await setDefaultMeans(tx.em, methodOf(method).processor, accountId, cardId);
    await adoptMeans(tx, method, accountId, cardId);
    await record(tx, { type: 'card.made_default', accountId, subject: cardId });
  });
  return savedCards(ctx, accountId);
}

/** Errors: card_not_found, action_not_allowed, vendor_unavailable. */
export async function removeCard(ctx: SubscriptionsContext, cardId: string): Promise<SavedCard[]> {
  const accountId = accountOf(ctx);
  const { lastFour, method } = await ownCard(ctx, accountId, cardId);
  if (await renewsBy(ctx.em, accountId, cardId)) throw fail('action_not_allowed', { reason: because('card_renews') });
  await savedMeansOf(ctx.providers, method).remove(cardId);
  await inTransaction(ctx, async (tx) => {
    await lockMoneyOf(tx.em, accountId);
    await forgetDefaultMeans(tx.em, accountId, cardId);
    await forgetMeans(tx.em, accountId, cardId);
    await record(tx, { type: 'card.removed', accountId, subject: cardId, data: { lastFour } });
  });
  return savedCards(ctx, accountId);
}

/** Errors: subscription_not_found, card_not_found, action_not_allowed, vendor_unavailable. */
export async function setCard(ctx: SubscriptionsContext, { id, cardId }: { id: string; cardId: string }): Promise<BillingSubscription> {
  const accountId = accountOf(ctx);
  const seen = await ownSubscription(ctx, id);
  checkSubscriptionAction('change_card', renewingOf(seen));
  const { lastFour } = await ownCard(ctx, accountId, cardId, seen.method);
  return inTransaction(ctx, async (tx) => {
    const subscription = await lockSubscription(tx.em, id);
    if (!subscription) throw fail('subscription_not_found');
    Object.assign(subscription, { meansId: cardId, syncedVersion: null });
    await tx.jobs.enqueue(tx.em, 'accounts.subscription-sync', { id }, { key: id });
    await record(tx, { type: 'subscription.card_changed', accountId, subject: id, data: { title: subscription.title, lastFour } });
    return subscription;
  });
}

/** Errors: subscription_not_found. */
export async function ownSubscription(ctx: SubscriptionsContext, id: string): Promise<BillingSubscription> {
  const subscription = await subscriptionOfOwner(ctx.em.fork(), id, accountOf(ctx));
  if (!subscription) throw fail('subscription_not_found');
  return subscription;
}

export interface PayNowInput {
  id: string;
  /** Absent: the means of the subscription. */
  cardId?: string | null;
  idempotencyKey: string;
}

/**
 * Charges the unpaid renewal of the caller's subscription now. Errors: subscription_not_found, card_not_found, action_not_allowed, payment_refused,
 * payment_needs_confirmation, vendor_unavailable.
 */
export function payNow(ctx: SubscriptionsContext, { idempotencyKey, ...input }: PayNowInput): Promise<BillingSubscription> {
  return once(ctx, { operation: 'subscriptionPayNow', key: idempotencyKey, request: input }, async (effect) => {
    const subscription = await ownSubscription(ctx, input.id);
    checkSubscriptionAction('pay_now', renewingOf(subscription));
    const cardId = input.cardId ?? subscription.meansId;
    if (!cardId) throw fail('card_not_found');
    await ownCard(ctx, accountOf(ctx), cardId, subscription.method);
    await payRenewal(ctx, subscription, { meansId: cardId, key: effect });
    return ownSubscription(ctx, input.id);
  });
}
