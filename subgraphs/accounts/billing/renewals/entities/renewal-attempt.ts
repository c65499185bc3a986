import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** A failed attempt to collect a renewal, with the answer. Never changed. */
export const RenewalAttempt = defineEntity({
  name: 'RenewalAttempt',
  tableName: 'renewal_attempt',
  properties: (p) => ({
    id: p.string().primary(),
    subscriptionId: p.string(),
    orderId: p.string(),
    /** The owner asked for it, and waited for the answer. */
    attended: p.boolean(),
    meansId: p.string().nullable(),
    /** The reason as the owner reads it. */
    reason: p.string(),
    /** The processor's own codes. */
    declineCode: p.string().nullable(),
    adviceCode: p.string().nullable(),
    /** The means are not tried again. */
    isFinal: p.boolean(),
    attemptedAt: p.datetime(),
  }),
});
export type RenewalAttempt = InferEntity<typeof RenewalAttempt>;

export async function insertAttempt(em: EntityManager, attempt: RenewalAttempt): Promise<void> {
  await em.insert(RenewalAttempt, attempt);
}

/** The attempts of a subscription, newest first, at most 100. */
export const attemptsOfSubscription = (em: EntityManager, subscriptionId: string): Promise<RenewalAttempt[]> =>
  em.find(RenewalAttempt, { subscriptionId }, { orderBy: { id: 'desc' }, limit: 100 });

/** The attempts of one renewal, oldest first. */
export const attemptsOfOrder = (em: EntityManager, orderId: string): Promise<RenewalAttempt[]> =>
  em.find(RenewalAttempt, { orderId }, { orderBy: { id: 'asc' }, limit: 100 });
