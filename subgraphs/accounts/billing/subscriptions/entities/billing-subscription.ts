import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import type { OfferLine, OfferTerms } from '#commerce/offers.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { LONG_MONTHS } from '../domain/dunning.ts';
import type { EndReason, SubscriptionStatus } from '../domain/subscription.ts';

export const BillingSubscription = defineEntity({
  name: 'BillingSubscription',
  tableName: 'billing_subscription',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    /** The purchase that started it. */
    orderId: p.string(),
    seller: p.string().$type<OfferTerms['seller']>(),
    title: p.string(),
    method: p.string().$type<PaymentMethod>(),
    status: p.string().$type<SubscriptionStatus>(),
    version: p.integer(),
    /** The lines for a whole period, before tax. */
    lines: p.json<OfferLine[]>(),
    /** The sum of the lines. */
    amountMinor: p.bigint('number'),
    currency: p.string(),
    interval: p.string().$type<'MONTH'>(),
    intervalCount: p.integer(),
    startedAt: p.datetime(),
    currentPeriodStart: p.datetime(),
    currentPeriodEnd: p.datetime(),
    /** When its first period began: periods end on that day of the month, at that time, or on the last day of a month that is too short. */
    anchorAt: p.datetime(),
    cancelAtPeriodEnd: p.boolean(),
    endedAt: p.datetime().nullable(),
    endReason: p.string().$type<EndReason>().nullable(),
    /** The renewal that waits for its payment. */
    renewalOrderId: p.string().nullable(),
    /** For that renewal: how many attempts failed, when the first did, and when the next is due. */
    failures: p.integer(),
    failedAt: p.datetime().nullable(),
    nextAttemptAt: p.datetime().nullable(),
    reminders: p.integer(),
    suspendedAt: p.datetime().nullable(),
    removalWarnedAt: p.datetime().nullable(),
    processorId: p.string().nullable(),
    /** The saved means that are charged for each period. */
    meansId: p.string().nullable().fieldName('card_id'),
    /** Means that were refused for good: while `meansId` is the same, nothing is charged. */
    refusedMeansId: p.string().nullable(),
    /** The end of the period about whose renewal the owner was told. */
    noticedFor: p.datetime().nullable(),
    /** Since when it is frozen because a payment for it is disputed: nothing is asked for, charged or removed meanwhile. */
    frozenAt: p.datetime().nullable(),
    /** The version that the processor knows; null: none, or an outdated one. */
    syncedVersion: p.integer().nullable(),
  }),
});
export type BillingSubscription = InferEntity<typeof BillingSubscription>;

export const subscriptionWithId = (em: EntityManager, id: string): Promise<BillingSubscription | null> =>
  em.findOne(BillingSubscription, { id });

/** The subscriptions of an account: running ones by their next renewal, then ended ones, the latest first. */
export const subscriptionsOfAccount = (em: EntityManager, accountId: string): Promise<BillingSubscription[]> =>
  em.find(
    BillingSubscription,
    { accountId },
    { orderBy: [{ endedAt: 'desc nulls first' }, { currentPeriodEnd: 'asc' }, { id: 'asc' }], limit: 200 },
  );

