// Reads single rows by key, for the reads of nearly every request: what requests ask for in one turn of the event loop becomes one statement. A busy server
// makes one round trip for many requests; an idle one does not wait.
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { type EntityManager, type PreparedStatement, runPrepared } from './database.ts';

/** What rows are read by: a context, or a unit of work alone. */
export interface Reading {
  em: EntityManager;
  /** While no unit of work has begun, none is begun to read. */
  pool?: Pool | undefined;
}

/**
 * The row of a key, or undefined. Inside a transaction the row is read in it, by a statement of its own. When the statement fails, all reads of its batch
 * reject.
 */
export type PointRead<Row> = (reading: Reading, key: string, ...shared: readonly string[]) => Promise<Row | undefined>;

/**
 * Decides when a batch is sent: after the requests on all sockets that are readable now are parsed, and when the answer to the batch before it has come, so that
 * what is asked for meanwhile joins it. A batch that takes longer than usual holds up nobody.
 */
class Turns {
  readonly #waiting = new Set<() => void>();
  #open = 0;

  next(run: () => void): void {
    if (this.#open === 0) return void setImmediate(run);
    const begin = () => {
      clearTimeout(timer);
      this.#waiting.delete(begin);
      run();
    };
    const timer = setTimeout(begin, PATIENCE_MS);
    this.#waiting.add(begin);
  }

  async taken<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#open++;
    try {
      return await work();
    } finally {
      this.#open--;
      for (const begin of this.#waiting) begin();
    }
  }
}

interface Asked {
  key: string;
  shared: readonly string[];
}

/** How long a batch waits for the one before it, at most: a statement that finds its rows by their key takes less than a millisecond. */
const PATIENCE_MS = 5;

/** The maximum number of keys per statement. */
const MAX_BATCH_SIZE = 100;

/**
 * `statement` takes the keys as the array `$1`, then the parameters that all keys share. A key must be a validated id or hash: when the database refuses one,
 * the whole batch fails.
 */
export function pointRead<Row extends object>(statement: PreparedStatement, keyOf: (row: Row) => string): PointRead<Row> {
  const loaders = new WeakMap<Pool, DataLoader<Asked, Row | undefined>>();

  const loaderOf = (pool: Pool): DataLoader<Asked, Row | undefined> => {
    const known = loaders.get(pool);
    if (known) return known;
    const turns = new Turns();
    const loader = new DataLoader<Asked, Row | undefined>((asked) => turns.taken(() => readBatch(pool, asked)), {
      cache: false,
      maxBatchSize: MAX_BATCH_SIZE,
      batchScheduleFn: (run) => turns.next(run),
    });
    loaders.set(pool, loader);
    return loader;
  };

  async function readBatch(pool: Pool, asked: readonly Asked[]): Promise<(Row | undefined)[]> {
    const found = new Map<string, Row>();
    // The shared parameters are nearly always equal for all keys: today's date.
    for (const [mark, group] of Map.groupBy(asked, ({ shared }) => shared.join(' '))) {
      const keys = [...new Set(group.map(({ key }) => key))];
      const { rows } = await pool.query<Row>({ ...statement, values: [keys, ...(group[0]?.shared ?? [])] });
      for (const row of rows) found.set(`${keyOf(row)} ${mark}`, row);
    }
    return asked.map(({ key, shared }) => found.get(`${key} ${shared.join(' ')}`));
  }

  return async (reading, key, ...shared) => {
    if (reading.pool) return loaderOf(reading.pool).load({ key, shared });
    const { em } = reading;
    if (em.isInTransaction()) return (await runPrepared<Row>(em, statement, [[key], ...shared]))[0];
    return loaderOf((await em.getConnection().getNativeClient()) as Pool).load({ key, shared });
  };
}
