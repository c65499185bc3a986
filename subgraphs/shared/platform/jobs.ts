// Background jobs on pg-boss. A job is enqueued in the transaction that needs it and completed in the transaction that does its work, so that it is neither
// lost nor done twice.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Job, type JobWithMetadata, PgBoss, type QueueResult, fromKysely } from 'pg-boss';
import type { EntityManager } from './database.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { QueueState } from './queue-figures.ts';
import { RunningJobs } from './running-jobs.ts';
import { traced } from './tracing.ts';

export const JOBS_SCHEMA = 'pgboss';

/** A subgraph's view of the queue. */
export interface Jobs {
  /** Is committed with the transaction of `em`. `key`: while a job with this key waits, no second one is added. */
  enqueue(em: EntityManager, name: string, data: object, options?: { key?: string }): Promise<void>;
}

/** Completes the job in the transaction of `em`. Throws when another worker has taken it over, which rolls that transaction back. */
export type Complete = (em: EntityManager) => Promise<void>;

export interface JobDefinition<Context, Data extends object = never> {
  /** `subgraph.resource-verb`. */
  name: string;
  /** Cron expression (UTC, to the minute) of a sweeper; a sweeper has no data. */
  cron?: string;
  retryLimit?: number;
  run(context: Context, data: Data, complete: Complete): Promise<void>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table of jobs with different payloads
export type JobTable<Context> = readonly JobDefinition<Context, any>[];

const RETRY = { retryLimit: 12, retryDelay: 1, retryBackoff: true, retryDelayMax: 900 };
/** A worker that dies is noticed by its missing heartbeat; this is the limit for one that hangs. */
const EXPIRE_SECONDS = 300;
const HEARTBEAT_SECONDS = 10;
/** Milliseconds for one statement of pg-boss. */
const QUERY_MS = 10_000;
/**
 * Milliseconds that a worker waits for one of the queue's connections. There are far more workers, and while a process starts all of them look at once: a
 * turn that comes late is no fault, and nobody waits for it.
 */
const TURN_MS = 10_000;
/** pg-boss passes its options on to the driver, but does not declare these. Its own statements sweep whole queues, so they may take longer than a request's. */
const DRIVER = { query_timeout: QUERY_MS, statement_timeout: QUERY_MS };
/** New jobs send a notification; retries do not. Each process looks for what is due in all its queues at once so often, and wakes their workers. */
const POLL_SECONDS = 2;
/** While notifications work, a worker looks this seldom on its own. */
const SELDOM_SECONDS = 60;
/** Jobs that a worker may take once they are due: an index finds them. */
const WAITING = `state < 'active' and not blocked`;
/** Delays between the looks of `drain`: at first, and at most. */
const LOOK_MS = { first: 4, last: 25 };
/** How long running jobs may take to end when a process stops. */
const STOP_MS = 10_000;

export interface JobQueue {
  jobs: Jobs;
  /**
   * Runs a subgraph's jobs in this process. `context` makes a new unit of work for each job. Returns a function that stops it and waits for running jobs, ten
   * seconds at most, so that the database is not closed under them.
   */
  work<Context>(table: JobTable<Context>, context: (job: { name: string; id: string }) => Context): Promise<() => Promise<void>>;
  /** Runs one job at once, outside the queue: for tests, which move the clock and then run the sweeper. */
  runNow(name: string, data?: object): Promise<void>;
  /** Resolves when no job that is due is queued or running. Returns whether there was any. */
  drain(): Promise<boolean>;
  ready(): Promise<boolean>;
  /** The state of each queue, over all processes. */
  queues(): Promise<QueueState[]>;
  close(): Promise<void>;
}

export interface JobQueueOptions {
  /** Connects as the database owner, to whom the queue's tables belong. */
  url: string;
  log: Log;
  metrics: Metrics;
  pollSeconds?: number;
  /**
   * Workers per queue and process; a sweeper has one. A worker looks for the next job as soon as it has finished one: on its own, pg-boss would wait for a
   * notification or the next poll.
   */
  workers: number;
  /** Whether sweepers run on schedule, by the system's clock. */
  sweeps: boolean;
}

export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString: options.url,
    schema: JOBS_SCHEMA,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
    schedule: options.sweeps,
    max: 6,
    application_name: 'egress-jobs',
    connectionTimeoutMillis: TURN_MS,
    ...DRIVER,
  });
  boss.on('error', (error) => options.log.warn({ error: error.message }, 'job queue'));
  await boss.start();
  return new BossQueue(boss, options);
}

class BossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #options: JobQueueOptions;
  readonly #runners = new Map<string, (data: object) => Promise<void>>();
  readonly #workers = new Map<string, string[]>();
  readonly #running = new RunningJobs();
  #nextLook: NodeJS.Timeout | undefined;
  readonly jobs: Jobs;

  constructor(boss: PgBoss, options: JobQueueOptions) {
    this.#boss = boss;
    this.#options = options;
    this.jobs = {
      async enqueue(em, name, data, { key } = {}) {
        // In a `short` queue only one job without a key could wait, and others would be dropped. So each job without a key gets a random one.
        await boss.send(name, data, { singletonKey: key ?? randomUUID(), db: fromKysely(em.getKysely()) });
      },
    };
  }

  async work<Context>(table: JobTable<Context>, context: (job: { name: string; id: string }) => Context): Promise<() => Promise<void>> {
    const known = await this.#boss.getQueues(table.map(({ name }) => name));
    for (const definition of table) {
      const { name, cron } = definition;
      await this.#prepareQueue(
        definition,
        known.find((queue) => queue.name === name),
      );
      this.#runners.set(name, (data) => definition.run(context({ name, id: 'now' }), data, async () => {}));
      for (let count = 0; count < (cron ? 1 : this.#options.workers); count++)
        await this.#startWorker(name, (job) => this.#run(definition, job, context));
      if (cron && this.#options.sweeps) await this.#boss.schedule(name, cron, {}, { missed: 'once', singletonKey: 'cron' });
    }
    if (!this.#nextLook) this.#lookLater();
    return async () => {
      const ended = Promise.all(table.map(({ name }) => this.#boss.offWork(name)));
      await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
    };
  }

  /** `known`: the queue as an earlier start has left it. */
  async #prepareQueue<Context>({ name, retryLimit }: JobTable<Context>[number], known: QueueResult | undefined): Promise<void> {
    const queue = {
      ...RETRY,
      ...(retryLimit !== undefined && { retryLimit }),
      expireInSeconds: EXPIRE_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      notify: true,
    };
    // `short`: at most one job per singletonKey waits.
    if (!known) await this.#boss.createQueue(name, { ...queue, policy: 'short' });
    else if (Object.entries(queue).some(([option, value]) => known[option as keyof typeof queue] !== value))
      await this.#boss.updateQueue(name, queue);
  }

  /** One look for all queues: with one of each worker, a process that has nothing to do asks the database dozens of times a second. */
  #lookLater(): void {
    const look = async () => {
      // When the database does not answer, the next look comes in its time.
      const due = await this.#due(WAITING).catch(() => []);
      for (const { name } of due) this.#wakeAll(name);
      if (this.#nextLook) this.#lookLater();
    };
    this.#nextLook = setTimeout(() => void look(), this.#pollSeconds * 1_000);
  }

  get #pollSeconds(): number {
    return this.#options.pollSeconds ?? POLL_SECONDS;
  }

  async #startWorker(name: string, run: (job: JobWithMetadata<object>) => Promise<void>): Promise<void> {
    const seldom = Math.max(this.#pollSeconds, SELDOM_SECONDS);
    const pace = { includeMetadata: true, pollingIntervalSeconds: this.#pollSeconds, notifyPollingIntervalSeconds: seldom };
    let worker = '';
    const handle = async ([job]: Job<object>[]) => {
      if (job) await run(job as JobWithMetadata<object>);
    };
    worker = await this.#boss.work<object>(name, pace, (jobs) =>
      this.#running.during(() => handle(jobs)).finally(() => this.#boss.notifyWorker(worker)),
    );
    this.#workers.set(name, [...(this.#workers.get(name) ?? []), worker]);
  }

  async #run<Context>(
    definition: JobTable<Context>[number],
    { id, data, retryCount, retryLimit }: JobWithMetadata<object>,
    context: (job: { name: string; id: string }) => Context,
  ): Promise<void> {
    const { name } = definition;
    const { log, metrics } = this.#options;
    // Retries send no notification and seldom come alone.
    if (retryCount > 0) this.#wakeAll(name);
    try {
      const attributes = { 'messaging.message.id': id, 'egress.attempt': retryCount + 1 };
      await traced({ name, kind: 'consumer', attributes }, () =>
        definition.run(context({ name, id }), data ?? {}, (em) => this.#complete(em, name, id, retryCount)),
      );
      metrics.jobs.inc({ job: name, outcome: 'done' });
    } catch (error) {
      // The last attempt: after it, only a sweeper or a person repeats the work.
      const isLast = retryCount >= retryLimit;
      metrics.jobs.inc({ job: name, outcome: isLast ? 'given_up' : 'failed' });
      log.error(
        { job: name, id, error: String(error), stack: error instanceof Error ? error.stack : undefined },
        isLast ? 'job given up' : 'job failed',
      );
      throw error;
    }
  }

  async #complete(em: EntityManager, name: string, id: string, retryCount: number): Promise<void> {
    // The package's types omit the return value.
    const { affected } = (await this.#boss.complete(name, { id, retryCount }, null, { db: fromKysely(em.getKysely()) })) as {
      affected: number;
    };
    if (affected !== 1) throw new Error(`job ${name} ${id} was taken over`);
  }

  #wakeAll(name: string): void {
    for (const worker of this.#workers.get(name) ?? []) this.#boss.notifyWorker(worker);
  }

  async runNow(name: string, data: object = {}): Promise<void> {
    const run = this.#runners.get(name);
    if (!run) throw new Error(`no job is named ${name}`);
    await run(data);
  }

  async drain(): Promise<boolean> {
    for (let some = false, look = LOOK_MS.first; ; some = true, look = Math.min(2 * look, LOOK_MS.last)) {
      // An index finds waiting jobs. Running ones are found only by a scan of all jobs, so they are queried last, together with the waiting ones, because a job
      // may change from one to the other in between.
      const waiting = await this.#due(WAITING);
      const rows = waiting.length > 0 ? waiting : await this.#due(`state in ('created', 'retry', 'active')`);
      if (rows.length === 0) return some;
      for (const { name, again } of rows) if (again) this.#wakeAll(name);
      // Only jobs that run in this process announce their end; for others it polls.
      await Promise.race([this.#running.oneEnded(), pause(look)]);
      await this.#running.allEnded();
    }
  }

  async #due(condition: string): Promise<{ name: string; again: boolean }[]> {
    const { rows } = (await this.#boss.getDb().executeSql(
      `select name, bool_or(state = 'retry') as again from ${JOBS_SCHEMA}.job
       where name = any($1) and ${condition} and start_after <= now() group by name`,
      [[...this.#runners.keys()]],
    )) as { rows: { name: string; again: boolean }[] };
    return rows;
  }

  ready(): Promise<boolean> {
    return this.#boss.isInstalled();
  }

  async queues(): Promise<QueueState[]> {
    const { rows } = (await this.#boss.getDb().executeSql(
      `select queue.name as queue, coalesce(ready, 0) as ready, coalesce(retried, 0) as retried, coalesce(active, 0) as active,
        coalesce(retries, 0) as retries, greatest(0, coalesce(waited, 0)) as "waitedSeconds", coalesce(failed, 0) as failed
      from ${JOBS_SCHEMA}.queue
      left join (select name, count(*) filter (where state = 'created')::int as ready, count(*) filter (where state = 'retry')::int as retried,
        count(*) filter (where state = 'active')::int as active, sum(retry_count + (state = 'retry')::int)::int as retries,
        extract(epoch from now() - min(start_after) filter (where state < 'active' and not blocked))::float8 as waited
        from ${JOBS_SCHEMA}.job where state <= 'active' group by name) as waiting using (name)
      left join (select name, count(*)::int as failed from ${JOBS_SCHEMA}.job where state = 'failed' group by name) as given_up using (name)
      where starts_with(name, '__') is false order by name`,
    )) as { rows: QueueState[] };
    return rows;
  }

  close(): Promise<void> {
    clearTimeout(this.#nextLook);
    this.#nextLook = undefined;
    return this.#boss.stop({ graceful: true, timeout: STOP_MS });
  }
}