/** Locks the account's row (see `lockMoneyOf`), then the subscription's, and returns it as it is now. */
export async function lockSubscription(em: EntityManager, id: string): Promise<BillingSubscription | null> {
  await em.flush();
  await sql`select from account where id = (select account_id from billing_subscription where id = ${id}) for no key update`.execute(
    em.getKysely(),
  );
  return em.findOne(BillingSubscription, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** The ids of an account's subscriptions with an unpaid renewal, the one that has waited longest first. */
export const waitingRenewals = async (em: EntityManager, accountId: string): Promise<string[]> =>
  (
    await em.find(
      BillingSubscription,
      { accountId, renewalOrderId: { $ne: null } },
      { orderBy: { currentPeriodEnd: 'asc', id: 'asc' }, fields: ['id'] },
    )
  ).map(({ id }) => id);

/** Whether an account has a subscription that will be charged again. */
export const willBeCharged = async (em: EntityManager, accountId: string): Promise<boolean> =>
  (await em.count(BillingSubscription, {
    accountId,
    status: { $in: ['ACTIVE', 'PAST_DUE', 'UNPAID'] },
    cancelAtPeriodEnd: false,
  })) > 0;

/** Marks all subscriptions of an account as out of date at the processor. */
export const unsyncSubscriptions = (em: EntityManager, accountId: string): Promise<number> =>
  em.nativeUpdate(BillingSubscription, { accountId }, { syncedVersion: null });

export const subscriptionsWithIds = (em: EntityManager, ids: readonly string[]): Promise<BillingSubscription[]> =>
  em.find(BillingSubscription, { id: { $in: [...ids] } });

/** Whether a subscription of an account will be charged to these means again. */
export const renewsBy = async (em: EntityManager, accountId: string, meansId: string): Promise<boolean> =>
  (await em.count(BillingSubscription, { accountId, meansId, status: { $ne: 'CANCELED' }, cancelAtPeriodEnd: false })) > 0;

export const forgetMeans = (em: EntityManager, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(BillingSubscription, { accountId, meansId }, { meansId: null });

/** Gives the means to those of an account's subscriptions that are charged and have none; returns their ids. */
export async function giveMeans(em: EntityManager, accountId: string, meansId: string, methods: PaymentMethod[]): Promise<string[]> {
  const without = { accountId, meansId: null, method: { $in: methods }, status: { $ne: 'CANCELED' as const } };
  const found = await em.find(BillingSubscription, without, { fields: ['id'] });
  for (const { id } of found) await em.nativeUpdate(BillingSubscription, { id }, { meansId, syncedVersion: null });
  return found.map(({ id }) => id);
}

/** Forgets that these means were refused, after they have paid. */
export const forgetRefusal = (em: EntityManager, id: string, meansId: string): Promise<number> =>
  em.nativeUpdate(BillingSubscription, { id, refusedMeansId: meansId }, { refusedMeansId: null });

/** The id of the subscription that has this id at the processor. */
export const subscriptionIdAt = async (em: EntityManager, processorId: string): Promise<string | undefined> =>
  (await em.findOne(BillingSubscription, { processorId }, { fields: ['id'] }))?.id;

/**
 * Subscriptions with a step due at `now`, or that are out of date at the processor; by id. For `charged` methods the next period is due when it begins. For the
 * others it is asked for ahead: `askedBy` is the latest end of the periods whose renewal is placed now. For `charged` methods owners are told ahead:
 * `noticedBy`, and for long periods `longNoticedBy`. While the account is suspended or the subscription is frozen, only an end is due.
 */
export const subscriptionsToDo = (
  em: EntityManager,
  charged: PaymentMethod[],
  { now, askedBy, noticedBy, longNoticedBy }: { now: Date; askedBy: Date; noticedBy: Date; longNoticedBy: Date },
): AsyncGenerator<{ id: string; due: boolean; unsynced: boolean }> =>
  everyRow(async (cursor, limit) => {
    const { rows } = await sql<{ id: string; due: boolean; unsynced: boolean }>`
      select id, due, unsynced from (
        select id, synced_version is distinct from version as unsynced,
          status <> 'CANCELED' and (
            next_attempt_at <= ${now}::timestamptz or suspended_at is not null
            or current_period_end <= case when method = any(${charged}::text[]) then ${now}::timestamptz else ${askedBy}::timestamptz end
            or method = any(${charged}::text[]) and not cancel_at_period_end and noticed_for is distinct from current_period_end
              and current_period_end <= case when interval_count < ${LONG_MONTHS} then ${noticedBy}::timestamptz else ${longNoticedBy}::timestamptz end)
            and (cancel_at_period_end or frozen_at is null and not exists (select from account where account.id = account_id and suspended_at is not null)) as due
        from billing_subscription where id > ${cursor}) as subscription
      where due or unsynced order by id limit ${limit}`.execute(em.getKysely());
    return rows;
  });

/** The subscription with that id, if it belongs to that account. */
export const subscriptionOfOwner = (em: EntityManager, id: string, accountId: string): Promise<BillingSubscription | null> =>
  em.findOne(BillingSubscription, { id, accountId });

/** Notes that the processor has this version, unless the subscription has changed again. */
export async function markSynced(
  em: EntityManager,
  { id, version }: Pick<BillingSubscription, 'id' | 'version'>,
  known: { processorId: string | null },
): Promise<void> {
  await em.nativeUpdate(BillingSubscription, { id, version }, { ...known, syncedVersion: version });
}

/** Inserts one row at once. */
export async function insertSubscription(em: EntityManager, row: BillingSubscription): Promise<BillingSubscription> {
  const subscription = em.create(BillingSubscription, row);
  await em.flush();
  return subscription;
}
