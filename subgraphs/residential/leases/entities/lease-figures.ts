import { type EntityManager, runStatement } from '#platform/database.ts';

export interface LeaseCounts {
  /** The node that holds them. */
  node: string;
  leases: number;
  /** Bytes granted to the node and not used yet. */
  heldBytes: number;
  /** Leases past their end that the node has not given back. */
  overdue: number;
}

/** Counts open leases by node. */
export const openLeases = (em: EntityManager, now: Date): Promise<LeaseCounts[]> =>
  runStatement<LeaseCounts>(
    em,
    `select edge_id as node, count(*)::int as leases, sum(granted_bytes - settled_bytes)::float8 as "heldBytes",
       count(*) filter (where expires_at < $1)::int as overdue
     from residential.lease where open group by edge_id`,
    [now.toISOString()],
  );
