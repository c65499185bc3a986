// One PostgreSQL server for a test run, with a migrated template database that every test file clones in milliseconds.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects to the server as its owner; `template` is the name of the template database. */
    postgresUrl: string;
    template: string;
  }
}

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** A hash of all migrations: it is part of the template's name, so that an old template is never reused. */
const shapeOfMigrations = () => {
  const hash = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort()) hash.update(name).update(readFileSync(new URL(name, MIGRATIONS)));
  return hash.digest('hex').slice(0, 16);
};

/** A server that several test runs may share: the last to leave stops it. */
export interface SharedServer {
  url: string;
  /** Connected as the server's owner. */
  client: Client;
  leave(): Promise<void>;
}

/** Others may be stopping the server just now: their end breaks our connection, and the next try starts it anew. */
const JOIN_TRIES = 10;

/** Joins the server of a directory, or starts it. Durability is off, as a test's database need not survive a power cut. */
export async function joinServer(directory: string): Promise<SharedServer> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryToJoin(directory);
    } catch (error) {
      if (tries === JOIN_TRIES) throw error;
      await pause(tries * 100);
    }
  }
}

async function tryToJoin(directory: string): Promise<SharedServer> {
  const embedded = await openEmbeddedPostgres(directory, ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']);
  const client = new Client({ connectionString: embedded.url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`select pg_advisory_lock_shared(hashtext('egress test run'))`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return {
    url: embedded.url,
    client,
    async leave() {
      const { rows } = await client.query<{ last: boolean }>(
        `select pg_advisory_unlock_shared(hashtext('egress test run')), pg_try_advisory_lock(hashtext('egress test run')) as last`,
      );
      // Kept to the end: who asks for the lock meanwhile gets a broken connection, not a server that is about to go.
      if (rows[0]?.last) await embedded.stop();
      await client.end().catch(() => {});
    },
  };
}

/** Vitest's global setup: joins the server and makes the template. */
export default async function setup(project: TestProject) {
  const { url, client, leave } = await joinServer('.data/test');
  const template = `egress_template_${shapeOfMigrations()}`;
  await client.query(`select pg_advisory_lock(hashtext('egress template'))`);
  const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [template]);
  if (rowCount === 0) {
    await client.query(`drop database if exists ${template}`);
    await client.query(`create database ${template}`);
    await migrate(databaseUrl(url, template));
    await client.query(`alter database ${template} is_template true`);
  }
  await client.query(`select pg_advisory_unlock(hashtext('egress template'))`);
  project.provide('postgresUrl', url);
  project.provide('template', template);
  return leave;
}

/** The URL of another database of the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
