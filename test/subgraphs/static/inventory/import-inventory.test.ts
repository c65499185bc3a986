import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { because } from '#platform/errors.ts';
import { importInventory } from '../../../../subgraphs/static/inventory/services/import-inventory.ts';
import { type StaticWorld, startStatic } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic();
});
afterAll(() => world.close());

const load = (...lines: string[]) => importInventory(world.context(), ['ip,port,product,location', ...lines].join('\r\n'));
const stored = () => rowsOf(world.query, 'static.address', {}, { columns: 'host(ip) as ip, port, product_id, location', orderBy: 'ip' });

test('a good file is loaded whole', async () => {
  expect(await load('203.0.113.1,8000,isp-northline,Frankfurt', '203.0.113.2,65535,DATACENTER,"Ashburn, VA"', '')).toEqual({
    loaded: 2,
    problems: [],
  });
  expect(await stored()).toEqual([
    { ip: '203.0.113.1', port: 8000, product_id: 'isp-northline', location: 'Frankfurt' },
    { ip: '203.0.113.2', port: 65535, product_id: 'datacenter', location: 'Ashburn, VA' },
  ]);
});

test('one wrong line, and nothing of the file is loaded', async () => {
  const before = await stored();
  expect(await load('203.0.113.10,8000,isp-cascade,Frankfurt', '203.0.113.11,0,isp-cascade,Frankfurt')).toEqual({
    loaded: 0,
    problems: [{ line: 3, reason: because('inventory_port_unfit', { text: '0' }) }],
  });
  expect(await stored()).toEqual(before);
});

test('an address that is there already is named, and nothing of the file is loaded', async () => {
  const before = await stored();
  expect(await load('203.0.113.20,8000,isp-cascade,Frankfurt', '203.0.113.1,9000,isp-cascade,Frankfurt')).toEqual({
    loaded: 0,
    problems: [{ line: 3, reason: because('inventory_address_known', { ip: '203.0.113.1' }) }],
  });
  expect(await stored()).toEqual(before);
});

test('of two files with an address in common, loaded at once, one is loaded', async () => {
  const receipts = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      load(`203.0.113.${100 + index},8000,datacenter,Frankfurt`, '203.0.113.200,8000,datacenter,Frankfurt'),
    ),
  );
  expect(receipts.map(({ loaded }) => loaded).sort()).toEqual([0, 0, 0, 0, 0, 2]);
  expect(await world.tables.ipsBetween('203.0.113.100', '203.0.113.199')).toHaveLength(1);
});

test('a file of 20,000 addresses is loaded', async () => {
  const { loaded, problems } = await load(
    ...Array.from({ length: 20_000 }, (_, index) => `20.${index >> 16}.${(index >> 8) & 255}.${index & 255},8000,datacenter,Frankfurt`),
  );
  expect({ loaded, problems }).toEqual({ loaded: 20_000, problems: [] });
});

test('the command prints how many were loaded, or every problem by its line, and ends accordingly', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'egress-inventory-'));
  const file = join(folder, 'addresses.csv');
  const command = (...words: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((done) => {
      const program = fileURLToPath(new URL('../../../../subgraphs/static/commands/import-inventory.ts', import.meta.url));
      const env = { ...process.env, DATABASE_URL: world.platform.database.url, DATA_DIR: folder };
      execFile(process.execPath, [program, ...words], { env }, (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }));
    });
  writeFileSync(file, 'ip,port,product,location\n192.0.2.1,8000,datacenter,Frankfurt\n192.0.2.2,8000,datacenter,Frankfurt\n');
  expect(await command(file)).toEqual({ code: 0, out: 'Addresses loaded: 2\n', err: '' });
  const [again, without, absent] = await Promise.all([command(file), command(), command(join(folder, 'absent.csv'))]);
  expect(again).toEqual({
    code: 1,
    out: '',
    err: 'Nothing was loaded.\nline 2: 192.0.2.1 is in the inventory already.\nline 3: 192.0.2.2 is in the inventory already.\n',
  });
  expect(without).toMatchObject({ code: 1, err: 'Usage: npm run --silent import-inventory -- FILE\n' });
  expect(absent).toMatchObject({ code: 1, err: expect.stringContaining('absent.csv cannot be read') });
  rmSync(folder, { recursive: true });
});
