import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readStorageConfig } from '#platform/config.ts';
import { openConfiguredDatabase } from '#platform/configured-database.ts';
import { migrate, schemaState } from '#platform/migrate.ts';
import { type MigrationFile, migrationFiles, readMigration } from '#platform/migration-file.ts';
import { runChild } from '../kit/child.ts';
import { type TestDatabase, createTestDatabase } from '../kit/database.ts';

let database: TestDatabase;
beforeEach(async () => (database = await createTestDatabase()));
afterEach(() => database.drop());

const withFile = (sql: string, name = '9990-next.sql'): MigrationFile[] => [...migrationFiles(), readMigration(name, sql)];
const ADDS = withFile('alter table accounts.account add column next text;');
const CREATES_INDEX = withFile('-- no transaction\ncreate unique index concurrently if not exists once on accounts.numbers (number);');

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url, application_name: 'a report' });
  await client.connect();
  return client;
}

/** A connection with an open transaction that has read the accounts. */
async function readAtLength(): Promise<Client> {
  const reader = await connect();
  await reader.query('begin');
  await reader.query('select count(*) from accounts.account');
  return reader;
}

describe('during a long read transaction', () => {
  test('no query waits behind a migration, which runs when the reader has ended', async () => {
    const reader = await readAtLength();
    const other = await connect();
    const waits = Promise.withResolvers<void>();
    const said: string[] = [];
    const say = (line: string) => {
      said.push(line);
      waits.resolve();
    };
    const migrated = migrate(database.url, { files: ADDS, lockMs: 200, pausesMs: [300, 300, 300, 300, 300, 300, 300, 300, 300, 300], say });
    await waits.promise;
    await other.query('set statement_timeout = 1000');
    for (let look = 0; look < 5; look++) await other.query('select count(*) from accounts.account');
    await reader.query('commit');
    expect(await migrated).toEqual(['9990-next.sql']);
    expect(said[0]).toMatch(
      /^9990-next\.sql waits for a lock, and tries again in 0\.3 s\. The longest at work is a report \(process \d+ of PostgreSQL, idle in transaction/,
    );
    expect(said.at(-1)).toBe('9990-next.sql is done.');
    await reader.end();
    await other.end();
  });

  test('a migration that never gets its lock says who holds it, and has done nothing', async () => {
    const reader = await readAtLength();
    await expect(migrate(database.url, { files: ADDS, lockMs: 50, pausesMs: [10] })).rejects.toThrow(
      /^9990-next\.sql was given up: somebody holds a lock that it needs\. The longest at work is a report .* Nothing of it was done\.$/,
    );
    await reader.end();
    expect((await schemaState(database.url, ADDS)).pending.map(({ name }) => name)).toEqual(['9990-next.sql']);
    expect(await migrate(database.url, { files: ADDS })).toEqual(['9990-next.sql']);
  });
});

describe('without a transaction', () => {
  const isValid = async () =>
    (await database.query<{ v: boolean }>(`select indisvalid as v from pg_index where indexrelid = 'accounts.once'::regclass`))[0]?.v;
  beforeEach(() => database.query('create table accounts.numbers (number int)'));

  test('an invalid index of an interrupted build is rebuilt', async () => {
    await database.query('insert into accounts.numbers values (1), (1)');
    await expect(migrate(database.url, { files: CREATES_INDEX })).rejects.toThrow('could not create unique index');
    expect(await isValid()).toBe(false);
    await database.query('truncate accounts.numbers');
    const said: string[] = [];
    expect(await migrate(database.url, { files: CREATES_INDEX, say: (line) => said.push(line) })).toEqual(['9990-next.sql']);
    expect(await isValid()).toBe(true);
    expect(said[0]).toBe('The index accounts.once was left half built: it is dropped, and built anew.');
    expect(await migrate(database.url, { files: CREATES_INDEX })).toEqual([]);
  });

  test('an index is built once by several migrations at the same time', async () => {
    const all = await Promise.all([1, 2, 3].map(() => migrate(database.url, { files: CREATES_INDEX })));
    expect(all.flat()).toEqual(['9990-next.sql']);
    expect(await isValid()).toBe(true);
  });
});

describe('a program and a schema that differ', () => {
  const config = (more: Record<string, string>) =>
    readStorageConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: database.url, ...more });

  test('an older program works with a newer schema that only adds, and is refused by an incompatible one', async () => {
    await migrate(database.url, { files: ADDS });
    expect(await migrate(database.url)).toEqual([]);
    expect(await schemaState(database.url)).toMatchObject({ pending: [], unknown: ['9990-next.sql'], needs: undefined });
    await (await openConfiguredDatabase(config({}))).stop();

    const files = [...ADDS, readMigration('9991-less.sql', '-- needs program: 9990\nalter table accounts.account drop column next;')];
    expect(await migrate(database.url, { files })).toEqual(['9991-less.sql']);
    expect(await migrate(database.url, { files: ADDS })).toEqual([]);
    const refusal =
      /^The database is newer than this program, which knows migrations up to \d{4}: since 9991-less\.sql it needs a program that knows 9990\./;
    await expect(migrate(database.url)).rejects.toThrow(refusal);
    for (const MIGRATE of ['on', 'off']) await expect(openConfiguredDatabase(config({ MIGRATE }))).rejects.toThrow(refusal);
  });

  test('with MIGRATE=off an older schema is refused and left as it is', async () => {
    await database.query(`delete from public.egress_migration where name = '0140-schema-needs.sql'`);
    await expect(openConfiguredDatabase(config({ MIGRATE: 'off' }))).rejects.toThrow(
      'The database is older than this program, and MIGRATE=off: one migration is pending, from 0140-schema-needs.sql. Run: npm run --silent migrate',
    );
    expect((await schemaState(database.url)).pending).toHaveLength(1);
  });
});

describe('npm run migrate', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'egress-migrate-'))));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = async (...words: string[]) => {
    const child = runChild('migrate.ts', { NODE_ENV: 'production', DATABASE_URL: database.url, DATA_DIR: folder }, words);
    return { code: await child.ended, text: child.text() };
  };

  test('says what it would do, does it, and needs no vendor for it', async () => {
    await database.query('drop table platform.schema_need');
    await database.query(`delete from public.egress_migration where name = '0140-schema-needs.sql'`);
    expect(await run('--dry-run')).toEqual({ code: 0, text: '0140-schema-needs.sql: 2 statements\n1 would run. Nothing was changed.\n' });
    expect((await run('--status')).text).toMatch(
      /^Schema {4}\d{4}, by \d+ migrations\nProgram {3}\S+, knows migrations up to \d{4}\nPending {3}0140-schema-needs\.sql\nUnknown {3}nothing\n/,
    );
    expect(await run()).toEqual({ code: 0, text: '0140-schema-needs.sql is done.\n1 ran.\n' });
    expect(await run()).toEqual({ code: 0, text: 'Nothing was pending.\n' });
  });
});
