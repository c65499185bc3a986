import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** Mails that wait to be sent, since when the oldest does, and those that were refused for good. */
export async function mailFigures(em: EntityManager): Promise<{ waiting: number; oldest: Date | null; refused: number }> {
  const { rows } = await sql<{ waiting: number; oldest: Date | null; refused: number }>`
    select count(*)::int as waiting, min(created_at) as oldest, (select count(*)::int from mail where failed_at is not null) as refused
    from mail where sent_at is null and failed_at is null`.execute(em.getKysely());
  return rows[0] ?? { waiting: 0, oldest: null, refused: 0 };
}
