// What was counted of tries, in one row per kind and name: taking from it is one statement, so that processes that try together count exactly.
import { sql } from 'kysely';
import { after } from '#shared/clock.ts';
import type { EntityManager } from '#shared/database.ts';

export interface Counted {
  points: number;
  /** Whole ones until the window ends, rounded up. */
  secondsLeft: number;
}

/** Counts one try; a window that is over begins anew with it. */
export async function takeAttempt(
  em: EntityManager,
  { kind, name, now, windowMs }: { kind: string; name: Buffer; now: Date; windowMs: number },
): Promise<Counted> {
  const { rows } = await sql<Counted>`
    insert into attempt as a (kind, name, points, ends_at) values (${kind}, ${name}, 1, ${after(now, windowMs)})
    on conflict (kind, name) do update set
      points = case when a.ends_at <= ${now} then 1 else a.points + 1 end,
      ends_at = case when a.ends_at <= ${now} then excluded.ends_at else a.ends_at end
    returning points, ceil(extract(epoch from ends_at - ${now}::timestamptz))::integer as "secondsLeft"`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('An upsert gave no row.');
  return row;
}

export async function forgiveAttempts(em: EntityManager, kind: string, name: Buffer): Promise<void> {
  await sql`delete from attempt where kind = ${kind} and name = ${name}`.execute(em.getKysely());
}

export async function forgetAttempts(em: EntityManager, now: Date): Promise<void> {
  await sql`delete from attempt where ends_at <= ${now}`.execute(em.getKysely());
}
