// The table residential.plan: the entity for changes, and the named queries. Plans are read by prepared statements that use an index and include today's use.
import { LockMode, type InferEntity, defineEntity, p } from '@mikro-orm/core';
import { toDay } from '#platform/clock.ts';
import { type EntityManager, type PreparedStatement, runPrepared, runStatement } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { type Reading, pointRead } from '#platform/point-read.ts';
import type { HostsKept } from '../domain/hosts-kept.ts';
import type { LockedPlan, Plan, WatchedMarks } from '../domain/plan.ts';
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';

/** The columns that an owner's actions change; all others are written in SQL, by the ledger and by generation. */
export const PlanEntity = defineEntity({
  name: 'Plan',
  tableName: 'plan',
  properties: {
    id: p.string().primary(),
    accountId: p.string(),
    passwordSealed: p.blob(),
    passwordFingerprint: p.blob(),
    credentialEpoch: p.integer(),
    dailyLimitBytes: p.bigint().nullable(),
  },
});
export type PlanEntity = InferEntity<typeof PlanEntity>;

/** Locks a plan of the account until the transaction ends, so that limits, resets and reports of one plan happen one after another. Throws `plan_not_found`. */
export async function lockedPlan(em: EntityManager, accountId: string, id: string): Promise<PlanEntity> {
  const plan = await em.findOne(PlanEntity, { id, accountId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!plan) throw fail('plan_not_found');
  return plan;
}

/** The same for support, for a plan of any account. Throws `plan_not_found`. */
export async function lockedPlanOfAny(em: EntityManager, id: string): Promise<PlanEntity> {
  const plan = await em.findOne(PlanEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!plan) throw fail('plan_not_found');
  return plan;
}

/**
 * Locks plans, always in the order of their ids, to avoid deadlocks. The figures that it returns, and all that is read after it in the transaction, include
 * everything that others have done to these plans.
 */
export async function lockPlans(em: EntityManager, ids: readonly string[]): Promise<Map<string, LockedPlan>> {
  const rows = await runStatement<{
    id: string;
    total_bytes: string;
    up_bytes: string;
    down_bytes: string;
    created_at: string | Date;
    hosts_chosen: HostsKept | null;
  }>(
    em,
    `select id, total_bytes, up_bytes, down_bytes, created_at,
       (select c.hosts_kept from residential.host_choice c where c.account_id = plan.account_id) as hosts_chosen
     from residential.plan where id = any($1) order by id for no key update`,
    [ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        totalBytes: BigInt(row.total_bytes),
        usedBytes: BigInt(row.up_bytes) + BigInt(row.down_bytes),
        createdAt: new Date(row.created_at),
        hostsChosen: row.hosts_chosen,
      },
    ]),
  );
}

/** Counts that another address was asked for, so that nodes ask about the plan's sessions again. */
export async function countRenewal(em: EntityManager, id: string): Promise<void> {
  await runStatement(em, 'update residential.plan set session_renewals = session_renewals + 1 where id = $1', [id]);
}

interface PlanRow extends MarksRow {
  id: string;
  account_id: string;
  order_id: string;
  product: ProductCode;
  username: string;
  password_sealed: Buffer;
  credential_epoch: number;
  total_bytes: string;
  up_bytes: string;
  down_bytes: string;
  daily_limit_bytes: string | null;
  announced_status: PlanStatus;
  account_suspended: boolean;
  withdrawn: boolean;
  valid_until: string | Date | null;
  lapsed_bytes: string | null;
  session_stride: number;
  session_next: string;
  created_at: string | Date;
  bytes_by_second: (string | number)[];
  paced_bytes: number;
  rated_at: string | Date | null;
  used_since: string | Date | null;
  used_today: string;
}

