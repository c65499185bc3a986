// Backs a platform up while it sells, and restores the backup in another place, where it goes on selling.
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/migrate.ts';
import { runChild } from '../../../../kit/child.ts';
import { type Stack, startStack } from '../../../../kit/stack.ts';
import { type Bought, PASSPHRASE, SECRET, backUp, configOf, keepBuying, lookInto, restore, scratchFolder } from './backup-world.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let scratch: ReturnType<typeof scratchFolder>;
let postgres: EmbeddedPostgres;
let stack: Stack;
let bought: Bought;
let backup: string;
/** The ids of plans that the API had shown as delivered when the backup was taken. */
let delivered: string[];
const restored: EmbeddedPostgres[] = [];

beforeAll(async () => {
  scratch = scratchFolder();
  postgres = await openEmbeddedPostgres(join(scratch.at('data'), 'postgres'));
  stack = await startStack({ databaseUrl: postgres.url });
  bought = { buyer: await stack.seed.account(), plans: [] };
  mkdirSync(join(scratch.at('data'), 'edge'));
  writeFileSync(join(scratch.at('data'), 'edge', 'journal'), 'what was counted');
  writeFileSync(scratch.at('prices.json'), '{}');

  backup = scratch.at('backup');
  const buying = keepBuying(stack, bought);
  await buying.count(3);
  const config = configOf({ DATA_DIR: scratch.at('data') });
  const { holdsUntil } = await backUp({
    folder: backup,
    config,
    embedded: postgres,
    operatorFiles: { CATALOGUE_FILE: scratch.at('prices.json'), NONE_FILE: '/none' },
  });
  delivered = buying.until(holdsUntil);
  expect(delivered.length).toBeGreaterThan(2);
  await buying.count(1);
  await buying.stop();
});
afterAll(async () => {
  await stack.close();
  for (const server of [postgres, ...restored]) await server.stop();
  scratch.remove();
});

const place = (name: string) => ({ DATA_DIR: scratch.at(name), DATABASE_URL: undefined });

// A job that ran when the copy was made goes to another worker once its heartbeat is missed, a minute later at most.
test('everything that was acknowledged before its end is there, the books balance, and the next purchase is delivered', async () => {
  const again = `again-${randomUUID()}`;
  await restore(backup, place(again));
  const server = await openEmbeddedPostgres(join(scratch.at(again), 'postgres'));
  restored.push(server);
  const found = await lookInto(server.url, bought.buyer);
  expect(found.plans).toEqual(expect.arrayContaining(delivered));
  expect(found.plans.length).toBeLessThan(bought.plans.length);
  expect(found).toMatchObject({ uneven: [], status: 'FULFILLED' });
  expect(found.journals).toBeGreaterThanOrEqual(delivered.length);

  expect(readFileSync(join(scratch.at(again), 'secret'), 'utf8')).toBe(SECRET);
  expect(readFileSync(join(scratch.at(again), 'edge', 'journal'), 'utf8')).toBe('what was counted');
  expect(readFileSync(join(scratch.at(again), 'operator', 'CATALOGUE_FILE', 'prices.json'), 'utf8')).toBe('{}');
});

test('nothing of it can be read without the passphrase', () => {
  for (const name of readdirSync(backup)) {
    const bytes = readFileSync(join(backup, name));
    for (const secret of [SECRET, bought.buyer.email, PASSPHRASE]) expect(bytes.includes(secret), name).toBe(false);
  }
});

