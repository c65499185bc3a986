// `npm run catalogue`: it can import what it exports; a file with anything unknown in it changes nothing.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startSubgraph } from '#platform/subgraph.ts';
import { SUBGRAPH_DEFINITIONS } from '../../all-subgraphs.ts';
import { runChild } from '../kit/child.ts';
import { beginTransaction } from '../kit/database.ts';
import { waiters } from '../kit/locks.ts';
import { type TestPlatform, startPlatform } from '../kit/platform.ts';

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startPlatform();
  folder = mkdtempSync(join(tmpdir(), 'egress-catalogue-'));
});
afterAll(async () => {
  await platform.close();
  rmSync(folder, { recursive: true });
});

const environment = () => ({
  NODE_ENV: 'test',
  DATABASE_URL: platform.databaseUrl,
  DATA_DIR: platform.config.DATA_DIR,
  LOG_LEVEL: 'silent',
});
const catalogue = (...words: string[]): Promise<string> =>
  promisify(execFile)(process.execPath, ['catalogue.ts', ...words], {
    env: { ...process.env, ...environment() },
  }).then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => error.stderr,
  );
const file = (content: object): string => {
  const path = join(folder, 'catalogue.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};

test('exports the catalogue, imports it without a change, and sets only different values', async () => {
  const sold = JSON.parse(await catalogue('export'));
  expect(sold).toMatchObject({
    residential: { MOBILE: { sold: true, prices: { 1: '6.50' } } },
    static: { datacenter: { price: '1.20' }, 'isp-cascade': { carrier: 'Cascade' } },
    vps: { PLANK: { prices: { 1: '32.00', 3: '29.00', 6: '28.33' } }, extraIpv4: { price: '1.45' } },
    dedicated: { CURIE: { cores: 16 } },
    systems: { DEBIAN_13: { sold: true } },
  });
  expect(await catalogue('import', file(sold))).toBe('Fields changed: 0\n');
  const mistaken = { static: { datacenter: { price: '9.99' } }, vps: { PLANCK: { name: 'Plank' } } };
  expect(await catalogue('import', file(mistaken))).toContain('vps.PLANCK: is not known');
  expect(await catalogue('import', file({ static: { datacenter: { price: '1.30' } }, vps: { backups: { price: '4.00' } } }))).toBe(
    'Fields changed: 2\n',
  );
  expect((await catalogue('show')).split('\n').filter((line) => line.endsWith('command'))).toEqual([
    expect.stringMatching(/^static\.datacenter\.price\t1\.30\t/),
    expect.stringMatching(/^vps\.backups\.price\t4\.00\t/),
  ]);
  expect(await catalogue('import')).toContain('Usage');
}, 120_000);

const halves = { residential: { PREMIUM: { name: 'Gold' } }, static: { datacenter: { price: '1.70' } }, vps: { PLANK: { name: 'Board' } } };
const shown = async () => (await catalogue('show')).split('\n').map((line) => line.split('\t').slice(0, 2).join(' '));
const WISHED = ['residential.PREMIUM.name Gold', 'static.datacenter.price 1.70', 'vps.PLANK.name Board'];

test('an import that is killed between two sellers has changed nothing, and run again changes everything', async () => {
  // The lock of the last seller is held, so that the import has written what the others sell and waits.
  const held = await beginTransaction(platform.databaseUrl);
  try {
    await held.query(`select pg_advisory_xact_lock(hashtext('catalogue compute'))`);
    const child = runChild('catalogue.ts', environment(), ['import', file(halves)]);
    await vi.waitFor(
      async () => expect(await waiters(platform.database.query, 'pg_advisory_xact_lock', held.pid), child.text()).toHaveLength(1),
      { timeout: 30_000 },
    );
    child.process.kill('SIGKILL');
    expect(await child.ended).toBe('SIGKILL');
  } finally {
    await held.close();
  }
  const left = await shown();
  expect(WISHED.filter((line) => left.includes(line))).toEqual([]);
  expect(await catalogue('import', file(halves))).toBe('Fields changed: 3\n');
  expect(await shown()).toEqual(expect.arrayContaining(WISHED));
}, 120_000);

test('a dry run tells what would change, and changes nothing', async () => {
  const path = file({
    static: { datacenter: { price: '2.05' } },
    dedicated: { CURIE: { cores: 24 } },
    systems: { DEBIAN_13: { sold: true } },
  });
  const lines = (await catalogue('import', path, '--dry-run')).split('\n').slice(0, -1);
  expect(lines).toEqual([
    expect.stringMatching(/^static\.datacenter\.price\t1\.\d\d\t2\.05$/),
    'dedicated.CURIE.cores\t16\t24',
    'Fields that would change: 2',
  ]);
  expect(await shown()).not.toContain('dedicated.CURIE.cores 24');
  expect(await catalogue('import', path, '--dry')).toContain('Usage');
}, 120_000);

test('all mistakes of a file are told at once with their lines, and nothing of it is written', async () => {
  const path = join(folder, 'mistaken.json');
  writeFileSync(
    path,
    `{ "residential": { "PREMIUM": { "name": "Silver",
      "prices": { "2": "5.00" } } },
  "static": {
    "datacenter": { "price": "free" }, "datacenter": { "price": "1.90" } },
  "vps": { "PLANCK": { "name": "x" } },
  "vpn": {} }`,
  );
  expect((await catalogue('import', path)).split('\n').filter((line) => line.startsWith('  - '))).toEqual([
    '  - residential.PREMIUM.prices: the first price step must be 1 (line 2)',
    '  - static.datacenter: is there twice (line 4)',
    '  - vps.PLANCK: is not known (line 5)',
    '  - vpn: is not known (line 6)',
  ]);
  expect(await shown()).not.toContain('residential.PREMIUM.name Silver');
}, 120_000);

test('another price is announced, listed and taken back; a wrong day, item or id is said in a sentence', async () => {
  // The platform has run: there are queues for what commands leave to it.
  const compute = await startSubgraph(platform, SUBGRAPH_DEFINITIONS.compute);
  onTestFinished(() => compute.close());
  const line = await catalogue('reprice', 'vps.PLANK', '2099-03-01', 'Energy costs more');
  const [id = '', ...rest] = line.trim().split('\t');
  expect(rest).toEqual(['vps.PLANK', '2099-03-01T00:00:00.000Z', '0 waiting', 'Energy costs more']);
  expect(await catalogue('repricings')).toBe(line);
  expect(await catalogue('keep-price', id)).toContain('\twithdrawn\t');
  expect(await catalogue('keep-price', id)).toContain('applies already, or was withdrawn');
  expect(await catalogue('keep-price', 'rep_none')).toBe('No announcement has the id rep_none.\n');
  expect(await catalogue('reprice', 'static.datacenter', 'soon', 'x')).toBe('soon is not a day such as 2027-03-01.\n');
  expect(await catalogue('reprice', 'static.nothing', '2099-03-01', 'x')).toMatch(/^\S+.*\n$/);
}, 120_000);
