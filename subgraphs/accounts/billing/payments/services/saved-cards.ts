// Cards that the processor keeps for an account, and which of them pays what. Numbers of cards never come here.
import { randomUUID } from 'node:crypto';
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { checkSubscriptionAction } from '../../subscriptions/domain/subscription-action.ts';
import {
  type BillingSubscription,
  forgetMeans,
  lockSubscription,
  renewsBy,
  subscriptionOfOwner,
} from '../../subscriptions/entities/billing-subscription.ts';
import { customerOfAccount, forgetDefaultMeans, setDefaultMeans } from '../entities/processor-customer.ts';
import { savedMeansOf } from '../providers/payment-methods.ts';
import type { SavedMeans } from '../providers/saved-means.ts';
import type { Context } from '../../../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { payRenewal } from '../../subscriptions/services/attempt-renewal.ts';
import { adoptMeans, customerOf } from './processor-customer.ts';
import { once } from '../../orders/services/idempotency.ts';
import { renewingOf } from '../../subscriptions/services/subscriptions.ts';

export interface SavedCard extends SavedMeans {
  isDefault: boolean;
}

/** The default card first. Errors: vendor_unavailable. */
export async function savedCards(ctx: Context, accountId: string): Promise<SavedCard[]> {
  const customer = await customerOfAccount(ctx.em.fork(), accountId);
  if (!customer) return [];
  const cards = await savedMeansOf(ctx.providers).list(customer.processorId);
  return cards
    .map((card) => ({ ...card, isDefault: card.id === customer.defaultMeansId }))
    .sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
}

async function ownCard(ctx: Context, accountId: string, cardId: string): Promise<SavedCard> {
  const card = (await savedCards(ctx, accountId)).find(({ id }) => id === cardId);
  if (!card) throw fail('card_not_found');
  return card;
}

/** The processor's page where a card is added. Errors: vendor_unavailable. */
export async function addCard(ctx: Context): Promise<{ url: string }> {
  const accountId = accountOf(ctx);
  const { processorId: customerId } = await customerOf(ctx, accountId);
  const page = `${ctx.providers.publicUrl}/billing?tab=methods`;
  const key = randomUUID();
  const request = { accountId, customerId, successUrl: `${page}&card=added`, cancelUrl: page, key };
  return { url: await savedMeansOf(ctx.providers).openPage(request) };
}

/** Errors: card_not_found, vendor_unavailable. */
export async function makeDefault(ctx: Context, cardId: string): Promise<SavedCard[]> {
  const accountId = accountOf(ctx);
  await ownCard(ctx, accountId, cardId);
  await inTransaction(ctx, async (tx) => {
    await setDefaultMeans(tx.em, accountId, cardId);
    await adoptMeans(tx, accountId, cardId);
    await record(tx, { type: 'card.made_default', accountId, subject: cardId });
  });
  return savedCards(ctx, accountId);
}

/** Errors: card_not_found, action_not_allowed, vendor_unavailable. */
export async function removeCard(ctx: Context, cardId: string): Promise<SavedCard[]> {
  const accountId = accountOf(ctx);
  const { lastFour } = await ownCard(ctx, accountId, cardId);
  if (await renewsBy(ctx.em, accountId, cardId)) throw fail('action_not_allowed', { reason: because('card_renews') });
  await savedMeansOf(ctx.providers).remove(cardId);
  await inTransaction(ctx, async (tx) => {
    await forgetDefaultMeans(tx.em, accountId, cardId);
    await forgetMeans(tx.em, accountId, cardId);
    await record(tx, { type: 'card.removed', accountId, subject: cardId, data: { lastFour } });
  });
  return savedCards(ctx, accountId);
}

/** Errors: subscription_not_found, card_not_found, action_not_allowed, vendor_unavailable. */
export async function setCard(ctx: Context, { id, cardId }: { id: string; cardId: string }): Promise<BillingSubscription> {
  const accountId = accountOf(ctx);
  checkSubscriptionAction('change_card', renewingOf(await ownSubscription(ctx, id)));
  const { lastFour } = await ownCard(ctx, accountId, cardId);
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
async function ownSubscription(ctx: Context, id: string): Promise<BillingSubscription> {
  const subscription = await subscriptionOfOwner(ctx.em.fork(), id, accountOf(ctx));
  if (!subscription) throw fail('subscription_not_found');
  return subscription;
}

export interface PayNowInput {
  id: string;
  /** Absent: the card that is set. */
  cardId?: string | null;
  idempotencyKey: string;
}

/**
 * Charges what is owed, now. Errors: subscription_not_found, card_not_found, action_not_allowed, payment_refused, payment_needs_confirmation,
 * vendor_unavailable.
 */
export function payNow(ctx: Context, { idempotencyKey, ...input }: PayNowInput): Promise<BillingSubscription> {
  return once(ctx, { operation: 'subscriptionPayNow', key: idempotencyKey, request: input }, async (effect) => {
    const subscription = await ownSubscription(ctx, input.id);
    checkSubscriptionAction('pay_now', renewingOf(subscription));
    const cardId = input.cardId ?? subscription.meansId;
    if (!cardId) throw fail('card_not_found');
    await ownCard(ctx, accountOf(ctx), cardId);
    await payRenewal(ctx, subscription, { meansId: cardId, key: effect });
    return ownSubscription(ctx, input.id);
  });
}
