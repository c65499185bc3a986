// One ORM per subgraph, on a role of its own that reaches its own PostgreSQL schema and the shared `platform` schema, nothing else.
// Entities and the unit of work are for changes; hot reads are SQL on the same `em`, prepared (`runPrepared`) or not: five times cheaper per row.
import { setTimeout } from 'node:timers/promises';
import { MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntitySchema } from '@mikro-orm/core';
import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import { POOL_WAIT_MS, STATEMENT_TIMEOUT_MS, guardPool } from './database-pool.ts';
import { EventSequencer } from './event-sequencer.ts';
import type { Log } from './log.ts';

export type { EntityManager } from '@mikro-orm/postgresql';

export interface DatabaseOptions {
  url: string;
  /** Subgraph name: its schema, and its role `egress_<name>`. Absent: the owner, for the platform's own reading of the event log. */
  schema?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- entities of any shape
  entities: EntitySchema<any>[];
  pool: number;
  log: Log;
  /** Milliseconds that anybody waits for a connection. */
  waitMs?: number;
  /** Statements may take as long as they set themselves: commands of an operator. */
  patient?: boolean;
}

export async function openDatabase({
  url,
  schema,
  entities,
  pool,
  log,
  waitMs = POOL_WAIT_MS,
  patient = false,
}: DatabaseOptions): Promise<MikroORM> {
  const name = schema ?? 'platform';
  const role = schema === undefined ? '-c search_path=platform' : `-c role=egress_${schema} -c search_path=${schema},platform`;
  const sequencer = new EventSequencer();
  const orm = await MikroORM.init({
    clientUrl: url,
    ...(schema !== undefined && { schema }),
    entities,
    subscribers: [sequencer],
    namingStrategy: UnderscoreNamingStrategy,
    pool: { min: 0, max: pool },
    driverOptions: {
      options: `${role} -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c idle_in_transaction_session_timeout=30000`,
      application_name: `egress-${name}`,
      connectionTimeoutMillis: waitMs,
      onPoolCreated: (made: Pool) => guardPool(made, { name, log, patient }),
    },
    discovery: { warnWhenNoEntities: false, checkDuplicateTableNames: false },
    ignoreUndefinedInQuery: false,
    forceUtcTimezone: true,
    logger: (message) => log.warn({ orm: message }, 'database'),
  });
  sequencer.follow(orm.em.fork());
  return orm;
}

/** A statement that a connection parses and plans once: for the few reads that nearly every request makes. */
export interface PreparedStatement {
  /** Unique among all statements of a subgraph. */
  name: string;
  text: string;
}

/**
 * Runs a prepared statement: on the pool, past the query builder, which has no names for statements; or on the transaction's connection inside of one.
 * The database then does about half the work of an unnamed statement of the same text.
 */
export async function runPrepared<Row extends object>(
  em: EntityManager,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  if (em.isInTransaction()) return runStatement<Row>(em, text, values);
  const pool = (await em.getConnection().getNativeClient()) as Pool;
  return (await pool.query<Row>({ name, text, values: [...values] })).rows;
}

/** Runs one statement that is not prepared: `$1` stands for the first value. For sets of rows, whose statements name a value more than once. */
export const runStatement = async <Row>(em: EntityManager, text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;

/** PostgreSQL's words for a transaction that it rolled back for the sake of others: a deadlock, a serialization failure. It may be run again. */
const ROLLED_BACK_FOR_OTHERS: ReadonlySet<unknown> = new Set(['40P01', '40001']);
const TRIES = 5;
/** The others have to come to their end before it is tried again. */
const PAUSE_MS = 10;

/**
 * Runs work that is one transaction, and again when it was rolled back for the sake of others: after five tries its last error stands. `work` begins
 * anew each time, and calls no vendor.
 */
export async function againForOthers<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= TRIES || !ROLLED_BACK_FOR_OTHERS.has((error as { code?: unknown }).code)) throw error;
      await setTimeout(PAUSE_MS * attempt * (1 + Math.random()));
    }
  }
}

/** What the first transaction of a use case that commits takes with it, once: who did it, for those who look later. */
export interface Trail {
  written: boolean;
  append(em: EntityManager): Promise<void>;
}

/**
 * Runs a use case as one transaction: everything in it happens, or nothing. The context inside carries the transaction's `em`. What was rolled back
 * for the sake of others is run again, from nothing that was read before: `work` loads what it changes. Inside another transaction it is a part of
 * that, which alone can be run again. What the context has of a trail is appended with it.
 */
export function inTransaction<Context extends { em: EntityManager; trail?: Trail }, Result>(
  context: Context,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { em, trail } = context;
  const within = (also?: Trail['append']) =>
    em.transactional(
      async (forked) => {
        const tx = forked as EntityManager;
        const result = await work({ ...context, em: tx });
        await also?.(tx);
        return result;
      },
      { clear: false },
    );
  if (em.isInTransaction()) return within();
  return againForOthers(async (attempt) => {
    if (attempt > 1) em.clear();
    if (!trail || trail.written) return within();
    const result = await within(trail.append);
    trail.written = true;
    return result;
  });
}
