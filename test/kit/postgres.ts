// One PostgreSQL server for a test run, with a migrated template database that every test file clones in milliseconds.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
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

/** Vitest's global setup: starts the server and makes the template. Durability is off, as a test's database need not survive a power cut. */
export default async function setup(project: TestProject) {
  const embedded = await openEmbeddedPostgres('.data/test', ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']);
  const { url } = embedded;
  const template = `egress_template_${shapeOfMigrations()}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  // Several runs may share the server: each holds this lock, and the last run to end stops the server.
  await client.query(`select pg_advisory_lock_shared(hashtext('egress test run'))`);
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
  return async () => {
    const { rows } = await client.query<{ last: boolean }>(
      `select pg_advisory_unlock_shared(hashtext('egress test run')), pg_try_advisory_lock(hashtext('egress test run')) as last`,
    );
    await client.end();
    if (rows[0]?.last) await embedded.stop();
  };
}

/** The URL of another database of the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
