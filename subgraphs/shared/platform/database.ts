// One ORM per subgraph, with its own database role, which reaches the subgraph's own PostgreSQL schema, the shared schema `platform` and nothing else. Entities
// and the unit of work are for changes; hot reads are SQL on the same `em`, prepared (`runPrepared`) or not: five times cheaper per row.
import { setTimeout } from 'node:timers/promises';
import { EntityManager, MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import type { EntitySchema, ForkOptions } from '@mikro-orm/core';
import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import { POOL_WAIT_MS, STATEMENT_TIMEOUT_MS, guardPool } from './database-pool.ts';
import type { SubgraphName } from '../../../schema/subgraphs.ts';
import { EventSequencer } from './event-sequencer.ts';
import type { Log } from './log.ts';

export type { EntityManager };

/**
 * Every request has an entity manager of its own. MikroORM 7.0's `fork` switches a setting on and off for each, and writes the process's environment both times:
 * without that, and with nothing to copy, it takes a third.
 */
class RequestEntityManager extends EntityManager {
  override fork(options?: ForkOptions): this {
    if (options) return super.fork(options) as this;
    return new RequestEntityManager(this.config, this.getDriver(), this.getMetadata(), false, this.getEventManager()) as this;
  }
}

export interface DatabaseOptions {
  url: string;
  /** The subgraph's name: of its schema, and of its role `egress_<name>`. Absent: the database owner, for the platform's own reading of the event log. */
  schema?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- entities of any shape
  entities: EntitySchema<any>[];
  pool: number;
  log: Log;
  /** Milliseconds to wait for a connection. */
  waitMs?: number;
  /** As in `GuardOptions`. */
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
    entityManager: RequestEntityManager,
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

/** A statement that a connection parses and plans once: for the few reads of nearly every request. */
export interface PreparedStatement {
  /** Unique among all statements of a subgraph. */
  name: string;
  text: string;
}

/**
 * Runs a prepared statement on the pool directly, because the query builder has no named statements; inside a transaction it runs unprepared on the
 * transaction's connection. A prepared statement costs the database about half of an unnamed one with the same text.
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

/** Runs one unprepared statement: `$1` stands for the first value. For sets of rows, whose statements use a value more than once. */
export const runStatement = async <Row>(em: EntityManager, text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;

/**
 * Makes a subgraph's role and schema those of the open transaction from here on, so that one transaction of the database's owner can write as several
 * subgraphs, one after the other.
 */
export async function actAs(em: EntityManager, subgraph: SubgraphName): Promise<void> {
  await runStatement(em, `select set_config('role', $1, true), set_config('search_path', $2, true)`, [
    `egress_${subgraph}`,
    `${subgraph},platform`,
  ]);
}

/** PostgreSQL's codes for a transaction that it rolled back because of others: a deadlock, a serialization failure. It may be run again. */
const ROLLED_BACK_FOR_OTHERS: ReadonlySet<unknown> = new Set(['40P01', '40001']);
const TRIES = 5;
/** Gives the other transactions time to end before the retry. */
const PAUSE_MS = 10;

/**
 * Runs work that is one transaction, and repeats it when it was rolled back because of other transactions. After five tries it throws the last error. `work`
 * must begin from scratch each time and call no vendor.
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

/** An audit record that the first committed transaction of a use case writes, once: who did it. */
export interface Trail {
  written: boolean;
  append(em: EntityManager): Promise<void>;
}

/**
 * Runs a use case as one transaction: all of it is committed, or nothing. The context inside has the transaction's `em`. A transaction that was rolled back
 * because of others is run again with a cleared `em`, so `work` must load what it changes. Inside another transaction it is a part of that one, and only that
 * one is run again. The context's trail is appended in the same transaction.
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
