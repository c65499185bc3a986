import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** Counts open disputes; `respondBy`: the earliest deadline of those that wait for our answer. */
export async function disputesOpen(em: EntityManager): Promise<{ disputes: number; respondBy: Date | null }> {
  const { rows } = await sql<{ disputes: number; respondBy: Date | null }>`
    select count(*)::int as disputes, min(respond_by) filter (where status = 'NEEDS_RESPONSE') as "respondBy"
    from dispute where status in ('NEEDS_RESPONSE', 'UNDER_REVIEW')`.execute(em.getKysely());
  return rows[0] ?? { disputes: 0, respondBy: null };
}
