// The embedded PostgreSQL starts after an unclean end, whatever files that has left.
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { copyPrograms, serverOwner } from '#platform/embedded-programs.ts';
import { watchEmbeddedPostgres } from '#platform/embedded-watch.ts';
import { silentLog } from '#platform/log.ts';

let directory: string;
let postgres: EmbeddedPostgres;
const file = () => join(postgres.directory, 'data', 'postmaster.pid');
const postmaster = () => Number(readFileSync(file(), 'utf8').split('\n')[0]);

async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  return client.query(sql).then(
    ({ rows }) => (client.end(), rows as Row[]),
    (error: unknown) => (client.end(), Promise.reject(error as Error)),
  );
}

/** Kills the postmaster, as the out-of-memory killer does; resolves when none of its processes answers any more. */
async function kill(): Promise<void> {
  process.kill(postmaster(), 'SIGKILL');
  await expect
    .poll(
      () =>
        ask(postgres.url, 'select 1').then(
          () => 'answers',
          () => 'gone',
        ),
      { timeout: 10_000 },
    )
    .toBe('gone');
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-embedded-'));
  postgres = await openEmbeddedPostgres(directory);
  await ask(postgres.url, 'create table kept (id int)');
});
afterAll(async () => {
  await postgres.stop();
  rmSync(directory, { recursive: true });
});

describe('a process id in a stale postmaster.pid', () => {
  let foreign: ChildProcess;
  let thread: Worker;
  beforeAll(() => {
    foreign = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', ...serverOwner() });
    thread = new Worker('setInterval(() => {}, 1000)', { eval: true });
  });
  afterAll(async () => {
    foreign.kill();
    await thread.terminate();
  });
  /** The id of a thread of this process other than its main thread. */
  const threadNumber = async () => {
    const { readdirSync } = await import('node:fs');
    return process.platform === 'linux'
      ? readdirSync('/proc/self/task')
          .map(Number)
          .find((id) => id !== process.pid)
      : process.pid;
  };

  test.each<[name: string, line: () => unknown]>([
    ['of a living process of the same user', () => foreign.pid],
    ['of a living thread', threadNumber],
    ['of this process', () => process.pid],
    ['of nobody', () => 4_194_000],
    ['that is none', () => 'x'],
  ])('%s does not keep it from starting, on the port that it had', async (_, line) => {
    const { url } = postgres;
    await kill();
    const [, ...rest] = readFileSync(file(), 'utf8').split('\n');
    writeFileSync(file(), [String(await line()), ...rest].join('\n'));
    postgres = await openEmbeddedPostgres(directory);
    expect(postgres).toMatchObject({ url, started: true });
    expect(await ask(url, 'select from kept')).toEqual([]);
  });

  test('nor does an empty file', async () => {
    await kill();
    writeFileSync(file(), '');
    postgres = await openEmbeddedPostgres(directory);
    expect(await ask(postgres.url, 'select from kept')).toEqual([]);
  });

  test('is left alone by a stop that comes after the server has died', async () => {
    await kill();
    const [, ...rest] = readFileSync(file(), 'utf8').split('\n');
    writeFileSync(file(), [String(foreign.pid), ...rest].join('\n'));
    await postgres.stop();
    expect(foreign.signalCode).toBeNull();
    postgres = await openEmbeddedPostgres(directory);
  });
});

test('a second process that opens it finds it running', async () => {
  expect(await openEmbeddedPostgres(directory)).toMatchObject({ url: postgres.url, started: false });
});

test('two processes that start it at the same time share one server', async () => {
  await postgres.stop();
  const both = await Promise.all([openEmbeddedPostgres(directory), openEmbeddedPostgres(directory)]);
  expect(new Set(both.map(({ url }) => url)).size).toBe(1);
  expect(both.some(({ started }) => started)).toBe(true);
});

test('a watched server restarts by itself each time it dies, and not after it was stopped', async () => {
  const watch = watchEmbeddedPostgres(postgres, silentLog);
  for (let death = 0; death < 2; death++) {
    const before = postmaster();
    process.kill(before, 'SIGKILL');
    await expect
      .poll(
        () =>
          ask(postgres.url, 'select from kept').then(
            () => postmaster() !== before,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
  }
  expect(postgres.started).toBe(true);
  await watch.stop();
  await postgres.stop();
  await expect(ask(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  postgres = await openEmbeddedPostgres(directory);
});

describe('a copy of its programs', () => {
  let place: string;
  let native: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'egress-programs-'));
    native = join(place, 'native');
    mkdirSync(join(native, 'bin'), { recursive: true });
    writeFileSync(join(native, 'bin', 'postgres'), 'ours', { mode: 0o755 });
  });
  afterAll(() => rmSync(place, { recursive: true }));
  const owner = serverOwner();

  test('is in a folder that nobody else can enter, and is used again', () => {
    const copy = join(place, 'copy');
    copyPrograms(native, copy, owner);
    copyPrograms(native, copy, owner);
    expect(statSync(copy).mode & 0o777).toBe(0o700);
    expect(statSync(copy).uid).toBe(owner.uid ?? process.getuid?.());
    expect(readFileSync(join(copy, 'bin', 'postgres'), 'utf8')).toBe('ours');
  });

  test.each<[string, (folder: string) => void]>([
    ['that others may write', (folder) => mkdirSync(folder, { mode: 0o755 })],
    ['of somebody else', (folder) => (mkdirSync(folder, { mode: 0o700 }), chownSync(folder, 12_345, 12_345))],
    ['behind a link', (folder) => (mkdirSync(`${folder}.target`, { mode: 0o700 }), symlinkSync(`${folder}.target`, folder))],
  ])('is refused in a folder %s', (name, make) => {
    if (name === 'of somebody else' && process.getuid?.() !== 0) return;
    const copy = join(place, name.replaceAll(' ', '-'));
    make(copy);
    expect(() => copyPrograms(native, copy, owner)).toThrow(/was put there by somebody else/);
  });
});