describe('refused, with nothing written', () => {
  let copies = 0;
  const changed = (name: string, change: (bytes: Buffer) => Buffer) => {
    const folder = scratch.at(`changed-${copies++}`);
    cpSync(backup, folder, { recursive: true });
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name))));
    return folder;
  };
  const edited = (edit: (manifest: any) => void) =>
    changed('manifest.json', (bytes) => {
      const manifest = JSON.parse(bytes.toString());
      edit(manifest);
      return Buffer.from(JSON.stringify(manifest));
    });
  const flip = (bytes: Buffer) => (bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1), bytes);

  test.each<[what: string, folder: () => string, passphrase: string, sentence: string | RegExp]>([
    ['a wrong passphrase', () => backup, 'correct horse batterx', 'BACKUP_PASSPHRASE is not the one that this backup was made with'],
    [
      'a part that was cut off',
      () => changed('database.sealed', (bytes) => bytes.subarray(0, bytes.length - 65_552)),
      PASSPHRASE,
      'database.sealed of the backup was changed, or is not whole',
    ],
    ['a part that was changed', () => changed('files.sealed', flip), PASSPHRASE, 'files.sealed of the backup was changed'],
    [
      'a part of another backup with its sum',
      () => edited((manifest) => (manifest.parts.database = manifest.parts.files)),
      PASSPHRASE,
      /manifest\.json was changed/,
    ],
    [
      'another moment',
      () => edited((manifest) => (manifest.takenAt = '2020-01-01T00:00:00.000Z')),
      PASSPHRASE,
      /manifest\.json was changed/,
    ],
    [
      'a manifest that is none',
      () => changed('manifest.json', () => Buffer.from('{}')),
      PASSPHRASE,
      'is none that this program has written',
    ],
    ['a folder without one', () => scratch.at('nothing'), PASSPHRASE, 'There is no backup in'],
  ])('%s', async (_, folder, passphrase, sentence) => {
    await expect(restore(folder(), place('refused'), passphrase)).rejects.toThrow(sentence);
    expect(existsSync(scratch.at('refused'))).toBe(false);
  });

  test('a place where something is already', async () => {
    await expect(restore(backup, place('data'))).rejects.toThrow('has something in it: restore into one that is new');
    await expect(backUp({ folder: backup, config: configOf({ DATA_DIR: scratch.at('data') }), embedded: postgres })).rejects.toThrow(
      'has something in it',
    );
  });
});

test('a backup that fails half-way leaves nothing behind', async () => {
  const config = configOf({ DATA_DIR: scratch.at('data'), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  await expect(backUp({ folder: scratch.at('half'), config, embedded: undefined })).rejects.toThrow('pg_dump failed');
  expect(readdirSync(scratch.at('')).filter((name) => name.startsWith('half'))).toEqual([]);
});

test('the commands say what they need, take a backup beside a running platform, and try it out', async () => {
  const environment = { DATA_DIR: scratch.at('data'), SECRET };
  const ended = async (file: string, words: string[], more: Record<string, string> = { BACKUP_PASSPHRASE: PASSPHRASE }) => {
    const child = runChild(file, { ...environment, ...more }, words);
    return [await child.ended, child.text()];
  };
  expect(await ended('backup.ts', [scratch.at('by-command')], {})).toEqual([
    1,
    'BACKUP_PASSPHRASE must be set: backups are sealed with it.\n',
  ]);
  expect(await ended('backup.ts', [])).toEqual([
    1,
    expect.stringMatching(/^Usage: npm run --silent backup -- DIR, or -- --scheduled or --follow, /),
  ]);
  const [code, said] = await ended('backup.ts', [scratch.at('by-command')]);
  expect(said).toMatch(/by-command holds everything that was acknowledged before \S+Z: schema \d{4}, \d+ bytes\.\n$/);
  expect(code).toBe(0);
  const [drilled, words] = await ended('restore.ts', [scratch.at('by-command'), '--drill']);
  expect(words).toMatch(/^Restored\.\nJournals: [1-9]\d*, entries: \d+\nThe books balance to the cent\.\n/);
  expect(words).toMatch(/The platform starts on it and is ready\.\nSomebody signed up, bought Premium.* by card, and has it\.\n/);
  expect(words).toMatch(/Books and usage agree after that too\.\nThe backup is good: /);
  expect(drilled).toBe(0);
  expect(await migrate(postgres.url)).toEqual([]);
});
