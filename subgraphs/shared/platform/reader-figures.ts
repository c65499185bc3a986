// How the durable readers of the event log fare: for Prometheus, for readiness, and for whoever looks at the desk.
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { type Clock, MINUTE, SECOND } from './clock.ts';
import type { EntityManager } from './database.ts';

/** More unread events than this are not counted one by one. */
const MAX_COUNTED = 10_000;
/** Spec is silent: events are read within milliseconds; a reader that has left one lying so long does not work. */
const MAX_LAG_MS = MINUTE;

export interface ReaderFigures {
  /** The subgraph. */
  reader: string;
  /** Events that it has not come to yet, at most 10,000. */
  unread: number;
  /** Age of the oldest of them; 0 without any. */
  lagMs: number;
  /** Events whose reaction failed, which are driven again. */
  failed: number;
  /** Events that wait until those are done. */
  waiting: number;
}

/** Of every reader that ever began, by name. */
export async function readerFigures(em: EntityManager, clock: Clock): Promise<ReaderFigures[]> {
  const { rows } = await sql<{ reader: string; unread: string; oldest: Date | null; failed: string; waiting: string }>`
    select reader, failed, waiting,
      (select count(*) from (select from platform.event where (event.tx, event.id) > (cursor.tx, cursor.id) limit ${MAX_COUNTED}) as counted) as unread,
      (select at from platform.event where (event.tx, event.id) > (cursor.tx, cursor.id) order by event.tx, event.id limit 1) as oldest
    from platform.cursor, lateral (
      select count(*) filter (where attempts > 0) as failed, count(*) filter (where attempts = 0) as waiting
      from platform.dead_letter where dead_letter.reader = cursor.reader) as aside
    order by reader`.execute(em.getKysely());
  const now = clock.now().getTime();
  return rows.map(({ reader, unread, oldest, failed, waiting }) => ({
    reader,
    unread: Number(unread),
    lagMs: oldest ? Math.max(0, now - new Date(oldest).getTime()) : 0,
    failed: Number(failed),
    waiting: Number(waiting),
  }));
}

/** For readiness: no reader has left an event lying for a minute. One that is set aside is an alarm, and no reason to stop sending requests here. */
export const readersKeepUp = (figures: readonly ReaderFigures[]): boolean => figures.every(({ lagMs }) => lagMs < MAX_LAG_MS);

const GAUGES: Record<string, [help: string, value: (figures: ReaderFigures) => number]> = {
  egress_reader_unread_events: ['Events that a reader of the log has not come to yet, at most 10,000', ({ unread }) => unread],
  egress_reader_lag_seconds: ['Age of the oldest event that a reader has not come to yet', ({ lagMs }) => lagMs / SECOND],
  egress_reader_dead_letters: ['Events whose reaction failed and is tried again', ({ failed }) => failed],
  egress_reader_waiting_events: ['Events that wait behind one whose reaction failed', ({ waiting }) => waiting],
};

/** One question to the database for all gauges, when they are read. Without an answer they have no values: a figure of before would lie. */
export function registerReaderMetrics(registry: Registry, figures: () => Promise<ReaderFigures[]>): void {
  let asked: Promise<ReaderFigures[]> | undefined;
  const current = () => {
    asked ??= figures()
      .catch(() => [])
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  for (const [name, [help, value]] of Object.entries(GAUGES))
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['reader'],
        registers: [],
        async collect() {
          const rows = await current();
          this.reset();
          for (const row of rows) this.set({ reader: row.reader }, value(row));
        },
      }),
    );
}
