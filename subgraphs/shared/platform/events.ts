// The one event log. An event is appended in the transaction that makes it true; other subgraphs, mails and live subscriptions read the log from a cursor.
import { sql } from 'kysely';
import { z } from 'zod';
import { EVENTS } from '../../../schema/events.ts';
import type { EntityManager } from './database.ts';
import { numberWhenCommitted } from './event-sequencer.ts';

/** `resource.verb_past`, as declared in `schema/events.ts`. */
export type EventType = keyof typeof EVENTS;
type Written<Type extends EventType> = z.input<(typeof EVENTS)[Type]['data']>;
type Read<Type extends EventType> = z.output<(typeof EVENTS)[Type]['data']>;

interface About {
  at: Date;
  /** The account that the event concerns; a live subscription receives the events of its own account only. */
  accountId: string | null;
  /** The id of the resource that the event is about. */
  subject: string;
}

/** An event to append. `data` may be left out when no member of it is required. */
export type NewEvent<Type extends EventType = EventType> = Type extends EventType
  ? About & { type: Type } & (Record<never, never> extends Written<Type> ? { data?: Written<Type> } : { data: Written<Type> })
  : never;

/** An event as stored in the log, perhaps by another release. */
export interface LoggedEvent extends About {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** An event as a reaction receives it: its payload is parsed by the contract, instants as dates. */
export type EventOf<Type extends EventType> = Type extends EventType ? About & { type: Type; data: Read<Type> } : never;

/** An appended payload may have no member that the contract does not know. A payload that is read may: perhaps a later release wrote it. */
const APPENDED = new Map<string, z.ZodObject>(Object.entries(EVENTS).map(([type, { data }]) => [type, data.strict()]));

/** Throws when the payload does not fit the contract: a bug of the caller. */
function checkPayload(type: string, data: unknown): void {
  const payload = APPENDED.get(type);
  if (!payload) throw new Error(`no event ${type} in the contract`);
  const { error } = payload.safeParse(data);
  if (error) throw new Error(`event ${type} is not as its contract says: ${z.prettifyError(error)}`);
}

/** The event with its payload parsed. Throws when the payload does not fit the contract. */
export function readEvent<Type extends EventType>({ type, at, accountId, subject, data }: LoggedEvent & { type: Type }): EventOf<Type> {
  const read = EVENTS[type].data.safeParse(data);
  if (read.error) throw new Error(`event ${type} is not as its contract says: ${z.prettifyError(read.error)}`);
  return { type, at, accountId, subject, data: read.data } as EventOf<Type>;
}

/** Appends events in the transaction of `em`. Throws, which rolls that transaction back, when a payload does not fit the contract. */
export async function appendEvents(em: EntityManager, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, at, accountId, subject, data = {} }) => {
    checkPayload(type, data);
    return sql`(${type}, ${at}::timestamptz, ${accountId}, ${subject}, ${JSON.stringify(data)}::jsonb)`;
  });
  await sql`insert into platform.event (type, at, account_id, subject, data) values ${sql.join(rows)}`.execute(em.getKysely());
  numberWhenCommitted(em);
}

/** A reader's position in the order of the log, as a decimal number. */
export type Position = string;

interface EventRow {
  position: Position;
  id: string;
  type: string;
  at: Date;
  account_id: string | null;
  subject: string;
  data: Record<string, unknown>;
}

/**
 * At most `limit` events after a position, in the order in which they were numbered; no event is ever numbered before `end` later. When one transaction had to
 * wait for another, its later events come after those of the other. Committed events without a number are not among them.
 */
export async function readEvents(em: EntityManager, from: Position, limit: number): Promise<{ events: LoggedEvent[]; end: Position }> {
  const { rows } = await sql<EventRow>`
    select event_order.position::text, event.id::text, type, at, account_id, subject, data
    from platform.event_order join platform.event on event.id = event_order.event_id
    where event_order.position > ${from}::bigint order by event_order.position limit ${limit}`.execute(em.getKysely());
  const events = rows.map(({ id, type, at, account_id, subject, data }) => ({
    id,
    type,
    at: new Date(at),
    accountId: account_id,
    subject,
    data,
  }));
  return { events, end: rows.at(-1)?.position ?? from };
}

/** How many events one statement forgets: it holds no lock that anybody waits for, and a minute's work is done in pieces. */
const FORGOTTEN_AT_ONCE = 5_000;

/** Deletes the events before a moment that every durable reader has read. Returns how many. Call it without a transaction, as `accounts`. */
export async function forgetEvents(em: EntityManager, before: Date): Promise<number> {
  for (let total = 0; ;) {
    const { rows } = await sql<{ gone: number }>`
      select platform.forget_events(${before}::timestamptz, ${FORGOTTEN_AT_ONCE}) as gone`.execute(em.getKysely());
    const gone = rows[0]?.gone ?? 0;
    total += gone;
    // Not at the first that is not full: one event with a moment of a clock that was wrong would end each night's work.
    if (gone === 0) return total;
  }
}

/** The last position that is numbered now; a live reader starts here. */
export async function endOfEvents(em: EntityManager): Promise<Position> {
  const { rows } = await sql<{ position: Position }>`
    select coalesce(max(position), 0)::text as position from platform.event_order`.execute(em.getKysely());
  return rows[0]?.position ?? '0';
}
