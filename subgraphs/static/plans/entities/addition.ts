// The table static.addition: orders that change the number of a plan's addresses. Bought addresses are recorded here until they are delivered.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface Addition {
  orderId: string;
  planId: string;
  quantity: number;
  holdId: string | null;
  deliverBy: Date;
}

/** Returns false when the order was stored before. */
export async function insertAddition(
  em: EntityManager,
  { orderId, planId, quantity, holdId, deliverBy }: Addition,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into addition (order_id, plan_id, quantity, hold_id, created_at, deliver_by)
    values (${orderId}, ${planId}, ${quantity}, ${holdId}, ${at}::timestamptz, ${deliverBy}::timestamptz)
    on conflict (order_id) do nothing returning order_id`.execute(em.getKysely());
  return rows.length > 0;
}

/** An addition that is neither delivered nor given up, locked. */
export async function lockAddition(em: EntityManager, orderId: string): Promise<Addition | undefined> {
  const { rows } = await sql<Addition>`
    select order_id as "orderId", plan_id as "planId", quantity, hold_id as "holdId", deliver_by as "deliverBy" from addition
    where order_id = ${orderId} and delivered_at is null and failed_at is null for update`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, deliverBy: new Date(row.deliverBy) }))[0];
}

export async function endAddition(em: EntityManager, orderId: string, outcome: 'delivered' | 'failed', at: Date): Promise<void> {
  await sql`update addition set ${sql.ref(`${outcome}_at`)} = ${at}::timestamptz where order_id = ${orderId}`.execute(em.getKysely());
}

/** Orders whose addresses are not delivered yet, oldest first. */
export async function undeliveredAdditions(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from addition where delivered_at is null and failed_at is null order by created_at`.execute(
    em.getKysely(),
  );
  return rows.map(({ orderId }) => orderId);
}

/** Those of these plans for which bought addresses are not delivered yet. */
export async function plansBeingChanged(em: EntityManager, planIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ planId: string }>`
    select distinct plan_id as "planId" from addition
    where plan_id = any(${[...planIds]}::text[]) and delivered_at is null and failed_at is null`.execute(em.getKysely());
  return new Set(rows.map(({ planId }) => planId));
}

/** Stores an order that removes addresses, which is done as soon as it is paid. Returns false when it was stored before. */
export async function noteRemoval(
  em: EntityManager,
  { orderId, planId, quantity }: Pick<Addition, 'orderId' | 'planId' | 'quantity'>,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into addition (order_id, plan_id, quantity, created_at, deliver_by, delivered_at)
    values (${orderId}, ${planId}, ${-quantity}, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz)
    on conflict (order_id) do nothing returning order_id`.execute(em.getKysely());
  return rows.length > 0;
}
