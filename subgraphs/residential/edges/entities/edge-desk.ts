// Proxy nodes as support reads and changes them: residential.edge, with the status that each node reported last, and the open leases of a node.
import { toDay } from '#platform/clock.ts';
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { EdgeFacts } from '../domain/edge-state.ts';
import type { EdgeStatus } from '../../../../edge/protocol/control-plane.ts';
import type { PlaceQuality } from '../../../../edge/protocol/place-quality.ts';

export interface EdgeRow extends EdgeFacts {
  id: string;
  enrolledAt: Date;
  status: EdgeStatus | null;
  statusAt: Date | null;
  /** Bytes settled since 00:00 UTC. */
  todayBytes: bigint;
}

/** The channel on which subscribers hear the id of each node that has news. */
export const EDGE_CHANNEL = 'egress_edges';

const toDate = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));

/** All nodes, or the one with this id, ordered by id. */
export async function edgeRows(em: EntityManager, now: Date, id?: string): Promise<EdgeRow[]> {
  const rows = await runStatement<{
    id: string;
    key_hash: string | null;
    enrolled_at: Date;
    revoked_at: Date | null;
    seen_at: Date | null;
    draining_since: Date | null;
    status: EdgeStatus | null;
    status_at: Date | null;
    today: string;
  }>(
    em,
    `select e.id, e.key_hash, e.enrolled_at, e.revoked_at, greatest(e.seen_at, e.status_at) as seen_at, e.draining_since, e.status, e.status_at,
       coalesce((select sum(settled_bytes) from residential.lease where edge_id = e.id and day = $1::date), 0) as today
     from residential.edge e where $2::text is null or e.id = $2 order by e.id`,
    [toDay(now), id ?? null],
  );
  return rows.map((row) => ({
    id: row.id,
    keyHash: row.key_hash,
    enrolledAt: new Date(row.enrolled_at),
    revokedAt: toDate(row.revoked_at),
    seenAt: toDate(row.seen_at),
    drainingSince: toDate(row.draining_since),
    status: row.status,
    statusAt: toDate(row.status_at),
    todayBytes: BigInt(row.today),
  }));
}

/** Stores a status report. Returns whether the node is to take no new connections. */
export async function saveEdgeStatus(em: EntityManager, id: string, status: EdgeStatus, now: Date): Promise<boolean> {
  const [row] = await runStatement<{ draining_since: Date | null }>(
    em,
    `with saved as (update residential.edge set status = $2::jsonb, status_at = $3 where id = $1 returning id, draining_since)
     select draining_since, pg_notify('${EDGE_CHANNEL}', id) from saved`,
    [id, JSON.stringify(status), now.toISOString()],
  );
  return row !== undefined && row.draining_since !== null;
}

/** Starts draining, or ends it with `since` null: then the node takes new connections again. */
export const saveDraining = (em: EntityManager, id: string, since: Date | null): Promise<unknown> =>
  runStatement(em, 'update residential.edge set draining_since = $2 where id = $1', [id, since?.toISOString() ?? null]);

export const notifyOfEdge = (em: EntityManager, id: string): Promise<unknown> =>
  runStatement(em, 'select pg_notify($1, $2)', [EDGE_CHANNEL, id]);

export interface OpenLeaseRow {
  id: string;
  planId: string;
  grantedBytes: bigint;
  settledBytes: bigint;
  expiresAt: Date;
}

/** Open leases of a node, those with the most left first. */
export async function openLeasesOf(em: EntityManager, edgeId: string, limit: number): Promise<OpenLeaseRow[]> {
  const rows = await runStatement<{ id: string; plan_id: string; granted_bytes: string; settled_bytes: string; expires_at: Date }>(
    em,
    `select id, plan_id, granted_bytes, settled_bytes, expires_at from residential.lease
     where edge_id = $1 and open order by granted_bytes - settled_bytes desc, id limit $2`,
    [edgeId, limit],
  );
  return rows.map((row) => ({
    id: String(row.id),
    planId: row.plan_id,
    grantedBytes: BigInt(row.granted_bytes),
    settledBytes: BigInt(row.settled_bytes),
    expiresAt: new Date(row.expires_at),
  }));
}

/** Where an exit is, as its operator has entered it. */
export interface ExitEntered {
  country: string;
  state?: string;
  city?: string;
  asn?: number;
  carrier?: string;
}

/** The exit that targets see under this address, if a node has named it in its last report. */
export async function exitAt(em: EntityManager, address: string): Promise<ExitEntered | undefined> {
  const [row] = await runStatement<{ exit: ExitEntered }>(
    em,
    `select x as exit from residential.edge e, jsonb_array_elements(e.status -> 'exits') x
     where e.revoked_at is null and x ->> 'address' = $1 order by e.status_at desc limit 1`,
    [address],
  );
  if (!row) return undefined;
  const { country, state, city, asn, carrier } = row.exit;
  return { country, ...(state && { state }), ...(city && { city }), ...(asn && { asn }), ...(carrier && { carrier }) };
}

/** What nodes that are not revoked have reported of places since then. */
export async function reportedQualities(em: EntityManager, since: Date): Promise<PlaceQuality[]> {
  const rows = await runStatement<{ qualities: PlaceQuality[] }>(
    em,
    `select status -> 'qualities' as qualities from residential.edge
     where revoked_at is null and status_at >= $1 and jsonb_typeof(status -> 'qualities') = 'array'`,
    [since.toISOString()],
  );
  return rows.flatMap(({ qualities }) => qualities);
}
