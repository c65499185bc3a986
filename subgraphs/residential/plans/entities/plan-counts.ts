import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface PlanCounts {
  product: string;
  status: string;
  plans: number;
  soldBytes: number;
  usedBytes: number;
}

/** Counts plans that are not used up, by product and status, with the bytes sold and used of them. */
export async function livingPlans(em: EntityManager): Promise<PlanCounts[]> {
  const { rows } = await sql<PlanCounts>`
    select product, announced_status as status, count(*)::int as plans, sum(total_bytes)::float8 as "soldBytes",
      sum(up_bytes + down_bytes)::float8 as "usedBytes"
    from plan where announced_status <> 'EXPIRED' group by product, announced_status`.execute(em.getKysely());
  return rows;
}
