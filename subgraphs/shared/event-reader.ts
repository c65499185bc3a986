// Two ways to follow the event log: a durable reader with a cursor in the database (each event handled once, in the cursor's own transaction),
// and a live feed for the open subscriptions of one process.
import { sql } from 'kysely';
import type { EntityManager } from './database.ts';
import { type LoggedEvent, type Position, endOfEvents, readEvents } from './events.ts';
import type { Log } from './log.ts';
import type { Notifications } from './notifications.ts';

const BATCH = 200;
/** A notice may be lost with a connection: look anyway, this often. */
const POLL_MS = 5_000;
/** An open transaction holds events back: look again this soon. */
const HELD_MS = 15;
const FAILED_MS = 1_000;

export interface Reader {
  /** Resolves when everything committed before the call has been handled. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Runs `step` at each notice, at start, and on a slow beat; `step` says whether to come back soon. */
async function follow(
  notifications: Notifications,
  log: Log,
  name: string,
  step: () => Promise<'idle' | 'held' | 'more'>,
): Promise<Reader> {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let outcome: 'idle' | 'held' | 'more' | 'failed' = 'idle';
  const run = async () => {
    let wait = POLL_MS;
    do {
      again = false;
      try {
        outcome = await step();
        if (outcome === 'more') again = true;
        wait = outcome === 'held' ? HELD_MS : POLL_MS;
      } catch (error) {
        log.error({ reader: name, error: String(error) }, 'reading events failed');
        outcome = 'failed';
        wait = FAILED_MS;
      }
    } while (again && !closed);
    current = undefined;
    if (!closed) timer = setTimeout(wake, wait);
  };
  const wake = () => {
    clearTimeout(timer);
    if (closed) return;
    if (current) again = true;
    else current = run();
  };
  const stop = await notifications.listen('egress_event', wake);
  wake();
  return {
    async drain() {
      do {
        wake();
        await current;
      } while (outcome !== 'idle' && !closed);
    },
    async close() {
      closed = true;
      stop();
      clearTimeout(timer);
      await current;
    },
  };
}

export interface DurableReaderOptions {
  name: string;
  em: () => EntityManager;
  notifications: Notifications;
  log: Log;
  /** Handles one event in the transaction that also moves the cursor: it happens with it, or not at all. */
  handle(em: EntityManager, event: LoggedEvent): Promise<void>;
}

/** A reader that misses nothing: after a crash it goes on where its cursor stands. Several processes may run the same one; one works at a time. */
export function startDurableReader({ name, em, notifications, log, handle }: DurableReaderOptions): Promise<Reader> {
  return follow(notifications, log, name, () =>
    em().transactional(async (tx) => {
      const manager = tx as EntityManager;
      const db = manager.getKysely();
      const { rows } = await sql<Position>`select tx::text, id::text from platform.cursor where reader = ${name} for update`.execute(db);
      const from = rows[0];
      if (!from) {
        await sql`insert into platform.cursor (reader, tx, id) values (${name}, '0', 0) on conflict do nothing`.execute(db);
        return 'more';
      }
      const { events, end, waiting } = await readEvents(manager, from, BATCH);
      for (const event of events) await handle(manager, event);
      if (events.length > 0)
        await sql`update platform.cursor set tx = ${end.tx}::xid8, id = ${end.id}::bigint where reader = ${name}`.execute(db);
      if (events.length === BATCH) return 'more';
      return waiting ? 'held' : 'idle';
    }),
  );
}

export interface LiveFeed {
  /** Calls back for each event of these types and this account committed from now on. Returns how to stop. */
  subscribe(filter: { types: readonly string[]; accountId?: string; subject?: string }, listener: (event: LoggedEvent) => void): () => void;
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** One reader per process, whatever the number of subscribers. */
export async function startLiveFeed(options: { em: () => EntityManager; notifications: Notifications; log: Log }): Promise<LiveFeed> {
  const listeners = new Set<(event: LoggedEvent) => void>();
  let position = await endOfEvents(options.em());
  const reader = await follow(options.notifications, options.log, 'live', async () => {
    if (listeners.size === 0) {
      position = await endOfEvents(options.em());
      return 'idle';
    }
    const { events, end, waiting } = await readEvents(options.em(), position, BATCH);
    position = end;
    for (const event of events) for (const listener of listeners) listener(event);
    if (events.length === BATCH) return 'more';
    return waiting ? 'held' : 'idle';
  });
  return {
    subscribe({ types, accountId, subject }, listener) {
      const wanted = new Set(types);
      const guarded = (event: LoggedEvent) => {
        if (!wanted.has(event.type)) return;
        if (accountId !== undefined && event.accountId !== accountId) return;
        if (subject !== undefined && event.subject !== subject) return;
        listener(event);
      };
      listeners.add(guarded);
      return () => void listeners.delete(guarded);
    },
    drain: reader.drain,
    close: reader.close,
  };
}
