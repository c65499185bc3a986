// The tables residential.lease and residential.lease_part, in set-based statements: an exchange with hundreds of leases takes a few round trips. Every change
// of a lease is made under the lock of its plan.
import { type EntityManager, runStatement } from '#platform/database.ts';

export interface LeaseRow {
  id: string;
  planId: string;
  /** Null: a lease of the plan itself, not of a proxy user. */
  userId: string | null;
  /** YYYY-MM-DD. */
  day: string;
  epoch: number;
  grantedBytes: bigint;
  settledBytes: bigint;
  open: boolean;
}

export interface LeasePartRow {
  leaseId: string;
  country: string;
  session: string | null;
  host: string;
  client: string;
  upBytes: bigint;
  downBytes: bigint;
}

/** The plans of those of these leases that the node holds; leases of other nodes are ignored. */
export const plansOfLeases = async (em: EntityManager, edgeId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await runStatement<{ plan_id: string }>(
      em,
      'select distinct plan_id from residential.lease where id = any($1::bigint[]) and edge_id = $2',
      [ids, edgeId],
    )
  ).map((row) => row.plan_id);

export async function leasesOf(em: EntityManager, edgeId: string, ids: readonly string[]): Promise<Map<string, LeaseRow>> {
  const rows = await runStatement<{
    id: string;
    plan_id: string;
    user_id: string | null;
    day: string;
    credential_epoch: number;
    granted_bytes: string;
    settled_bytes: string;
    open: boolean;
  }>(
    em,
    `select id, plan_id, user_id, to_char(day, 'YYYY-MM-DD') as day, credential_epoch, granted_bytes, settled_bytes, open
     from residential.lease where id = any($1::bigint[]) and edge_id = $2`,
    [ids, edgeId],
  );
  return new Map(
    rows.map((row) => [
      String(row.id),
      {
        id: String(row.id),
        planId: row.plan_id,
        userId: row.user_id,
        day: row.day,
        epoch: row.credential_epoch,
        open: row.open,
        grantedBytes: BigInt(row.granted_bytes),
        settledBytes: BigInt(row.settled_bytes),
      },
    ]),
  );
}

export async function partsOf(em: EntityManager, leaseIds: readonly string[]): Promise<LeasePartRow[]> {
  const rows = await runStatement<{
    lease_id: string;
    country: string;
    session: string;
    host: string;
    client: string;
    up_bytes: string;
    down_bytes: string;
  }>(
    em,
    'select lease_id, country, session, host, client, up_bytes, down_bytes from residential.lease_part where lease_id = any($1::bigint[])',
    [leaseIds],
  );
  return rows.map((row) => ({
    leaseId: String(row.lease_id),
    country: row.country,
    session: row.session || null,
    host: row.host,
    client: row.client,
    upBytes: BigInt(row.up_bytes),
    downBytes: BigInt(row.down_bytes),
  }));
}

/** Sets the counters of parts; each (lease, part) may occur once. */
export async function saveParts(em: EntityManager, parts: readonly LeasePartRow[]): Promise<void> {
  if (parts.length === 0) return;
  await runStatement(
    em,
    `insert into residential.lease_part (lease_id, country, session, host, client, up_bytes, down_bytes)
     select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
     on conflict (lease_id, country, session, host, client) do update set up_bytes = excluded.up_bytes, down_bytes = excluded.down_bytes`,
    [
      parts.map(({ leaseId }) => leaseId),
      parts.map(({ country }) => country),
      parts.map(({ session }) => session ?? ''),
      parts.map(({ host }) => host),
      parts.map(({ client }) => client),
      parts.map(({ upBytes }) => String(upBytes)),
      parts.map(({ downBytes }) => String(downBytes)),
    ],
  );
}

export interface LeaseChange {
  id: string;
  settledBytes: bigint;
  open: boolean;
  /** Null: unchanged. */
  expiresAt: Date | null;
}

export async function saveLeases(em: EntityManager, changes: readonly LeaseChange[]): Promise<void> {
  if (changes.length === 0) return;
  await runStatement(
    em,
    `update residential.lease l set settled_bytes = c.settled, open = c.open, expires_at = coalesce(c.expires_at, l.expires_at)
     from unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::timestamptz[]) as c(id, settled, open, expires_at) where l.id = c.id`,
    [
      changes.map(({ id }) => id),
      changes.map(({ settledBytes }) => String(settledBytes)),
      changes.map(({ open }) => open),
      changes.map(({ expiresAt }) => expiresAt?.toISOString() ?? null),
    ],
  );
}

/** Unspent bytes of open leases per plan: of all days, and of `today`. */
export async function leasedBytes(
  em: EntityManager,
  planIds: readonly string[],
  today: string,
): Promise<Map<string, { all: bigint; today: bigint }>> {
  const rows = await runStatement<{ plan_id: string; all_days: string; today: string }>(
    em,
    `select plan_id, sum(granted_bytes - settled_bytes)::bigint as all_days, coalesce(sum(granted_bytes - settled_bytes) filter (where day = $2::date), 0)::bigint as today
     from residential.lease where plan_id = any($1) and open group by plan_id`,
    [planIds, today],
  );
  return new Map(rows.map((row) => [row.plan_id, { all: BigInt(row.all_days), today: BigInt(row.today) }]));
}

