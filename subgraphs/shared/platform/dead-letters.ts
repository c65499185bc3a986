// Events whose reaction fails are set aside for their reader and driven again with back-off, so that one bad event stops itself alone.
import { sql } from 'kysely';
import { type Clock, MINUTE, SECOND, after } from './clock.ts';
import type { EntityManager } from './database.ts';
import type { LoggedEvent } from './events.ts';

/** A reaction that fails is tried again at once: a deadlock is over by then. From then on twice as long after each attempt, up to the longest. */
const DELAY_MS = { first: SECOND, max: 15 * MINUTE };
const MAX_ERROR_LENGTH = 1_000;

export interface DeadLetter {
  /** Counts up as they are set aside, over all readers. */
  position: string;
  reader: string;
  event: LoggedEvent;
  setAsideAt: Date;
  /** How often it failed by itself; 0: it waits to be tried, or for an earlier one. */
  attempts: number;
  error: string | null;
  failedAt: Date | null;
  /** Null: when the one before it is gone. */
  nextTryAt: Date | null;
}

interface Row {
  position: string;
  reader: string;
  event_id: string;
  type: string;
  at: Date;
  account_id: string | null;
  subject: string;
  data: Record<string, unknown>;
  set_aside_at: Date;
  attempts: number;
  error: string | null;
  failed_at: Date | null;
  next_try_at: Date | null;
}

const COLUMNS = sql`position::text, reader, event_id::text, type, at, account_id, subject, data,
  set_aside_at, attempts, error, failed_at, next_try_at`;

const fromRow = (row: Row): DeadLetter => ({
  position: row.position,
  reader: row.reader,
  event: {
    id: row.event_id,
    type: row.type,
    at: new Date(row.at),
    accountId: row.account_id,
    subject: row.subject,
    data: row.data,
  },
  setAsideAt: new Date(row.set_aside_at),
  attempts: row.attempts,
  error: row.error,
  failedAt: row.failed_at && new Date(row.failed_at),
  nextTryAt: row.next_try_at && new Date(row.next_try_at),
});

/** When an event that has failed so often by itself is tried again, in milliseconds from then. */
export const backOff = (attempts: number): number =>
  attempts < 2 ? 0 : Math.min(DELAY_MS.max, DELAY_MS.first * 2 ** Math.min(attempts - 2, 30));

/**
 * What an event is about: its subject, the order and the subscription that it names. Later events of one of these build on it (a plan is delivered before it is
 * suspended, an order paid before it is refunded) and wait for it. Not the account: what somebody buys next has nothing to do with what failed.
 */
export function keysOf({ subject, data }: Pick<LoggedEvent, 'subject' | 'data'>): string[] {
  const { orderId, subscription } = data as { orderId?: unknown; subscription?: { id?: unknown } | null };
  const named = [orderId, subscription?.id].filter((id): id is string => typeof id === 'string' && id !== '');
  return [...new Set([subject, ...named])];
}

/** Of a reader's next events those that build on one that is set aside, and those that build on these. */
export async function blockedByDeadLetters(em: EntityManager, reader: string, events: readonly LoggedEvent[]): Promise<Set<LoggedEvent>> {
  const keys = [...new Set(events.flatMap(keysOf))];
  const { rows } = await sql<{ key: string }>`
    select distinct key from platform.dead_letter, unnest(keys) as key where reader = ${reader} and keys && ${keys}::text[]`.execute(
    em.getKysely(),
  );
  const held = new Set(rows.map(({ key }) => key));
  const blocked = new Set<LoggedEvent>();
  for (const event of events) {
    const own = keysOf(event);
    if (!own.some((key) => held.has(key))) continue;
    blocked.add(event);
    for (const key of own) held.add(key);
  }
  return blocked;
}

