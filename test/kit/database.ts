// A database of its own for a test file: a clone of the migrated template, or an empty one.
import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './postgres.ts';

export interface TestDatabase {
  /** The owner's connection. */
  url: string;
  query<Row extends object = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** `empty`: without any table of ours, as PostgreSQL makes it. */
export async function createTestDatabase({ empty = false }: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `egress_test_${randomBytes(6).toString('hex')}`;
  const admin = async (sql: string) => {
    const client = new Client({ connectionString: server });
    await client.connect();
    // Two clones at once disturb each other: the template must have no other user.
    await client.query(`select pg_advisory_lock(hashtext('egress clone'))`);
    await client.query(sql).finally(() => client.end());
  };
  await admin(`create database ${name} template ${empty ? 'template0' : inject('template')}`);
  // One connection for ever: what a test sets on it holds for its next query, and of several queries at once each has its turn.
  const pool = new Pool({ connectionString: databaseUrl(server, name), max: 1, idleTimeoutMillis: 0 });
  pool.on('error', () => {});
  return {
    url: databaseUrl(server, name),
    query: async <Row extends object>(sql: string, values: unknown[] = []) => (await pool.query<Row>(sql, values)).rows,
    async drop() {
      await pool.end();
      await admin(`drop database if exists ${name} with (force)`);
    },
  };
}

export interface OpenTransaction {
  /** The process id of its connection. */
  pid: number;
  query: TestDatabase['query'];
  commit(): Promise<void>;
  close(): Promise<void>;
}

/** A transaction of somebody who has not committed yet, on a connection of its own as the owner. */
export async function beginTransaction(url: string): Promise<OpenTransaction> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const query = async <Row extends object>(sql: string, values: unknown[] = []) => (await client.query<Row>(sql, values)).rows;
  const [connection] = await query<{ pid: number }>('select pg_backend_pid() as pid');
  await query('begin');
  return {
    pid: connection?.pid ?? 0,
    query,
    commit: async () => void (await query('commit')),
    close: () => client.end(),
  };
}
