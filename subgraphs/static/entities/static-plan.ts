// Table static.plan: the entity for changes, and plain reads for lists.
import { type InferEntity, defineEntity, p } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#shared/database.ts';
import type { StaticPlanStatus } from '../domain/static-plan-lifecycle.ts';

export const StaticPlanEntity = defineEntity({
  name: 'StaticPlan',
  tableName: 'plan',
  properties: {
    id: p.string().primary(),
    accountId: p.string(),
    orderId: p.string(),
    subscriptionId: p.string(),
    productId: p.string(),
    quantity: p.integer(),
    status: p.string().$type<StaticPlanStatus>(),
    username: p.string(),
    passwordSealed: p.blob(),
    createdAt: p.datetime(),
    deliveredAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

type StaticPlan = InferEntity<typeof StaticPlanEntity>;

/** What the graph shows of a plan. */
export type StaticPlanRow = Pick<
  StaticPlan,
  'id' | 'accountId' | 'subscriptionId' | 'productId' | 'quantity' | 'status' | 'username' | 'passwordSealed' | 'createdAt'
>;

const COLUMNS = sql`id, account_id as "accountId", subscription_id as "subscriptionId", product_id as "productId", quantity, status, username,
  password_sealed as "passwordSealed", created_at as "createdAt"`;

const toRow = (row: StaticPlanRow): StaticPlanRow => ({ ...row, createdAt: new Date(row.createdAt) });

/** One page of an account's plans of these products, newest first, with the count of all of them. */
export async function pageOfAccount(
  em: EntityManager,
  { accountId, productIds, offset, limit }: { accountId: string; productIds: string[]; offset: number; limit: number },
): Promise<{ rows: StaticPlanRow[]; total: number }> {
  const mine = sql`from plan where account_id = ${accountId} and product_id = any(${productIds}::text[])`;
  const { rows } = await sql<StaticPlanRow & { total: number }>`
    select ${COLUMNS}, (count(*) over ())::int as total ${mine}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(em.getKysely());
  const [first] = rows;
  if (first || offset === 0) return { rows: rows.map(({ total: _, ...row }) => toRow(row)), total: first?.total ?? 0 };
  // A page past the end has no row to carry the count.
  const counted = await sql<{ total: number }>`select count(*)::int as total ${mine}`.execute(em.getKysely());
  return { rows: [], total: counted.rows[0]?.total ?? 0 };
}

/** Every plan of an account, newest first. */
export async function plansOfAccount(em: EntityManager, accountId: string): Promise<StaticPlanRow[]> {
  const { rows } = await sql<StaticPlanRow>`
    select ${COLUMNS} from plan where account_id = ${accountId} order by created_at desc, id desc`.execute(em.getKysely());
  return rows.map(toRow);
}

export async function plansByIds(em: EntityManager, ids: readonly string[]): Promise<StaticPlanRow[]> {
  const { rows } = await sql<StaticPlanRow>`select ${COLUMNS} from plan where id = any(${ids}::text[])`.execute(em.getKysely());
  return rows.map(toRow);
}

/** Ids of paid plans without addresses, oldest first. */
export async function undeliveredPlanIds(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from plan where status = 'PENDING' order by created_at, id`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