/** The columns of a Plan; `$2` is the UTC day whose use is read. */
const COLUMNS = `p.id, p.account_id, p.order_id, p.product, p.username, p.password_sealed, p.credential_epoch, p.total_bytes, p.up_bytes, p.down_bytes,
  p.daily_limit_bytes, p.announced_status, p.account_suspended, p.withdrawn, p.valid_until, p.lapsed_bytes, p.told_percent, p.alert_percents, p.alert_left_bytes, p.told_left_bytes, p.top_up_left_bytes, p.session_stride, p.session_next, p.created_at, p.bytes_by_second, p.paced_bytes, p.rated_at, p.used_since,
  coalesce(d.up_bytes + d.down_bytes, 0) as used_today
  from residential.plan p left join residential.usage_day d on d.plan_id = p.id and d.day = $2`;
const OF_ACCOUNT = { name: 'plan_of_account', text: `select ${COLUMNS} where p.account_id = $1 order by p.created_at desc, p.id desc` };
const BY_IDS = { name: 'plan_by_ids', text: `select ${COLUMNS} where p.id = any($1)` };
const ANNOUNCED_PAUSED = {
  name: 'plan_announced_paused',
  text: `select ${COLUMNS} where p.announced_status = 'PAUSED' and p.id > $1 order by p.id limit $3`,
};

/** The columns of the marks that are checked when use changes. */
export interface MarksRow {
  told_percent: number;
  alert_percents: number[] | null;
  alert_left_bytes: (string | number)[];
  told_left_bytes: string | null;
  top_up_left_bytes: string | null;
}

export const toMarks = (row: MarksRow): WatchedMarks => ({
  notifiedPercent: row.told_percent,
  alertPercents: row.alert_percents,
  alertLeftBytes: row.alert_left_bytes.map(BigInt),
  notifiedLeftBytes: row.told_left_bytes === null ? null : BigInt(row.told_left_bytes),
  topUpLeftBytes: row.top_up_left_bytes === null ? null : BigInt(row.top_up_left_bytes),
});

const toPlan = (row: PlanRow, asOf: Date): Plan => ({
  id: row.id,
  accountId: row.account_id,
  orderId: row.order_id,
  product: row.product,
  username: row.username,
  passwordSealed: row.password_sealed,
  credentialEpoch: row.credential_epoch,
  totalBytes: BigInt(row.total_bytes),
  upBytes: BigInt(row.up_bytes),
  downBytes: BigInt(row.down_bytes),
  dailyLimitBytes: row.daily_limit_bytes === null ? null : BigInt(row.daily_limit_bytes),
  announcedStatus: row.announced_status,
  accountSuspended: row.account_suspended,
  withdrawn: row.withdrawn,
  validUntil: row.valid_until === null ? null : new Date(row.valid_until),
  lapsedBytes: row.lapsed_bytes === null ? null : BigInt(row.lapsed_bytes),
  ...toMarks(row),
  sessionStride: row.session_stride,
  sessionNext: Number(row.session_next),
  createdAt: new Date(row.created_at),
  bytesBySecond: row.bytes_by_second.map(Number),
  pacedBytes: row.paced_bytes,
  ratedAt: row.rated_at === null ? null : new Date(row.rated_at),
  usedSince: row.used_since === null ? null : new Date(row.used_since),
  usedTodayBytes: BigInt(row.used_today),
  asOf,
});

const read = async (em: EntityManager, statement: PreparedStatement, now: Date, key: unknown, ...more: unknown[]): Promise<Plan[]> =>
  (await runPrepared<PlanRow>(em, statement, [key, toDay(now), ...more])).map((row) => toPlan(row, now));

const planById = pointRead<PlanRow>(BY_IDS, ({ id }) => id);

/** The account's plan of this id, as it is now; undefined when there is none or it is another account's. */
export async function ownPlan(reading: Reading, accountId: string, id: string, now: Date): Promise<Plan | undefined> {
  const row = await planById(reading, id, toDay(now));
  return row?.account_id === accountId ? toPlan(row, now) : undefined;
}

/** Newest first. */
export const plansOfAccount = (em: EntityManager, accountId: string, now: Date): Promise<Plan[]> => read(em, OF_ACCOUNT, now, accountId);

/** In no order; unknown ids are left out. The caller must check the owner. */
export const plansById = (em: EntityManager, ids: readonly string[], now: Date): Promise<Plan[]> => read(em, BY_IDS, now, ids);

