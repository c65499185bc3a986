// Single rows by key, for the reads that nearly every request makes: what requests ask for in one pass of the event loop is one statement for the database.
// A busy server then makes one round trip for many requests, an idle one waits for nothing.
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { type EntityManager, type PreparedStatement, runPrepared } from './database.ts';

/** The row of a key, or undefined. Inside a transaction it is read there, alone. Rejects, with all of its batch, when the statement fails. */
export type PointRead<Row> = (em: EntityManager, key: string, ...shared: readonly string[]) => Promise<Row | undefined>;

interface Asked {
  key: string;
  shared: readonly string[];
}

/** Keys of one statement. */
const MAX_BATCH_SIZE = 100;

/**
 * `statement` takes the keys as an array, `$1`, then what all of them share. A key must be a checked value, an id or a hash: one that the database refuses fails
 * its neighbours too.
 */
export function pointRead<Row extends object>(statement: PreparedStatement, keyOf: (row: Row) => string): PointRead<Row> {
  const loaders = new WeakMap<Pool, DataLoader<Asked, Row | undefined>>();

  const loaderOf = (pool: Pool): DataLoader<Asked, Row | undefined> => {
    const known = loaders.get(pool);
    if (known) return known;
    const loader = new DataLoader<Asked, Row | undefined>((asked) => readBatch(pool, asked), {
      cache: false,
      maxBatchSize: MAX_BATCH_SIZE,
      // After the sockets that are readable now: their requests come along.
      batchScheduleFn: (run) => void setImmediate(run),
    });
    loaders.set(pool, loader);
    return loader;
  };

  async function readBatch(pool: Pool, asked: readonly Asked[]): Promise<(Row | undefined)[]> {
    const found = new Map<string, Row>();
    // What is shared is nearly always the same for all: today's date.
    for (const [mark, group] of Map.groupBy(asked, ({ shared }) => shared.join(' '))) {
      const keys = [...new Set(group.map(({ key }) => key))];
      const { rows } = await pool.query<Row>({ ...statement, values: [keys, ...(group[0]?.shared ?? [])] });
      for (const row of rows) found.set(`${keyOf(row)} ${mark}`, row);
    }
    return asked.map(({ key, shared }) => found.get(`${key} ${shared.join(' ')}`));
  }

  return async (em, key, ...shared) => {
    if (em.isInTransaction()) return (await runPrepared<Row>(em, statement, [[key], ...shared]))[0];
    return loaderOf((await em.getConnection().getNativeClient()) as Pool).load({ key, shared });
  };
}
