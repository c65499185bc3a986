import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface RunningOperations {
  command: string;
  operations: number;
  /** When the oldest of them began. */
  oldest: Date;
  /** How many had trouble in their last try. */
  troubled: number;
}

export async function runningOperations(em: EntityManager): Promise<RunningOperations[]> {
  const { rows } = await sql<RunningOperations>`
    select command, count(*)::int as operations, min(started_at) as oldest, count(*) filter (where tries > 0)::int as troubled
    from operation where status = 'RUNNING' group by command`.execute(em.getKysely());
  return rows;
}
