// What all parts of one process share: configuration, clock, secrets, logs, metrics, and the connections to the one database.
import { BACKUP_FIGURES } from './backup/backup-figures.ts';
import { type TakenBackup, lastBackup, logKeptUntil } from './backup/backup-record.ts';
import { withClient } from './database-client.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Config } from './config.ts';
import { openDatabase, type EntityManager } from './database.ts';
import { type LiveFeed, startLiveFeed } from './event-reader.ts';
import { type JobQueue, openJobQueue } from './jobs.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type Notifications, openNotifications } from './notifications.ts';
import { registerFigures } from './figures.ts';
import { QUEUE_FIGURES, ofAllQueues } from './queue-figures.ts';
import { READER_FIGURES, type ReaderFigures, readerFigures, readersAreCurrent } from './reader-figures.ts';
import { type Checks, hasRoom } from './readiness.ts';
import { type Secrets, secretsOf } from './secrets.ts';
import type { Vendors } from './vendors.ts';

export interface Platform {
  config: Config;
  vendors: Vendors;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  secrets: Secrets;
  databaseUrl: string;
  notifications: Notifications;
  feed: LiveFeed;
  queue: JobQueue;
  /** Checks of what this process cannot work without (`vital`), and of what it can work without for a while (`degrading`). */
  vital: Checks;
  degrading: Checks;
  /** The state of the event log's readers, of all subgraphs in all processes. */
  readers(): Promise<ReaderFigures[]>;
  /** The last backup of this database. */
  backup(): Promise<TakenBackup | undefined>;
  close(): Promise<void>;
}

/** A job that waits longer than this needs attention, but not another process to send requests to. */
const WAITED_SECONDS = 600;

/** `databaseUrl` must connect as the owner to a migrated database. */
export async function openPlatform(
  config: Config,
  databaseUrl: string,
  vendors: Vendors,
  overrides: { clock?: Clock; log?: Log } = {},
): Promise<Platform> {
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const metrics = createMetrics({ process: config.NODE_ENV !== 'test' });
  const secrets = secretsOf(config);
  await using opened = new AsyncDisposableStack();
  const orm = await openDatabase({ url: databaseUrl, entities: [], pool: 2, waitMs: config.DATABASE_WAIT_MS, log });
  opened.defer(() => orm.close());
  const notifications = await openNotifications(databaseUrl, log);
  opened.defer(notifications.close);
  const feed = await startLiveFeed({ em: () => orm.em.fork() as EntityManager, notifications, log });
  opened.defer(feed.close);
  const clock = overrides.clock ?? systemClock;
  // With a test clock no sweeper runs on schedule: it would run between any two lines of a test.
  const queue = await openJobQueue({
    url: databaseUrl,
    workers: config.JOB_WORKERS,
    log,
    metrics,
    sweeps: clock === systemClock,
  });
  const readers = () => readerFigures(orm.em.fork() as EntityManager, clock);
  registerFigures(metrics.registry, READER_FIGURES, () => readers);
  registerFigures(metrics.registry, QUEUE_FIGURES, () => queue);
  const backup = () => withClient(databaseUrl, lastBackup);
  registerFigures(metrics.registry, BACKUP_FIGURES, () => ({ clock, last: backup, log: () => withClient(databaseUrl, logKeptUntil) }));
  opened.defer(() => queue.close());
  const closing = opened.move();
  return {
    config,
    vendors,
    clock,
    log,
    metrics,
    secrets,
    databaseUrl,
    notifications,
    feed,
    queue,
    vital: {
      // A write that touches no table: a read-only server, or one with a full disk, refuses it.
      database: async () => {
        await orm.em.getConnection().execute(`select pg_logical_emit_message(true, 'egress', 'ready')`);
        return true;
      },
      disk: () => hasRoom(config.DATA_DIR),
      jobs: () => queue.ready(),
    },
    degrading: {
      events: async () => readersAreCurrent(await readers()),
      deadLetters: async () => (await readers()).every(({ failed }) => failed === 0),
      queue: async () => ofAllQueues(await queue.queues()).waitedSeconds < WAITED_SECONDS,
    },
    readers,
    backup,
    close: () => closing.disposeAsync(),
  };
}
