// Events whose reaction fails are set aside per reader and retried with backoff, so that one bad event blocks no other.
import { sql } from 'kysely';
import { type Clock, MINUTE, SECOND, after } from './clock.ts';
import type { EntityManager } from './database.ts';
import type { LoggedEvent } from './events.ts';

/** The first retry is immediate: a deadlock is over by then. After that the delay doubles with each attempt, up to `max`. */
const DELAY_MS = { first: SECOND, max: 15 * MINUTE };
const MAX_ERROR_LENGTH = 1_000;

export interface DeadLetter {
  /** Ascending in the order in which events are set aside, over all readers. */
  position: string;
  reader: string;
  event: LoggedEvent;
  setAsideAt: Date;
  /** How often it failed on its own; 0: it was not tried yet, or waits for an earlier event. */
  attempts: number;
  error: string | null;
  failedAt: Date | null;
  /** Null: it waits for an earlier event to be removed. */
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

/** Milliseconds until the next retry of an event that has failed this often on its own. */
export const backOff = (attempts: number): number =>
  attempts < 2 ? 0 : Math.min(DELAY_MS.max, DELAY_MS.first * 2 ** Math.min(attempts - 2, 30));

/**
 * What an event is about: its subject, and the order and subscription that it names. Later events of one of these depend on it (a plan is delivered before it
 * is suspended, an order paid before it is refunded) and wait for it. The account is no key: the next purchase of an account has nothing to do with what
 * failed.
 */
export function keysOf({ subject, data }: Pick<LoggedEvent, 'subject' | 'data'>): string[] {
  const { orderId, subscription } = data as { orderId?: unknown; subscription?: { id?: unknown } | null };
  const named = [orderId, subscription?.id].filter((id): id is string => typeof id === 'string' && id !== '');
  return [...new Set([subject, ...named])];
}

/** Those of a reader's next events that depend on an event set aside, directly or through another of these events. */
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

/** Sets a reader's events aside, in the transaction that moves its cursor past them. `nextTryAt`: null for events that wait for others. */
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

/**
 * The first due events of a reader that wait for no earlier one, at most `limit`. Due events that do wait are marked: they become due when the earlier one is
 * removed.
 */
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

/** Locks the event for handling. Returns false when another process has handled or tried it since it was read. */
export async function lockDeadLetter(em: EntityManager, { position, attempts }: DeadLetter): Promise<boolean> {
  const { rows } = await sql`
    select from platform.dead_letter where position = ${position}::bigint and attempts = ${attempts} for update`.execute(em.getKysely());
  return rows.length === 1;
}

/** Removes a handled event, in the transaction of `em`, and makes the events that wait for it due. */
export async function removeDeadLetter(em: EntityManager, { position, reader, event }: DeadLetter, now: Date): Promise<void> {
  await sql`delete from platform.dead_letter where position = ${position}::bigint`.execute(em.getKysely());
  await sql`
    update platform.dead_letter set next_try_at = ${now}::timestamptz
    where reader = ${reader} and next_try_at is null and keys && ${keysOf(event)}::text[]`.execute(em.getKysely());
}

/** Records another failure, and when the next retry is. */
export async function noteFailure(em: EntityManager, { position, attempts }: DeadLetter, error: unknown, clock: Clock): Promise<void> {
  const now = clock.now();
  const nextTryAt = after(now, backOff(attempts + 1));
  await sql`
    update platform.dead_letter set attempts = ${attempts + 1}, error = ${String(error).slice(0, MAX_ERROR_LENGTH)},
      failed_at = ${now}::timestamptz, next_try_at = ${nextTryAt}::timestamptz
    where position = ${position}::bigint and attempts = ${attempts}`.execute(em.getKysely());
}

/** The events set aside for all readers, oldest first. */
export async function deadLetters(em: EntityManager, limit: number): Promise<DeadLetter[]> {
  const { rows } = await sql<Row>`select ${COLUMNS} from platform.dead_letter order by position limit ${limit}`.execute(em.getKysely());
  return rows.map(fromRow);
}

/** Makes one failed event due now, or with null all of them, and wakes their readers. Returns them, oldest first. */
export async function redrive(em: EntityManager, position: string | null, now: Date): Promise<DeadLetter[]> {
  const { rows } = await sql<Row>`
    update platform.dead_letter set next_try_at = least(next_try_at, ${now}::timestamptz)
    where attempts > 0 and (${position}::bigint is null or position = ${position}::bigint) returning ${COLUMNS}`.execute(em.getKysely());
  if (rows.length > 0) await sql`select pg_notify('egress_event', '')`.execute(em.getKysely());
  return rows.map(fromRow).toSorted((one, other) => Number(one.position) - Number(other.position));
}
