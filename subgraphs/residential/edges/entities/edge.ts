// The table residential.edge, and the facts of a plan that a node is given.
import { toDay } from '#platform/clock.ts';
import { type EntityManager, runPrepared } from '#platform/database.ts';
import { type Reading, pointRead } from '#platform/point-read.ts';
import type { UsageFacts } from '../../plans/domain/plan-status.ts';
import type { ListedNetwork } from '../../../../edge/protocol/client-network.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import type { RequestLogMode } from '../../../../edge/protocol/request-log.ts';

/** Returns true when the node was enrolled now, false when a node has this id already. */
export async function insertEdge(em: EntityManager, id: string, keyHash: string | null, now: Date): Promise<boolean> {
  const text = 'insert into residential.edge (id, key_hash, enrolled_at) values ($1, $2, $3) on conflict do nothing returning id';
  return (await runPrepared(em, { name: 'edge_insert', text }, [id, keyHash, now.toISOString()])).length === 1;
}

/** The node that has this key; undefined when it is unknown or revoked. */
export async function edgeOfKeyHash(em: EntityManager, keyHash: string): Promise<string | undefined> {
  const text = 'select id from residential.edge where key_hash = $1 and revoked_at is null';
  return (await runPrepared<{ id: string }>(em, { name: 'edge_of_key', text }, [keyHash]))[0]?.id;
}

/** Returns true when there was such a node, with a key that was not revoked. */
export async function revokeEdgeKey(em: EntityManager, id: string, now: Date): Promise<boolean> {
  const text = 'update residential.edge set revoked_at = $2 where id = $1 and key_hash is not null and revoked_at is null returning id';
  return (await runPrepared(em, { name: 'edge_revoke', text }, [id, now.toISOString()])).length === 1;
}

/** Stores when a node was last heard of, at most every ten seconds. */
export async function markSeen(em: EntityManager, id: string, now: Date): Promise<void> {
  const text = `update residential.edge set seen_at = $2 where id = $1 and (seen_at is null or seen_at < $2::timestamptz - interval '10 seconds')`;
  await runPrepared(em, { name: 'edge_seen', text }, [id, now.toISOString()]);
}

export interface EdgePlanRow extends UsageFacts {
  id: string;
  username: string;
  product: ProductCode;
  epoch: number;
  accountSuspended: boolean;
  fingerprint: Buffer;
  /** Fingerprints of passwords that resets have replaced, the latest first. */
  oldFingerprints: Buffer[];
  /** Its lines need their password and an address in one of these networks; null: the password alone. */
  networks: ListedNetwork[] | null;
  requestLog: RequestLogMode | null;
  /** How often its owner has asked for another address of a session. */
  sessionRenewals: number;
}

/** So many replaced passwords are recognised as old. Older ones are answered like wrong ones. */
const OLD_PASSWORDS = 8;

interface Row {
  id: string;
  username: string;
  product: ProductCode;
  credential_epoch: number;
  account_suspended: boolean;
  withdrawn: boolean;
  valid_until: string | Date | null;
  password_fingerprint: Buffer;
  total_bytes: string;
  up_bytes: string;
  down_bytes: string;
  daily_limit_bytes: string | null;
  used_today: string;
  old_fingerprints: Buffer[];
  networks: ListedNetwork[] | null;
  request_log: RequestLogMode | null;
  session_renewals: number;
}

/** `$2` is the UTC day whose use is read. */
const SELECT = `select p.id, p.username, p.product, p.credential_epoch, p.account_suspended, p.withdrawn, p.valid_until, p.password_fingerprint, p.total_bytes, p.up_bytes, p.down_bytes, p.daily_limit_bytes, p.session_renewals,
    coalesce(d.up_bytes + d.down_bytes, 0) as used_today,
    case when p.credential_epoch > 1 then array(select o.fingerprint from residential.old_password o where o.plan_id = p.id order by o.replaced_at desc limit ${OLD_PASSWORDS})
      else '{}' end as old_fingerprints,
    case when p.networks_and_password then (select coalesce(json_agg(json_build_object('id', n.id, 'network', n.network::text) order by n.id), '[]')
      from residential.client_network n where n.plan_id = p.id) end as networks,
    (select l.mode from residential.request_log_choice l where l.plan_id = p.id) as request_log
    from residential.plan p left join residential.usage_day d on d.plan_id = p.id and d.day = $2`;

const readByUsername = pointRead<Row>(
  { name: 'edge_plan_by_username', text: `${SELECT} where p.username = any($1::text[])` },
  ({ username }) => username,
);
const readById = pointRead<Row>({ name: 'edge_plan_by_id', text: `${SELECT} where p.id = any($1::text[])` }, ({ id }) => id);

/** `username` must have the form of a plan's username. Reads of several callers are put into one statement. */
export async function planByUsername(reading: Reading, username: string, now: Date): Promise<EdgePlanRow | undefined> {
  const row = await readByUsername(reading, username, toDay(now));
  return row && toPlan(row, now);
}

export async function edgePlanById(reading: Reading, id: string, now: Date): Promise<EdgePlanRow | undefined> {
  const row = await readById(reading, id, toDay(now));
  return row && toPlan(row, now);
}

const toPlan = (row: Row, asOf: Date): EdgePlanRow => ({
  id: row.id,
  username: row.username,
  product: row.product,
  epoch: row.credential_epoch,
  accountSuspended: row.account_suspended,
  withdrawn: row.withdrawn,
  validUntil: row.valid_until === null ? null : new Date(row.valid_until),
  asOf,
  fingerprint: row.password_fingerprint,
  oldFingerprints: row.old_fingerprints,
  networks: row.networks,
  requestLog: row.request_log,
  sessionRenewals: row.session_renewals,
  totalBytes: BigInt(row.total_bytes),
  upBytes: BigInt(row.up_bytes),
  downBytes: BigInt(row.down_bytes),
  dailyLimitBytes: row.daily_limit_bytes === null ? null : BigInt(row.daily_limit_bytes),
  usedTodayBytes: BigInt(row.used_today),
});
