import { type EntityManager, runStatement } from '#platform/database.ts';

export interface LeaseCounts {
  /** The node that holds them. */
  node: string;
  leases: number;
  /** Granted to the node and not used yet. */
  heldBytes: number;
  /** Past their end: the node has not given them back. */
  overdue: number;
}

/** Open leases, by node. */
export const openLeases = (em: EntityManager, now: Date): Promise<LeaseCounts[]> =>
  runStatement<LeaseCounts>(
    em,
    `select edge_id as node, count(*)::int as leases, sum(granted_bytes - settled_bytes)::float8 as "heldBytes",
       count(*) filter (where expires_at < $1)::int as overdue
     from residential.lease where open group by edge_id`,
    [now.toISOString()],
  );
