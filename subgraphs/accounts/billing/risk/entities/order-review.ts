import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { RiskFinding } from '../domain/risk-rule.ts';

export const REVIEW_STATES = ['NOTED', 'WAITING', 'RELEASED', 'REFUSED'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** What rules have found about an order, and what a person has decided. */
export const OrderReview = defineEntity({
  name: 'OrderReview',
  tableName: 'order_review',
  properties: (p) => ({
    orderId: p.string().primary(),
    /** NOTED: the order is not paid yet; WAITING: it is paid, and held until a person decides. */
    state: p.string().$type<ReviewState>(),
    findings: p.json<RiskFinding[]>(),
    notedAt: p.datetime(),
    decidedAt: p.datetime().nullable(),
    decidedBy: p.string().nullable(),
    reason: p.string().nullable(),
  }),
});
export type OrderReview = InferEntity<typeof OrderReview>;

export const reviewOfOrder = (em: EntityManager, orderId: string): Promise<OrderReview | null> => em.findOne(OrderReview, { orderId });

/** The reviews of these orders; orders without one are missing. */
export const reviewsOfOrders = (em: EntityManager, orderIds: readonly string[]): Promise<OrderReview[]> =>
  em.find(OrderReview, { orderId: { $in: [...orderIds] } });

/** Locks a review until the end of the transaction. */
export const lockReview = (em: EntityManager, orderId: string): Promise<OrderReview | null> =>
  em.findOne(OrderReview, { orderId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

export const saveReview = (em: EntityManager, review: OrderReview): Promise<OrderReview> => em.upsert(OrderReview, review);

/** Ids of paid orders that wait for a decision, the oldest first. */
export async function ordersInReview(em: EntityManager, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customer_order join order_review on order_id = id where state = 'WAITING' and status = 'PAID' order by paid_at limit ${limit}`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}

/** The paid orders of an account that wait for a decision, the oldest first. */
export async function heldOfAccount(em: EntityManager, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customer_order join order_review on order_id = id
    where account_id = ${accountId} and state = 'WAITING' and status = 'PAID' order by paid_at`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** Counts paid orders that wait for a decision. */
export async function countInReview(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from customer_order join order_review on order_id = id where state = 'WAITING' and status = 'PAID'`.execute(
    em.getKysely(),
  );
  return rows[0]?.count ?? 0;
}
