// Two ways to follow the event log: a durable reader with a cursor in the database (each event is handled once, in the transaction that moves the cursor), and
// a live feed for the open subscriptions of one process.
import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import { type EntityManager, againForOthers } from './database.ts';
import {
  type DeadLetter,
  blockedByDeadLetters,
  dueDeadLetters,
  lockDeadLetter,
  noteFailure,
  removeDeadLetter,
  setAside,
} from './dead-letters.ts';
import { numberEvents } from './event-sequencer.ts';
import { type EventType, type LoggedEvent, type Position, endOfEvents, readEvents } from './events.ts';
import type { Log } from './log.ts';
import type { Notifications } from './notifications.ts';

const BATCH = 200;
/** How often to look without a notification: one may be lost with a connection, and a process that appended events may die before they are numbered. */
const POLL_MS = 1_000;
const FAILED_MS = 1_000;
/** How long retries of events set aside may take before the log is read again: however many there are, other events go on. */
const DRIVE_MS = 1_000;
/** How many events set aside are read at once. */
const REDRIVE_BATCH_SIZE = 50;

export interface Reader {
  /** Resolves when everything that was committed before the call has been handled. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** `more`: call again at once. */
type Outcome = 'idle' | 'more';

interface Following {
  em: () => EntityManager;
  notifications: Notifications;
  log: Log;
}

/**
 * Runs `step` at the start, at each notification, and on a slow timer that also numbers events that nobody has numbered. `step` says whether to run again at
 * once.
 */
async function follow({ em, notifications, log }: Following, name: string, step: () => Promise<Outcome>): Promise<Reader> {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let again = false;
  let isUnnumbered = true;
  let closed = false;
  let outcome: Outcome | 'failed' = 'idle';
  const run = async () => {
    let wait = POLL_MS;
    do {
      again = false;
      try {
        if (isUnnumbered) {
          isUnnumbered = false;
          await numberEvents(em());
        }
        outcome = await step();
        if (outcome === 'more') again = true;
        wait = POLL_MS;
      } catch (error) {
        log.error({ reader: name, error: String(error) }, 'reading events failed');
        outcome = 'failed';
        isUnnumbered = true;
        wait = FAILED_MS;
      }
    } while (again && !closed);
    current = undefined;
    if (!closed) timer = setTimeout(look, wait);
  };
  const wake = () => {
    clearTimeout(timer);
    if (closed) return;
    if (current) again = true;
    else current = run();
  };
  const look = () => {
    isUnnumbered = true;
    wake();
  };
  const stop = await notifications.listen('egress_event', wake);
  wake();
  return {
    async drain() {
      do {
        look();
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

export interface DurableReaderOptions extends Following {
  name: string;
  clock: Clock;
  /** Whether the reader handles events of this type. */
  reacts(type: string): boolean;
  /** Handles one event in the transaction that also moves the cursor: both are committed, or neither. */
  handle(em: EntityManager, event: LoggedEvent): Promise<void>;
}

/**
 * A reader that misses nothing: after a crash it continues at its cursor. Several processes may run the same reader; one works at a time. Events are handled in
 * batches, a transaction each; a batch that was rolled back because of other transactions is run again. When a batch fails, its events are set aside and
 * handled one by one, a transaction each. Those that fail again stay aside and are retried with backoff; events about the same thing wait for them, all others
 * go on.
 */
export function startDurableReader(options: DurableReaderOptions): Promise<Reader> {
  return follow(options, options.name, async () => {
    const { outcome, aside } = await againForOthers(() => readBatch(options)).catch(async (error: unknown) => {
      await setBatchAside(options, error);
      return { outcome: 'more' as const, aside: true };
    });
    return aside && (await driveDeadLetters(options)) ? 'more' : outcome;
  });
}

/** A reader's position, locked until the transaction of `em` ends. Undefined when the reader has no cursor yet. */
async function lockCursor(em: EntityManager, reader: string): Promise<Position | undefined> {
  const { rows } = await sql<{ position: Position }>`
    select position::text from platform.cursor where reader = ${reader} for update`.execute(em.getKysely());
  return rows[0]?.position;
}

async function moveCursor(em: EntityManager, reader: string, { from, end }: Batch): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update platform.cursor set position = ${end}::bigint where reader = ${reader} and position = ${from}::bigint`.execute(em.getKysely());
  return numAffectedRows === 1n;
}

/** The next events of a reader. */
interface Batch {
  from: Position;
  end: Position;
  /** The events among them that the reader handles. */
  wanted: LoggedEvent[];
  isFull: boolean;
}

async function batchFrom(em: EntityManager, from: Position, reacts: DurableReaderOptions['reacts']): Promise<Batch> {
  const { events, end } = await readEvents(em, from, BATCH);
  return { from, end, wanted: events.filter(({ type }) => reacts(type)), isFull: events.length === BATCH };
}

/**
 * Numbered events never change, so they are read before anything is locked: most reads find nothing, or nothing that this reader handles. `aside`: whether the
 * reader has events set aside.
 */
async function readBatch({ name, em, clock, reacts, handle }: DurableReaderOptions): Promise<{ outcome: Outcome; aside: boolean }> {
  const manager = em();
  const { rows } = await sql<{ position: Position; aside: boolean }>`
    select position::text, exists (select from platform.dead_letter where dead_letter.reader = cursor.reader) as aside
    from platform.cursor where reader = ${name}`.execute(manager.getKysely());
  const [cursor] = rows;
  if (!cursor) {
    await sql`insert into platform.cursor (reader) values (${name}) on conflict do nothing`.execute(manager.getKysely());
    return { outcome: 'more', aside: false };
  }
  const { aside } = cursor;
  const seen = await batchFrom(manager, cursor.position, reacts);
  if (seen.from === seen.end) return { outcome: 'idle', aside };
  if (seen.wanted.length === 0) return { outcome: (await moveCursor(manager, name, seen)) && !seen.isFull ? 'idle' : 'more', aside };
  return em().transactional(async (tx) => {
    const transaction = tx as EntityManager;
    const from = await lockCursor(transaction, name);
    // Another process has moved the cursor. If none has, `aside` is still right too: setting events aside moves the cursor.
    if (from !== seen.from) return { outcome: 'more', aside };
    const blocked = aside ? await blockedByDeadLetters(transaction, name, seen.wanted) : undefined;
    for (const event of seen.wanted) if (!blocked?.has(event)) await handle(transaction, event);
    if (blocked) await setAside(transaction, name, [...blocked], { now: clock.now(), nextTryAt: null });
    await moveCursor(transaction, name, seen);
    return { outcome: seen.isFull ? 'more' : 'idle', aside };
  });
}

/** Sets the events of a failed batch aside. Throws `error` again when there are none: then the database failed, not an event. */
async function setBatchAside({ name, em, clock, log, reacts }: DurableReaderOptions, error: unknown): Promise<void> {
  const set = await em().transactional(async (tx) => {
    const manager = tx as EntityManager;
    const from = await lockCursor(manager, name);
    if (from === undefined) throw error;
    const batch = await batchFrom(manager, from, reacts);
    if (batch.wanted.length === 0) throw error;
    await setAside(manager, name, batch.wanted, { now: clock.now(), nextTryAt: clock.now() });
    await moveCursor(manager, name, batch);
    return batch.wanted.length;
  });
  log.warn({ reader: name, events: set, error: String(error) }, 'a batch of events failed: each is tried by itself');
}

/** Retries due events. Returns whether any was handled or tried. */
async function driveDeadLetters(options: DurableReaderOptions): Promise<boolean> {
  const { name, em, clock } = options;
  const until = performance.now() + DRIVE_MS;
  let tried = false;
  for (;;) {
    const due = await underCursor(em(), name, (manager) => dueDeadLetters(manager, name, clock.now(), REDRIVE_BATCH_SIZE));
    for (const letter of due) {
      if (performance.now() >= until) return true;
      await drive(options, letter);
      tried = true;
    }
    if (due.length === 0) return tried;
  }
}

/** Locks the cursor, so that no process sets an event aside as waiting while another one removes the event that it waits for. */
const underCursor = <Result>(em: EntityManager, reader: string, work: (em: EntityManager) => Promise<Result>): Promise<Result> =>
  em.transactional(async (tx) => {
    await lockCursor(tx as EntityManager, reader);
    return work(tx as EntityManager);
  });

/** Handles a due event and removes it, in one transaction. */
async function drive({ name, em, clock, log, handle }: DurableReaderOptions, letter: DeadLetter): Promise<void> {
  let isMine = false;
  try {
    await againForOthers(() =>
      underCursor(em(), name, async (manager) => {
        isMine = await lockDeadLetter(manager, letter);
        if (!isMine) return;
        await handle(manager, letter.event);
        await removeDeadLetter(manager, letter, clock.now());
      }),
    );
  } catch (error) {
    if (!isMine) throw error;
    await noteFailure(em(), letter, error, clock);
    const { type, subject, id } = letter.event;
    const attempts = letter.attempts + 1;
    log.error({ reader: name, type, subject, event: id, attempts, error: String(error) }, 'an event is set aside');
  }
}

export interface LiveFeed {
  /** Calls back for each event of these types, account and subject that is committed from now on. Returns a function that stops it. */
  subscribe(
    filter: { types: readonly EventType[]; accountId?: string; subject?: string },
    listener: (event: LoggedEvent) => void,
  ): () => void;
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** One reader per process for any number of subscribers. */
export async function startLiveFeed(options: Following): Promise<LiveFeed> {
  const listeners = new Set<(event: LoggedEvent) => void>();
  await numberEvents(options.em());
  let position = await endOfEvents(options.em());
  const reader = await follow(options, 'live', async () => {
    if (listeners.size === 0) {
      position = await endOfEvents(options.em());
      return 'idle';
    }
    const { events, end } = await readEvents(options.em(), position, BATCH);
    position = end;
    for (const event of events) for (const listener of listeners) listener(event);
    return events.length === BATCH ? 'more' : 'idle';
  });
  return {
    subscribe({ types, accountId, subject }, listener) {
      const wanted = new Set<string>(types);
      const guarded = (event: LoggedEvent) => {
        if (!wanted.has(event.type)) return;
        if (accountId !== undefined && event.accountId !== accountId) return;
        if (subject !== undefined && event.subject !== subject) return;
        try {
          listener(event);
        } catch (error) {
          options.log.error({ type: event.type, subject: event.subject, error: String(error) }, 'a live listener failed');
        }
      };
      listeners.add(guarded);
      return () => void listeners.delete(guarded);
    },
    drain: reader.drain,
    close: reader.close,
  };
}
