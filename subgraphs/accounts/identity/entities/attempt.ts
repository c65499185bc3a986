// Counts tries, in one row per kind and name. Taking a try is one statement, so that the count is exact when processes try at the same time.
import { sql } from 'kysely';
import { after } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import type { AttemptRule } from '../domain/attempt-limits.ts';

export interface AttemptKey {
  kind: string;
  name: Buffer;
}

export interface TakenAttempt {
  /** Whether the try may be made; one that may not is not counted. */
  passed: boolean;
  /** When the next try may be made. */
  retryAt: Date;
}

export async function takeAttempt(em: EntityManager, { kind, name }: AttemptKey, rule: AttemptRule, now: Date): Promise<TakenAttempt> {
  const { points, windowMs, delay } = rule;
  const ends = after(now, windowMs);
  const counted = sql`case when a.ends_at <= ${now} then 1 else a.points + 1 end`;
  const waitMs = (count: ReturnType<typeof sql>) =>
    delay
      ? sql`least(${delay.maxMs}::float8, ${delay.firstMs}::float8 * power(2, least(${count} - ${points}, 40)))`
      : sql`${windowMs}::float8`;
  // With a delay the window moves with each try; otherwise it ends where its first try has set it.
  const nextEnd = delay ? sql`${ends}::timestamptz` : sql`case when a.ends_at <= ${now} then ${ends}::timestamptz else a.ends_at end`;
  // A try without a wait leaves no moment: another process, whose clock is a little behind, would wait for it.
  const retry = (count: ReturnType<typeof sql>, end: ReturnType<typeof sql>) =>
    sql`case when ${count} < ${points} then to_timestamp(0) else least(${end}, ${now}::timestamptz + ${waitMs(count)} * interval '1 millisecond') end`;
  const early = sql`a.ends_at > ${now} and a.retry_at > ${now}`;
  const { rows } = await sql<{ passed: boolean; retryAt: string | Date }>`
    insert into attempt as a (kind, name, points, ends_at, retry_at, passed)
    values (${kind}, ${name}, 1, ${ends}, ${retry(sql`1`, sql`${ends}::timestamptz`)}, true)
    on conflict (kind, name) do update set
      points = case when ${early} then a.points else ${counted} end,
      ends_at = case when ${early} then a.ends_at else ${nextEnd} end,
      retry_at = case when ${early} then a.retry_at else ${retry(counted, nextEnd)} end,
      passed = not (${early})
    returning passed, retry_at as "retryAt"`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('An upsert gave no row.');
  return { passed: row.passed, retryAt: new Date(row.retryAt) };
}

/** Takes back a try that turned out to be right, or that was not judged. */
export async function returnAttempt(em: EntityManager, { kind, name }: AttemptKey, now: Date): Promise<void> {
  await sql`
    update attempt set points = greatest(points - 1, 0), retry_at = least(retry_at, ${now}::timestamptz)
    where kind = ${kind} and name = ${name}`.execute(em.getKysely());
}

export async function forgiveAttempts(em: EntityManager, { kind, name }: AttemptKey): Promise<void> {
  await sql`delete from attempt where kind = ${kind} and name = ${name}`.execute(em.getKysely());
}

export async function forgetAttempts(em: EntityManager, now: Date): Promise<void> {
  await sql`delete from attempt where ends_at <= ${now}`.execute(em.getKysely());
}
