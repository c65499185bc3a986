// The tables residential.proxy_user and proxy_user_day. Every change of a user, and every count of its bytes, is made under the lock of its plan.
import { toDay } from '#platform/clock.ts';
import { type EntityManager, type PreparedStatement, runPrepared, runStatement } from '#platform/database.ts';
import { type Reading, pointRead } from '#platform/point-read.ts';
import type { LineRules } from '../../../../edge/protocol/control-plane.ts';
import type { ProxyUser } from '../domain/proxy-user.ts';
import type { UserTerms } from '../domain/user-terms.ts';

interface Row {
  id: string;
  plan_id: string;
  account_id: string;
  name: string;
  username: string;
  password_sealed: Buffer;
  password_fingerprint: Buffer;
  credential_epoch: number;
  paused: boolean;
  daily_limit_bytes: string | null;
  monthly_limit_bytes: string | null;
  total_limit_bytes: string | null;
  counted_from_bytes: string;
  up_bytes: string;
  down_bytes: string;
  used_today: string;
  used_month: string;
  used_at: string | Date | null;
  rules: LineRules;
  page_made_at: string | Date | null;
  created_at: string | Date;
  removed_at: string | Date | null;
}

const bytesOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
const dateOf = (at: string | Date | null): Date | null => (at === null ? null : new Date(at));

const toUser = (row: Row, asOf: Date): ProxyUser => ({
  id: row.id,
  planId: row.plan_id,
  accountId: row.account_id,
  name: row.name,
  username: row.username,
  passwordSealed: row.password_sealed,
  passwordFingerprint: row.password_fingerprint,
  credentialEpoch: row.credential_epoch,
  paused: row.paused,
  limits: { daily: bytesOf(row.daily_limit_bytes), monthly: bytesOf(row.monthly_limit_bytes), total: bytesOf(row.total_limit_bytes) },
  countedFromBytes: BigInt(row.counted_from_bytes),
  upBytes: BigInt(row.up_bytes),
  downBytes: BigInt(row.down_bytes),
  usedTodayBytes: BigInt(row.used_today),
  usedMonthBytes: BigInt(row.used_month),
  usedAt: dateOf(row.used_at),
  rules: row.rules,
  pageMadeAt: dateOf(row.page_made_at),
  createdAt: new Date(row.created_at),
  removedAt: dateOf(row.removed_at),
  asOf,
});

/** `$2` is the UTC day whose use, and the use of whose month, is read. */
const SELECT = `select u.id, u.plan_id, u.account_id, u.name, u.username, u.password_sealed, u.password_fingerprint, u.credential_epoch, u.paused,
  u.daily_limit_bytes, u.monthly_limit_bytes, u.total_limit_bytes, u.counted_from_bytes, u.up_bytes, u.down_bytes, u.used_at, u.rules, u.page_made_at,
  u.created_at, u.removed_at, coalesce(d.today, 0) as used_today, coalesce(d.month, 0) as used_month
  from residential.proxy_user u left join lateral (
    select sum(up_bytes + down_bytes) filter (where day = $2::date)::bigint as today, sum(up_bytes + down_bytes)::bigint as month
    from residential.proxy_user_day where user_id = u.id and day between date_trunc('month', $2::date)::date and $2::date
  ) d on true`;
const BY_IDS = { name: 'proxy_users_by_ids', text: `${SELECT} where u.id = any($1)` };
const BY_PAGE = { name: 'proxy_user_by_page', text: `${SELECT} where u.page_hash = $1 and u.removed_at is null` };
const NAMED = `u.removed_at is null and ($3 = '' or strpos(lower(u.name), $3) > 0 or strpos(u.username, $3) > 0)`;
const MATCHING = `u.plan_id = $1 and ${NAMED}`;
const OF_ACCOUNT = {
  name: 'proxy_users_of_account',
  text: `${SELECT} where u.plan_id in (select id from residential.plan where account_id = $1) and ${NAMED} order by u.created_at desc, u.id desc limit $4`,
};
const OF_PLAN = {
  name: 'proxy_users_of_plan',
  text: `${SELECT} where ${MATCHING} order by u.created_at desc, u.id desc limit $4 offset $5`,
};
const COUNT = {
  name: 'proxy_users_count',
  text: `select count(*)::int as users from residential.proxy_user u where ${MATCHING.replaceAll('$3', '$2')}`,
};

const read = async (em: EntityManager, statement: PreparedStatement, now: Date, key: unknown, ...more: unknown[]): Promise<ProxyUser[]> =>
  (await runPrepared<Row>(em, statement, [key, toDay(now), ...more])).map((row) => toUser(row, now));

const readByUsername = pointRead<Row>(
  { name: 'proxy_user_by_username', text: `${SELECT} where u.username = any($1::text[]) and u.removed_at is null` },
  ({ username }) => username,
);

/** The user with this username; undefined when there is none or it was removed. Reads of several callers are put into one statement. */
export async function proxyUserByUsername(reading: Reading, username: string, now: Date): Promise<ProxyUser | undefined> {
  const row = await readByUsername(reading, username, toDay(now));
  return row && toUser(row, now);
}

