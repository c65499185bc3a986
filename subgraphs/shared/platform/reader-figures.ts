// The state of the event log's durable readers: for Prometheus, for readiness, and for the support desk.
import { sql } from 'kysely';
import { type Clock, MINUTE, SECOND } from './clock.ts';
import type { EntityManager } from './database.ts';
import type { Figures } from './figures.ts';

/** Unread events are counted up to this number. */
const MAX_COUNTED = 10_000;
/** Spec is silent: events are read within milliseconds; a reader with an unread event this old does not work. */
const MAX_LAG_MS = MINUTE;

export interface ReaderFigures {
  /** The reader's name: its subgraph. */
  reader: string;
  /** Unread events, at most 10,000. */
  unread: number;
  /** The age of the oldest unread event; 0 without any. */
  lagMs: number;
  /** Events whose reaction failed, and which are retried. */
  failed: number;
  /** Events that wait for a failed one. */
  waiting: number;
}

/** The figures of every reader that has a cursor, by name. */
export async function readerFigures(em: EntityManager, clock: Clock): Promise<ReaderFigures[]> {
  const { rows } = await sql<{ reader: string; unread: string; oldest: Date | null; failed: string; waiting: string }>`
    select reader, failed, waiting, unread + pending as unread, oldest
    from platform.cursor, lateral (
      select count(*) filter (where attempts > 0) as failed, count(*) filter (where attempts = 0) as waiting
      from platform.dead_letter where dead_letter.reader = cursor.reader) as aside, lateral (
      select count(*) as unread from (
        select from platform.event_order where event_order.position > cursor.position limit ${MAX_COUNTED}) as counted) as ahead, (
      select count(*) as pending from (select from platform.event_pending limit ${MAX_COUNTED}) as counted) as without_number, lateral (
      select min(at) as oldest from platform.event where id in (
        (select event_id from platform.event_order where event_order.position > cursor.position order by event_order.position limit 1)
        union all (select event_id from platform.event_pending order by event_id limit 1))) as first
    order by reader`.execute(em.getKysely());
  const now = clock.now().getTime();
  return rows.map(({ reader, unread, oldest, failed, waiting }) => ({
    reader,
    unread: Math.min(MAX_COUNTED, Number(unread)),
    lagMs: oldest ? Math.max(0, now - new Date(oldest).getTime()) : 0,
    failed: Number(failed),
    waiting: Number(waiting),
  }));
}

/** For readiness: no reader has an unread event that is a minute old. An event set aside raises an alarm, but is no reason to send requests elsewhere. */
export const readersAreCurrent = (figures: readonly ReaderFigures[]): boolean => figures.every(({ lagMs }) => lagMs < MAX_LAG_MS);

const GAUGES: Record<string, [help: string, value: (figures: ReaderFigures) => number]> = {
  egress_reader_unread_events: ['Events that a reader of the log has not come to yet, at most 10,000', ({ unread }) => unread],
  egress_reader_lag_seconds: ['Age of the oldest event that a reader has not come to yet', ({ lagMs }) => lagMs / SECOND],
  egress_reader_dead_letters: ['Events whose reaction failed and is tried again', ({ failed }) => failed],
  egress_reader_waiting_events: ['Events that wait behind one whose reaction failed', ({ waiting }) => waiting],
};

export const READER_FIGURES: Figures<() => Promise<ReaderFigures[]>> = {
  gauges: Object.fromEntries(Object.entries(GAUGES).map(([name, [help]]) => [name, [help, 'reader']])),
  read: async (figures) => {
    const rows = await figures();
    return Object.entries(GAUGES).flatMap(([gauge, [, value]]) =>
      rows.map((row) => ({ gauge, labels: { reader: row.reader }, value: value(row) })),
    );
  },
};
