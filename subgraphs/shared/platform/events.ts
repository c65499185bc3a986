// The one event log. A fact is appended in the transaction that makes it true; other subgraphs, mails and live subscriptions read it from a cursor.
import { sql } from 'kysely';
import { z } from 'zod';
import { EVENTS } from '../../../schema/events.ts';
import type { EntityManager } from './database.ts';
import { numberWhenCommitted } from './event-sequencer.ts';

/** `resource.verb_past`, as the contract of events (`schema/events.ts`) has it. */
export type EventType = keyof typeof EVENTS;
type Written<Type extends EventType> = z.input<(typeof EVENTS)[Type]['data']>;
type Read<Type extends EventType> = z.output<(typeof EVENTS)[Type]['data']>;

interface About {
  at: Date;
  /** Whose account it concerns; a live subscription hears of its own account's only. */
  accountId: string | null;
  /** The id of the thing it happened to. */
  subject: string;
}

/** A fact as it is appended. `data` may be left out where the type says it all. */
export type NewEvent<Type extends EventType = EventType> = Type extends EventType
  ? About & { type: Type } & (Record<never, never> extends Written<Type> ? { data?: Written<Type> } : { data: Written<Type> })
  : never;

/** A fact as it stands in the log, perhaps written by another release. */
export interface LoggedEvent extends About {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** A fact as a reaction is given it: its payload is read by the contract, instants as dates. */
export type EventOf<Type extends EventType> = Type extends EventType ? About & { type: Type; data: Read<Type> } : never;

/** What is appended says nothing that the contract does not know; what is read may, for a later release has perhaps written it. */
const APPENDED = new Map<string, z.ZodObject>(Object.entries(EVENTS).map(([type, { data }]) => [type, data.strict()]));

/** Throws when the contract has no such payload: a mistake of whoever appends. */
function checkPayload(type: string, data: unknown): void {
  const payload = APPENDED.get(type);
  if (!payload) throw new Error(`no event ${type} in the contract`);
  const { error } = payload.safeParse(data);
  if (error) throw new Error(`event ${type} is not as its contract says: ${z.prettifyError(error)}`);
}

/** The event as its reaction understands it. Throws when its payload is not what the contract says. */
export function readEvent<Type extends EventType>({ type, at, accountId, subject, data }: LoggedEvent & { type: Type }): EventOf<Type> {
  const read = EVENTS[type].data.safeParse(data);
  if (read.error) throw new Error(`event ${type} is not as its contract says: ${z.prettifyError(read.error)}`);
  return { type, at, accountId, subject, data: read.data } as EventOf<Type>;
}

/** Appends facts in the transaction of `em`. Throws, and so undoes the facts themselves, when a payload is not what the contract says. */
export async function appendEvents(em: EntityManager, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, at, accountId, subject, data = {} }) => {
    checkPayload(type, data);
    return sql`(${type}, ${at}::timestamptz, ${accountId}, ${subject}, ${JSON.stringify(data)}::jsonb)`;
  });
  await sql`insert into platform.event (type, at, account_id, subject, data) values ${sql.join(rows)}`.execute(em.getKysely());
  numberWhenCommitted(em);
}

/** Where a reader stands in the order of the log, as a decimal number. */
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
 * At most `limit` events after a position, in the order in which they were numbered: none appears before `end` later. What a transaction appended after it had
 * waited for another comes after what that one appended. What is committed and has no number yet is not among them.
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

/** Where the log ends now, as far as it is numbered; a live reader starts here. */
export async function endOfEvents(em: EntityManager): Promise<Position> {
  const { rows } = await sql<{ position: Position }>`
    select coalesce(max(position), 0)::text as position from platform.event_order`.execute(em.getKysely());
  return rows[0]?.position ?? '0';
}
