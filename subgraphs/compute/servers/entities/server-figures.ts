import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** Counts servers that are not removed, by kind, plan and status. */
export async function livingServers(em: EntityManager): Promise<{ kind: string; plan: string; status: string; servers: number }[]> {
  const { rows } = await sql<{ kind: string; plan: string; status: string; servers: number }>`
    select kind, plan_code as plan, status, count(*)::int as servers from server
    where status not in ('REMOVED', 'DECOMMISSIONED') group by kind, plan_code, status`.execute(em.getKysely());
  return rows;
}
