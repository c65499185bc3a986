// Table cost_day: of which days a seller has counted what they cost. Each seller has it in its own schema; the search path of its role selects it.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** Days are YYYY-MM-DD. */
export interface CountedDays {
  /** The first day that is counted at all; null: none is known. */
  first: string | null;
  /** Those from a day on that are counted: on how many nights, and when at last. */
  counted: Map<string, { times: number; at: Date }>;
}

export async function countedDaysSince(em: EntityManager, since: string): Promise<CountedDays> {
  const { rows } = await sql<{ day: string; times: number; at: string }>`
    select day::text, times, counted_at as at from cost_day where day >= ${since}::date and times > 0 order by day`.execute(em.getKysely());
  const first = await sql<{ day: string | null }>`select min(day)::text as day from cost_day`.execute(em.getKysely());
  return { first: first.rows[0]?.day ?? null, counted: new Map(rows.map(({ day, times, at }) => [day, { times, at: new Date(at) }])) };
}

/** That a day was counted once more. `times`: how often before. Returns false when another process has counted it meanwhile. */
export async function markCounted(em: EntityManager, day: string, times: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into cost_day as known (day, counted_at, times) values (${day}::date, ${at}, 1)
    on conflict (day) do update set counted_at = excluded.counted_at, times = known.times + 1 where known.times = ${times}
    returning day`.execute(em.getKysely());
  return rows.length > 0;
}