/** Puts a reader's events aside in the transaction that moves its cursor past them. `nextTryAt`: null for what waits for others. */
export async function setAside(
  em: EntityManager,
  reader: string,
  events: readonly LoggedEvent[],
  { now, nextTryAt }: { now: Date; nextTryAt: Date | null },
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(
    (event) => sql`(${reader}, ${event.id}::bigint, ${event.type}, ${event.at}::timestamptz,
      ${event.accountId}, ${event.subject}, ${JSON.stringify(event.data)}::jsonb, ${keysOf(event)}::text[], ${now}::timestamptz, ${nextTryAt}::timestamptz)`,
  );
  await sql`
    insert into platform.dead_letter (reader, event_id, type, at, account_id, subject, data, keys, set_aside_at, next_try_at)
    values ${sql.join(rows)} on conflict (reader, event_id) do nothing`.execute(em.getKysely());
}

/** The first of a reader's that are due and have nothing before them, at most `limit`. Those that do have wait from now on until that is gone. */
export async function dueDeadLetters(em: EntityManager, reader: string, now: Date, limit: number): Promise<DeadLetter[]> {
  for (;;) {
    const { rows } = await sql<Row & { is_blocked: boolean }>`
      select ${COLUMNS}, exists (select from platform.dead_letter as earlier where earlier.reader = letter.reader
        and earlier.position < letter.position and earlier.keys && letter.keys) as is_blocked
      from platform.dead_letter as letter where reader = ${reader} and next_try_at <= ${now}::timestamptz
      order by position limit ${limit}`.execute(em.getKysely());
    const blocked = rows.filter((row) => row.is_blocked).map(({ position }) => position);
    if (blocked.length > 0)
      await sql`update platform.dead_letter set next_try_at = null where position = any(${blocked}::bigint[])`.execute(em.getKysely());
    if (blocked.length < rows.length || rows.length < limit) return rows.filter((row) => !row.is_blocked).map(fromRow);
  }
}

/** Under a lock, for whoever handles it. False when another process has handled it, or tried, since it was read. */
export async function lockDeadLetter(em: EntityManager, { position, attempts }: DeadLetter): Promise<boolean> {
  const { rows } = await sql`
    select from platform.dead_letter where position = ${position}::bigint and attempts = ${attempts} for update`.execute(em.getKysely());
  return rows.length === 1;
}

/** It has been handled, in the transaction of `em`: what waits for it is due. */
export async function removeDeadLetter(em: EntityManager, { position, reader, event }: DeadLetter, now: Date): Promise<void> {
  await sql`delete from platform.dead_letter where position = ${position}::bigint`.execute(em.getKysely());
  await sql`
    update platform.dead_letter set next_try_at = ${now}::timestamptz
    where reader = ${reader} and next_try_at is null and keys && ${keysOf(event)}::text[]`.execute(em.getKysely());
}

/** It has failed once more; `nextTryAt` says when it is tried again. */
export async function noteFailure(em: EntityManager, { position, attempts }: DeadLetter, error: unknown, clock: Clock): Promise<void> {
  const now = clock.now();
  const nextTryAt = after(now, backOff(attempts + 1));
  await sql`
    update platform.dead_letter set attempts = ${attempts + 1}, error = ${String(error).slice(0, MAX_ERROR_LENGTH)},
      failed_at = ${now}::timestamptz, next_try_at = ${nextTryAt}::timestamptz
    where position = ${position}::bigint and attempts = ${attempts}`.execute(em.getKysely());
}

/** Of all readers, oldest first. */
export async function deadLetters(em: EntityManager, limit: number): Promise<DeadLetter[]> {
  const { rows } = await sql<Row>`select ${COLUMNS} from platform.dead_letter order by position limit ${limit}`.execute(em.getKysely());
  return rows.map(fromRow);
}

/** Makes one that has failed due now, or all of them, and wakes their readers. Returns what was made due, oldest first. */
export async function redrive(em: EntityManager, position: string | null, now: Date): Promise<DeadLetter[]> {
  const { rows } = await sql<Row>`
    update platform.dead_letter set next_try_at = least(next_try_at, ${now}::timestamptz)
    where attempts > 0 and (${position}::bigint is null or position = ${position}::bigint) returning ${COLUMNS}`.execute(em.getKysely());
  if (rows.length > 0) await sql`select pg_notify('egress_event', '')`.execute(em.getKysely());
  return rows.map(fromRow).toSorted((one, other) => Number(one.position) - Number(other.position));
}
