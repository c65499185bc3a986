// The one event log. A fact is appended in the transaction that makes it true; other subgraphs, mails and live subscriptions read it from a cursor.
import { sql } from 'kysely';
import type { EntityManager } from './database.ts';

/** `resource.verb_past`. */
export interface NewEvent {
  type: string;
  at: Date;
  /** Whose account it concerns; live subscriptions are cut by it. */
  accountId: string | null;
  /** The id of the thing it happened to. */
  subject: string;
  data?: Record<string, unknown>;
}

export interface LoggedEvent extends Required<NewEvent> {
  position: Position;
}

export interface Position {
  tx: string;
  id: string;
}

/** Appends facts in the transaction of `em`. */
export async function appendEvents(em: EntityManager, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(
    ({ type, at, accountId, subject, data }) =>
      sql`(${type}, ${at}::timestamptz, ${accountId}, ${subject}, ${JSON.stringify(data ?? {})}::jsonb)`,
  );
  await sql`insert into platform.event (type, at, account_id, subject, data) values ${sql.join(rows)}`.execute(em.getKysely());
}

interface EventRow {
  tx: string;
  id: string;
  type: string;
  at: Date;
  account_id: string | null;
  subject: string;
  data: Record<string, unknown>;
}

/**
 * The events after a position, up to the oldest transaction still open: none can appear behind `end` later. Within what is read they stand in the
 * order in which they were appended, since a transaction that waited for a lock has an earlier number than the one it waited for.
 * `waiting` is true when later events exist that an open transaction holds back.
 */
export async function readEvents(
  em: EntityManager,
  from: Position,
  limit: number,
): Promise<{ events: LoggedEvent[]; end: Position; waiting: boolean }> {
  const { rows } = await sql<EventRow>`
    select tx::text, id::text, type, at, account_id, subject, data from platform.event
    where (tx, id) > (${from.tx}::xid8, ${from.id}::bigint) and tx < platform.event_horizon()
    order by event.tx, event.id limit ${limit}`.execute(em.getKysely());
  const events = rows.map(({ tx, id, account_id, ...row }) => ({
    ...row,
    at: new Date(row.at),
    accountId: account_id,
    position: { tx, id },
  }));
  const end = events.at(-1)?.position ?? from;
  events.sort((one, other) => (BigInt(one.position.id) < BigInt(other.position.id) ? -1 : 1));
  if (events.length === limit) return { events, end, waiting: true };
  const held = await sql<{ held: boolean }>`
    select exists (select from platform.event where (tx, id) > (${end.tx}::xid8, ${end.id}::bigint)) as held`.execute(em.getKysely());
  return { events, end, waiting: held.rows[0]?.held ?? false };
}

/** Where the log ends now; a live reader starts here. */
export async function endOfEvents(em: EntityManager): Promise<Position> {
  const { rows } = await sql<Position>`
    select platform.event_horizon()::text as tx, '0' as id`.execute(em.getKysely());
  return rows[0] ?? { tx: '0', id: '0' };
}