/** Unspent bytes of open leases per user: of all days, of the month of `today`, and of `today`. */
export async function leasedToUsers(
  em: EntityManager,
  userIds: readonly string[],
  today: string,
): Promise<Map<string, { all: bigint; month: bigint; today: bigint }>> {
  const rows = await runStatement<{ user_id: string; all_days: string; month: string; today: string }>(
    em,
    `select user_id, sum(granted_bytes - settled_bytes)::bigint as all_days,
       coalesce(sum(granted_bytes - settled_bytes) filter (where day >= date_trunc('month', $2::date)), 0)::bigint as month,
       coalesce(sum(granted_bytes - settled_bytes) filter (where day = $2::date), 0)::bigint as today
     from residential.lease where user_id = any($1) and open group by user_id`,
    [userIds, today],
  );
  return new Map(rows.map((row) => [row.user_id, { all: BigInt(row.all_days), month: BigInt(row.month), today: BigInt(row.today) }]));
}

/** The unspent bytes that a node holds for users of each plan. */
export async function heldForUsers(em: EntityManager, edgeId: string, planIds: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await runStatement<{ plan_id: string; held: string }>(
    em,
    `select plan_id, sum(granted_bytes - settled_bytes)::bigint as held from residential.lease
     where plan_id = any($1) and open and user_id is not null and edge_id = $2 group by plan_id`,
    [planIds, edgeId],
  );
  return new Map(rows.map((row) => [row.plan_id, BigInt(row.held)]));
}

export interface NewLease {
  planId: string;
  userId: string | null;
  epoch: number;
  grantedBytes: bigint;
  expiresAt: Date;
}

/** Returns the ids in the order of the leases. */
export async function insertLeases(em: EntityManager, edgeId: string, day: string, leases: readonly NewLease[]): Promise<string[]> {
  if (leases.length === 0) return [];
  const rows = await runStatement<{ id: string }>(
    em,
    `insert into residential.lease (plan_id, edge_id, day, credential_epoch, granted_bytes, expires_at, user_id)
     select plan_id, $1, $2::date, epoch, granted, expires_at, user_id
     from unnest($3::text[], $4::int[], $5::bigint[], $6::text[], $7::timestamptz[]) with ordinality as n(plan_id, epoch, granted, user_id, expires_at, position) order by position returning id`,
    [
      edgeId,
      day,
      leases.map(({ planId }) => planId),
      leases.map(({ epoch }) => epoch),
      leases.map(({ grantedBytes }) => String(grantedBytes)),
      leases.map(({ userId }) => userId),
      leases.map(({ expiresAt }) => expiresAt.toISOString()),
    ],
  );
  return rows.map(({ id }) => String(id)).sort((a, b) => Number(BigInt(a) - BigInt(b)));
}

/** The channel of changes of plans, which nodes follow. The trigger of migration 0006 notifies it too. */
export const PLAN_CHANNEL = 'egress_plan_change';

/** Asks all nodes to give back the bytes of these plans that they hold and do not need. */
export async function recallLeases(em: EntityManager, plans: readonly { planId: string; epoch: number }[]): Promise<void> {
  if (plans.length === 0) return;
  await runStatement(em, 'select pg_notify($1, payload) from unnest($2::text[]) as payload', [
    PLAN_CHANNEL,
    plans.map(({ planId, epoch }) => JSON.stringify({ planId, epoch })),
  ]);
}

/** Open leases that ended before `moment`, with their plans. */
export const lostLeases = async (em: EntityManager, moment: Date, limit: number): Promise<{ id: string; planId: string }[]> =>
  (
    await runStatement<{ id: string; plan_id: string }>(
      em,
      'select id, plan_id from residential.lease where open and expires_at < $1 order by expires_at limit $2',
      [moment.toISOString(), limit],
    )
  ).map((row) => ({ id: String(row.id), planId: row.plan_id }));

/** Closes those of the leases that are still open and ended before `moment`. */
export const closeLost = (em: EntityManager, ids: readonly string[], moment: Date): Promise<unknown> =>
  runStatement(em, 'update residential.lease set open = false where id = any($1::bigint[]) and open and expires_at < $2', [
    ids,
    moment.toISOString(),
  ]);

/** Deletes closed leases that ended before `moment`, at most `limit`. Returns how many. */
export const forgetLeases = async (em: EntityManager, moment: Date, limit: number): Promise<number> =>
  (
    await runStatement<{ id: string }>(
      em,
      'delete from residential.lease where id in (select id from residential.lease where not open and expires_at < $1 order by expires_at limit $2) returning id',
      [moment.toISOString(), limit],
    )
  ).length;
