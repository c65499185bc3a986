import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** Counts mails that wait to be sent and mails that were refused for good; `oldest`: when the oldest waiting one was written. */
export async function mailFigures(em: EntityManager): Promise<{ waiting: number; oldest: Date | null; refused: number }> {
  const { rows } = await sql<{ waiting: number; oldest: Date | null; refused: number }>`
    select count(*)::int as waiting, min(created_at) as oldest, (select count(*)::int from mail where failed_at is not null) as refused
    from mail where sent_at is null and failed_at is null`.execute(em.getKysely());
  return rows[0] ?? { waiting: 0, oldest: null, refused: 0 };
}
