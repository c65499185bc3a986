// `npm run catalogue`: it can import what it exports; a file with anything unknown in it changes nothing.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const catalogue = (...words: string[]): Promise<string> =>
  promisify(execFile)(process.execPath, ['catalogue.ts', ...words], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: platform.databaseUrl,
      DATA_DIR: platform.config.DATA_DIR,
      LOG_LEVEL: 'silent',
    },
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
