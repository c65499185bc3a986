// Table static.plan: the entity for changes, and plain reads for lists.
import { type InferEntity, LockMode, defineEntity, p } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
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
    /** Support has suspended its account: its lines are closed, whatever its status. */
    accountSuspended: p.boolean(),
    username: p.string(),
    passwordSealed: p.blob(),
    /** Of before changes, the latest first, hexadecimal. */
    oldPasswordsSealed: p.array().columnType('text[]'),
    billingVersion: p.integer(),
    periodStart: p.datetime().nullable(),
    periodEnd: p.datetime().nullable(),
    cancelAtPeriodEnd: p.boolean(),
    unitMinor: p.integer().nullable(),
    allowedAddresses: p.array().columnType('text[]'),
    autoReplace: p.boolean(),
    deliverBy: p.datetime(),
    createdAt: p.datetime(),
    deliveredAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

export type StaticPlan = InferEntity<typeof StaticPlanEntity>;

/** What the graph shows of a plan. */
export interface StaticPlanRow extends Pick<
  StaticPlan,
  | 'id'
  | 'accountId'
  | 'subscriptionId'
  | 'productId'
  | 'quantity'
  | 'status'
  | 'username'
  | 'passwordSealed'
  | 'billingVersion'
  | 'cancelAtPeriodEnd'
  | 'allowedAddresses'
  | 'autoReplace'
  | 'deliverBy'
  | 'createdAt'
> {
  periodStart: Date | null;
  periodEnd: Date | null;
  unitMinor: number | null;
}

const COLUMNS = sql`id, account_id as "accountId", subscription_id as "subscriptionId", product_id as "productId", quantity, status, username,
  password_sealed as "passwordSealed", billing_version as "billingVersion", period_start as "periodStart", period_end as "periodEnd", cancel_at_period_end as "cancelAtPeriodEnd",
  unit_minor as "unitMinor", allowed_addresses as "allowedAddresses", auto_replace as "autoReplace", deliver_by as "deliverBy",
  created_at as "createdAt"`;

const toInstant = (value: Date | null): Date | null => value && new Date(value);
const toRow = (row: StaticPlanRow): StaticPlanRow => ({
  ...row,
  periodStart: toInstant(row.periodStart),
  periodEnd: toInstant(row.periodEnd),
  deliverBy: new Date(row.deliverBy),
  createdAt: new Date(row.createdAt),
});

/**
 * A plan under its lock, whoever's, as it is now; null when there is none. What this unit of work has changed is written first, or the fresh row
 * would undo it.
 */
export async function lockPlan(
  em: EntityManager,
  where: { id: string } | { subscriptionId: string } | { orderId: string },
): Promise<StaticPlan | null> {
  await em.flush();
  return em.findOne(StaticPlanEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** The same for support, whoever's it is. Throws `plan_not_found`. */
export async function lockPlanOfAny(em: EntityManager, id: string): Promise<StaticPlan> {
  const plan = await lockPlan(em, { id });
  if (!plan) throw fail('plan_not_found');
  return plan;
}

/** The same for its owner. Throws `plan_not_found`. */
export async function lockPlanOf(em: EntityManager, accountId: string, id: string): Promise<StaticPlan> {
  const plan = await lockPlan(em, { id });
  if (!plan || plan.accountId !== accountId) throw fail('plan_not_found');
  return plan;
}

/**
 * Stores the plan of an order unless it has one, and gives the one that it has. Two announcements of one order at the same time: the second waits
 * here for the first, and then finds its plan.
 */
export async function storePlanOfOrder(em: EntityManager, plan: StaticPlan): Promise<StaticPlan> {
  await em.upsert(StaticPlanEntity, plan, { onConflictFields: ['orderId'], onConflictAction: 'ignore' });
  return em.findOneOrFail(StaticPlanEntity, { orderId: plan.orderId }, { refresh: true });
}

/** Whether any plan, of whomever, has the username. */
export const isUsernameTaken = async (em: EntityManager, username: string): Promise<boolean> =>
  (await em.count(StaticPlanEntity, { username })) > 0;

/** Part of an address or a label, or the plan's id. */
function found(search: string) {
  const part = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql`and (id = ${search} or exists (select from address where plan_id = plan.id and (host(ip) like ${part} or label ilike ${part})))`;
}

/** One page of an account's plans of these products, newest first, with the count of all of them. */
export async function pageOfAccount(
  em: EntityManager,
  {
    accountId,
    productIds,
    offset,
    limit,
    search,
  }: { accountId: string; productIds: string[]; offset: number; limit: number; search?: string | undefined },
): Promise<{ rows: StaticPlanRow[]; total: number }> {
  const mine = sql`from plan where account_id = ${accountId} and product_id = any(${productIds}::text[]) ${search ? found(search) : sql``}`;
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

/** Marks every plan of an account, in the order of ids; nodes hear of each. What is frozen stands still all the same. The ids of those that are marked otherwise than before. */
export async function markSuspended(em: EntityManager, accountId: string, suspended: boolean): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update plan set account_suspended = ${suspended} or frozen where id in (
      select id from plan where account_id = ${accountId} and account_suspended <> (${suspended} or frozen) order by id for update)
    returning id`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** The plan of an order stands still, or goes on unless its account is suspended; nodes hear of it. Its id, where that is news. */
export async function markFrozen(em: EntityManager, orderId: string, frozen: boolean): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`update plan set frozen = ${frozen},
      account_suspended = ${frozen} or exists (select from suspended_account s where s.account_id = plan.account_id)
    where order_id = ${orderId} and frozen <> ${frozen} returning id`.execute(em.getKysely());
  return rows[0]?.id;
}

/** Ids of paid plans without addresses, oldest first. */
export async function undeliveredPlanIds(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from plan where status = 'PENDING' order by created_at, id`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
