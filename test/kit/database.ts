// Makes a database for one test file: a clone of the migrated template, or an empty database.
import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './postgres.ts';

export interface TestDatabase {
  /** Connects as the owner of the database. */
  url: string;
  query<Row extends object = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** `empty`: a database as PostgreSQL makes it, without any of our tables. */
export async function createTestDatabase({ empty = false }: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `egress_test_${randomBytes(6).toString('hex')}`;
  const admin = async (sql: string) => {
    const client = new Client({ connectionString: server });
    await client.connect();
    // Two clones at once would fail: PostgreSQL clones a template only while nobody else uses it.
    await client.query(`select pg_advisory_lock(hashtext('egress clone'))`);
    await client.query(sql).finally(() => client.end());
  };
  await admin(`create database ${name} template ${empty ? 'template0' : inject('template')} strategy file_copy`);
  // One connection that stays open: what a test sets on it holds for its next query, and several queries at once run one after another.
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
  /** The id of the server process behind the transaction's connection. */
  pid: number;
  query: TestDatabase['query'];
  commit(): Promise<void>;
  close(): Promise<void>;
}

/** Begins a transaction as the database's owner, on a new connection, that stays open until the test commits or closes it. */
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