/** In no order, with removed users; unknown ids are left out. The caller must check the owner. */
export const proxyUsersById = (em: EntityManager, ids: readonly string[], now: Date): Promise<ProxyUser[]> => read(em, BY_IDS, now, ids);

export const proxyUserByPage = async (em: EntityManager, pageHash: string, now: Date): Promise<ProxyUser | undefined> =>
  (await read(em, BY_PAGE, now, pageHash))[0];

/** Users of a plan whose name or username contains `words`, given in lower case, newest first; '' finds all. */
export const proxyUsersOfPlan = (
  em: EntityManager,
  planId: string,
  words: string,
  { limit, offset }: { limit: number; offset: number },
  now: Date,
): Promise<ProxyUser[]> => read(em, OF_PLAN, now, planId, words, limit, offset);

/** The same of all plans of an account. */
export const proxyUsersOfAccount = (em: EntityManager, accountId: string, words: string, limit: number, now: Date): Promise<ProxyUser[]> =>
  read(em, OF_ACCOUNT, now, accountId, words, limit);

export const countProxyUsers = async (em: EntityManager, planId: string, words = ''): Promise<number> =>
  (await runPrepared<{ users: number }>(em, COUNT, [planId, words]))[0]?.users ?? 0;

/** The values of the limit columns, in the order that the statements below use. */
const limitColumns = ({ daily, monthly, total }: UserTerms['limits']): (string | null)[] =>
  [daily, monthly, total].map((bytes) => bytes?.toString() ?? null);

export interface NewProxyUser extends UserTerms {
  id: string;
  planId: string;
  accountId: string;
  username: string;
  passwordSealed: Buffer;
  passwordFingerprint: Buffer;
  createdAt: Date;
}

export async function insertProxyUser(em: EntityManager, user: NewProxyUser): Promise<void> {
  const { limits } = user;
  await runStatement(
    em,
    `insert into residential.proxy_user (id, plan_id, account_id, username, password_sealed, password_fingerprint, created_at, name, paused,
       daily_limit_bytes, monthly_limit_bytes, total_limit_bytes, rules) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb)`,
    [
      user.id,
      user.planId,
      user.accountId,
      user.username,
      user.passwordSealed,
      user.passwordFingerprint,
      user.createdAt.toISOString(),
      user.name,
      user.paused,
      ...limitColumns(limits),
      JSON.stringify(user.rules),
    ],
  );
}

/** Stores a user's terms. A trigger notifies the nodes. */
export const saveUserTerms = (em: EntityManager, id: string, { name, paused, limits, rules }: UserTerms): Promise<unknown> =>
  runStatement(
    em,
    `update residential.proxy_user set name = $2, paused = $3, daily_limit_bytes = $4, monthly_limit_bytes = $5, total_limit_bytes = $6, rules = $7::jsonb
     where id = $1`,
    [id, name, paused, ...limitColumns(limits), JSON.stringify(rules)],
  );

export const saveUserPassword = (em: EntityManager, id: string, sealed: Buffer, fingerprint: Buffer): Promise<unknown> =>
  runStatement(
    em,
    'update residential.proxy_user set password_sealed = $2, password_fingerprint = $3, credential_epoch = credential_epoch + 1 where id = $1',
    [id, sealed, fingerprint],
  );

/** Lets the total limit count from the present use. */
export const countFromNow = (em: EntityManager, id: string): Promise<unknown> =>
  runStatement(em, 'update residential.proxy_user set counted_from_bytes = up_bytes + down_bytes where id = $1', [id]);

/** Marks a user as removed, and removes its page; its use stays. */
export const markRemoved = (em: EntityManager, id: string, now: Date): Promise<unknown> =>
  runStatement(em, 'update residential.proxy_user set removed_at = $2, page_hash = null, page_made_at = null where id = $1', [
    id,
    now.toISOString(),
  ]);

/** Stores the address of the user's page; null removes it. */
export const setUserPage = (em: EntityManager, id: string, page: { hash: string; madeAt: Date } | null): Promise<unknown> =>
  runStatement(em, 'update residential.proxy_user set page_hash = $2, page_made_at = $3::timestamptz where id = $1', [
    id,
    page?.hash ?? null,
    page?.madeAt.toISOString() ?? null,
  ]);

/** Days of a user from `first` on, ascending; days without use are left out. */
export const daysOfUser = async (
  em: EntityManager,
  userId: string,
  first: string,
): Promise<{ day: string; upBytes: bigint; downBytes: bigint }[]> =>
  (
    await runStatement<{ day: string; up_bytes: string; down_bytes: string }>(
      em,
      `select to_char(day, 'YYYY-MM-DD') as day, up_bytes, down_bytes from residential.proxy_user_day where user_id = $1 and day >= $2::date order by day`,
      [userId, first],
    )
  ).map(({ day, up_bytes, down_bytes }) => ({ day, upBytes: BigInt(up_bytes), downBytes: BigInt(down_bytes) }));