/** Plans last announced as paused, ordered by id, beginning after `afterId`. */
export const plansAnnouncedPaused = (em: EntityManager, afterId: string, limit: number, now: Date): Promise<Plan[]> =>
  read(em, ANNOUNCED_PAUSED, now, afterId, limit);

/** Stores for each plan the status that was announced last. */
export async function saveAnnounced(em: EntityManager, changes: readonly { id: string; status: PlanStatus }[]): Promise<void> {
  await runStatement(
    em,
    'update residential.plan p set announced_status = a.status from unnest($1::text[], $2::text[]) as a(id, status) where p.id = a.id',
    [changes.map(({ id }) => id), changes.map(({ status }) => status)],
  );
}

export interface NewPlan {
  id: string;
  accountId: string;
  orderId: string;
  product: ProductCode;
  username: string;
  passwordSealed: Buffer;
  passwordFingerprint: Buffer;
  totalBytes: bigint;
  sessionStride: number;
  sessionNext: number;
  createdAt: Date;
  /** Null: it is valid for ever. */
  validUntil: Date | null;
  /** The mark of its end that is reached already. */
  toldValidDays: number | null;
  accountSuspended: boolean;
}

/** Returns false when the order has its plan already. */
export async function insertPlan(em: EntityManager, plan: NewPlan): Promise<boolean> {
  const rows = await runStatement(
    em,
    `insert into residential.plan
       (id, account_id, order_id, product, username, password_sealed, password_fingerprint, total_bytes, session_stride, session_next, created_at, account_suspended, valid_until,
        told_valid_days)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict (order_id) do nothing returning id`,
    [
      plan.id,
      plan.accountId,
      plan.orderId,
      plan.product,
      plan.username,
      plan.passwordSealed,
      plan.passwordFingerprint,
      plan.totalBytes,
      plan.sessionStride,
      plan.sessionNext,
      plan.createdAt.toISOString(),
      plan.accountSuspended,
      plan.validUntil?.toISOString() ?? null,
      plan.toldValidDays,
    ],
  );
  return rows.length > 0;
}

export async function planIdOfOrder(em: EntityManager, orderId: string): Promise<string | undefined> {
  const [row] = await runStatement<{ id: string }>(em, 'select id from residential.plan where order_id = $1', [orderId]);
  return row?.id;
}

/** The plan that an order made, locked until the transaction ends. */
export async function lockPlanOfOrder(em: EntityManager, orderId: string): Promise<{ id: string; accountId: string } | undefined> {
  const [row] = await runStatement<{ id: string; account_id: string }>(
    em,
    'select id, account_id from residential.plan where order_id = $1 for update',
    [orderId],
  );
  return row && { id: row.id, accountId: row.account_id };
}

/** Marks every plan of an account, locked in the order of ids, as reports lock plans. A frozen plan stays suspended in any case. Nodes are notified of each plan. */
export async function markSuspended(em: EntityManager, accountId: string, suspended: boolean): Promise<void> {
  await runStatement(
    em,
    `update residential.plan set account_suspended = $2 or frozen where id in (
       select id from residential.plan where account_id = $1 and account_suspended <> ($2 or frozen) order by id for no key update)`,
    [accountId, suspended],
  );
}

/** Whether the event log has an `order.refunded` of this order. */
export const isOrderRefunded = async (em: EntityManager, orderId: string): Promise<boolean> =>
  (await runStatement(em, `select from platform.event where subject = $1 and type = 'order.refunded' limit 1`, [orderId])).length > 0;

/** Deletes a plan with which nothing was done yet; returns false when something was. */
export const deleteUntouched = async (em: EntityManager, id: string): Promise<boolean> =>
  (
    await runStatement(
      em,
      `delete from residential.plan p where p.id = $1 and p.up_bytes + p.down_bytes = 0 and p.lapsed_bytes is null
         and not exists (select from residential.lease where plan_id = p.id) and not exists (select from residential.proxy_batch where plan_id = p.id)
         and not exists (select from residential.old_password where plan_id = p.id)
         and not exists (select from residential.proxy_user where plan_id = p.id)
         and not exists (select from residential.top_up where plan_id = p.id) returning p.id`,
      [id],
    )
  ).length > 0;
