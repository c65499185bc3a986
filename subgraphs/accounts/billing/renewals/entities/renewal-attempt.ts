import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** An attempt to be paid for a renewal that failed, and what it was answered. Never changed. */
export const RenewalAttempt = defineEntity({
  name: 'RenewalAttempt',
  tableName: 'renewal_attempt',
  properties: (p) => ({
    id: p.string().primary(),
    subscriptionId: p.string(),
    orderId: p.string(),
    /** By the owner, who waited for the answer. */
    attended: p.boolean(),
    meansId: p.string().nullable(),
    /** As its owner reads it. */
    reason: p.string(),
    /** The processor's own codes. */
    declineCode: p.string().nullable(),
    adviceCode: p.string().nullable(),
    /** These means are not tried again. */
    isFinal: p.boolean(),
    attemptedAt: p.datetime(),
  }),
});
export type RenewalAttempt = InferEntity<typeof RenewalAttempt>;

export async function insertAttempt(em: EntityManager, attempt: RenewalAttempt): Promise<void> {
  await em.insert(RenewalAttempt, attempt);
}

/** Of a subscription, newest first, at most 100. */
export const attemptsOfSubscription = (em: EntityManager, subscriptionId: string): Promise<RenewalAttempt[]> =>
  em.find(RenewalAttempt, { subscriptionId }, { orderBy: { id: 'desc' }, limit: 100 });

/** Of one renewal, oldest first. */
export const attemptsOfOrder = (em: EntityManager, orderId: string): Promise<RenewalAttempt[]> =>
  em.find(RenewalAttempt, { orderId }, { orderBy: { id: 'asc' }, limit: 100 });
