// The table static.plan: the entity for changes, and plain reads for lists.
import { type InferEntity, LockMode, defineEntity, p } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { containing } from '#platform/search-words.ts';
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
    /** Its account is suspended, or its payment is disputed: its lines are closed, whatever its status. */
    accountSuspended: p.boolean(),
    username: p.string(),
    passwordSealed: p.blob(),
    /** Sealed passwords that were replaced, the latest first, hexadecimal. */
    oldPasswordsSealed: p.array().columnType('text[]'),
    billingVersion: p.integer(),
    periodStart: p.datetime().nullable(),
    periodEnd: p.datetime().nullable(),
    cancelAtPeriodEnd: p.boolean(),
    unitMinor: p.integer().nullable(),
    /** Sales has made its price: it is none of the catalogue. */
    customPrice: p.boolean(),
    allowedAddresses: p.array().columnType('text[]'),
    /** Its lines need their password and one of its networks. */
    networksAndPassword: p.boolean(),
    autoReplace: p.boolean(),
    deliverBy: p.datetime(),
    createdAt: p.datetime(),
    deliveredAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

export type StaticPlan = InferEntity<typeof StaticPlanEntity>;

/** The columns of a plan that the graph shows. */
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
  | 'networksAndPassword'
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
  unit_minor as "unitMinor", allowed_addresses as "allowedAddresses", networks_and_password as "networksAndPassword", auto_replace as "autoReplace", deliver_by as "deliverBy",
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
 * Locks a plan of any account and reads it as it is now; null when there is none. Pending changes of this unit of work are written first, since the read would
 * undo them.
 */
export async function lockPlan(
  em: EntityManager,
  where: { id: string } | { subscriptionId: string } | { orderId: string },
): Promise<StaticPlan | null> {
  await em.flush();
  return em.findOne(StaticPlanEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** The same for support, for a plan of any account. Throws `plan_not_found`. */
export async function lockPlanOfAny(em: EntityManager, id: string): Promise<StaticPlan> {
  const plan = await lockPlan(em, { id });
  if (!plan) throw fail('plan_not_found');
  return plan;
}

/** The same for the plan's owner. Throws `plan_not_found`. */
export async function lockPlanOf(em: EntityManager, accountId: string, id: string): Promise<StaticPlan> {
  const plan = await lockPlan(em, { id });
  if (!plan || plan.accountId !== accountId) throw fail('plan_not_found');
  return plan;
}

/**
 * Stores the plan of an order unless the order has one, and returns the plan that it has. When an order is handled twice at the same time, the second call
 * waits here for the first and finds its plan: by whichever unique index comes first, of the order or of the subscription, so no single one is named. Throws when
 * the subscription has the plan of another order.
 */
export async function storePlanOfOrder(em: EntityManager, plan: StaticPlan): Promise<StaticPlan> {
  await em.qb(StaticPlanEntity).insert(plan).onConflict().ignore().execute('run');
  return em.findOneOrFail(StaticPlanEntity, { orderId: plan.orderId }, { refresh: true });
}

/** The account's plan with this username, whatever its state. */
export const ownPlanByUsername = (em: EntityManager, accountId: string, username: string): Promise<StaticPlan | null> =>
  em.findOne(StaticPlanEntity, { accountId, username });

/** Whether a plan of any account has this username. */
export const isUsernameTaken = async (em: EntityManager, username: string): Promise<boolean> =>
  (await em.count(StaticPlanEntity, { username })) > 0;

/** Condition for plans with this id, or with this text in an address or a label. */
function found(search: string) {
  const part = containing(search);
  return sql`and (id = ${search} or exists (select from address where plan_id = plan.id and (host(ip) like ${part} or label ilike ${part})))`;
}

/** Whether a plan has just this address: 192.0.2.1 is a part of 192.0.2.10 too, which is not meant. */
const hasAddress = (search: string) => sql`exists (select from address where plan_id = plan.id and host(ip) = ${search})`;

/** One page of an account's plans of these products, newest first, a searched address before all, with the count of all of them. */
export async function pageOfAccount(
  em: EntityManager,
  {
    accountId,
    productIds,
    offset,
    limit,
    search,
    only,
  }: {
    accountId: string;
    productIds: string[];
    offset: number;
    limit: number;
    search?: string | undefined;
    /** Ids of plans; absent: all. */
    only?: readonly string[] | undefined;
  },
): Promise<{ rows: StaticPlanRow[]; total: number }> {
  const mine = sql`from plan where account_id = ${accountId} and product_id = any(${productIds}::text[])
    ${only ? sql`and id = any(${[...only]}::text[])` : sql``} ${search ? found(search) : sql``}`;
  const { rows } = await sql<StaticPlanRow & { total: number }>`
    select ${COLUMNS}, (count(*) over ())::int as total ${mine}
    order by ${search ? sql`${hasAddress(search)} desc,` : sql``} created_at desc, id desc limit ${limit} offset ${offset}`.execute(
    em.getKysely(),
  );
  const [first] = rows;
  if (first || offset === 0) return { rows: rows.map(({ total: _, ...row }) => toRow(row)), total: first?.total ?? 0 };
  // A page past the end has no row that could tell the count.
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

/**
 * Marks every plan of an account as suspended or not; a frozen plan stays suspended in any case. Rows are locked in the order of ids, and nodes are notified of
 * each. Returns the ids of the plans that changed.
 */
export async function markSuspended(em: EntityManager, accountId: string, suspended: boolean): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update plan set account_suspended = ${suspended} or frozen where id in (
      select id from plan where account_id = ${accountId} and account_suspended <> (${suspended} or frozen) order by id for update)
    returning id`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** Freezes the plan of an order, or lets it run again unless its account is suspended. Nodes are notified. Returns the plan's id, if anything changed. */
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

interface AtCataloguePrice {
  productId: string;
  /** Null: of everybody. */
  accountId: string | null;
  /** Plans that were made before this moment. */
  before: Date;
}

const atCataloguePrice = ({ productId, accountId, before }: AtCataloguePrice) => sql`
  from plan where product_id = ${productId} and account_id = coalesce(${accountId}, account_id) and not custom_price and status not in ('CANCELLED', 'EXPIRED') and created_at < ${before}::timestamptz`;

/** Ids after an id, ascending, of the plans of a product that have not ended, and whose price sales did not make. */
export async function idsOfCataloguePrice(
  em: EntityManager,
  { after, limit, ...plans }: AtCataloguePrice & { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id ${atCataloguePrice(plans)} and id > ${after} order by id limit ${limit}`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

export async function countOfCataloguePrice(em: EntityManager, plans: AtCataloguePrice): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count ${atCataloguePrice(plans)}`.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}
