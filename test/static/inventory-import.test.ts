import { afterAll, beforeAll, expect, test } from 'vitest';
import { importInventory } from '../../subgraphs/static/services/import-inventory.ts';
import { type StaticWorld, startStatic } from './world.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic();
});
afterAll(() => world.close());

const load = (...lines: string[]) => importInventory(world.context(), ['ip,port,product,location', ...lines].join('\r\n'));
const stored = () => world.query('select host(ip) as ip, port, product_id, location from static.address order by ip');

test('a good file is loaded whole', async () => {
  expect(await load('203.0.113.1,8000,isp-northline,Frankfurt', '203.0.113.2,65535,DATACENTER,"Ashburn, VA"', '')).toEqual({ loaded: 2, problems: [] });
  expect(await stored()).toEqual([
    { ip: '203.0.113.1', port: 8000, product_id: 'isp-northline', location: 'Frankfurt' },
    { ip: '203.0.113.2', port: 65535, product_id: 'datacenter', location: 'Ashburn, VA' },
  ]);
});

test('one wrong line, and nothing of the file is loaded', async () => {
  const before = await stored();
  expect(await load('203.0.113.10,8000,isp-cascade,Frankfurt', '203.0.113.11,0,isp-cascade,Frankfurt')).toEqual({
    loaded: 0,
    problems: [{ line: 3, reason: '"0" is not a port' }],
  });
  expect(await stored()).toEqual(before);
});

test('an address that is there already is named, and nothing of the file is loaded', async () => {
  const before = await stored();
  expect(await load('203.0.113.20,8000,isp-cascade,Frankfurt', '203.0.113.1,9000,isp-cascade,Frankfurt')).toEqual({
    loaded: 0,
    problems: [{ line: 3, reason: '203.0.113.1 is in the inventory already' }],
  });
  expect(await stored()).toEqual(before);
});

test('of two files with an address in common, loaded at once, one is loaded', async () => {
  const receipts = await Promise.all(
    Array.from({ length: 6 }, (_, index) => load(`203.0.113.${100 + index},8000,datacenter,Frankfurt`, '203.0.113.200,8000,datacenter,Frankfurt')),
  );
  expect(receipts.map(({ loaded }) => loaded).sort()).toEqual([0, 0, 0, 0, 0, 2]);
  expect(await world.query(`select from static.address where ip >= '203.0.113.100' and ip <= '203.0.113.199'`)).toHaveLength(1);
});

test('a file of 50,000 addresses is loaded', async () => {
  const { loaded, problems } = await load(...Array.from({ length: 50_000 }, (_, index) => `20.${index >> 16}.${(index >> 8) & 255}.${index & 255},8000,datacenter,Frankfurt`));
  expect({ loaded, problems }).toEqual({ loaded: 50_000, problems: [] });
});
