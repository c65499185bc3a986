import { expect, test } from 'vitest';
import { sentenceOf } from '#platform/errors.ts';
import { INVENTORY_LINES_MAX, parseInventory } from '../../../../../subgraphs/static/inventory/domain/inventory-csv.ts';

const HEAD = 'ip,port,product,location';
const said = (csv: string) => parseInventory(csv).problems.map(({ line, reason }) => ({ line, reason: sentenceOf(reason) }));
const problemsOf = (...lines: string[]) => said([HEAD, ...lines].join('\n'));

test('reads addresses with quotes, spaces, a byte order mark, Windows line ends and blank lines', () => {
  const csv = `\uFEFFIP, Port, Product, Location\r\n\r\n 203.0.113.1 , 8000 ,ISP-Northline,"Ashburn, ""VA"""\r\n"203.0.113.2","1","datacenter",Frankfurt\r\n`;
  expect(parseInventory(csv)).toEqual({
    lines: [
      { line: 3, ip: '203.0.113.1', port: 8000, productId: 'isp-northline', location: 'Ashburn, "VA"' },
      { line: 4, ip: '203.0.113.2', port: 1, productId: 'datacenter', location: 'Frankfurt' },
    ],
    problems: [],
  });
});

test.each([
  ['203.0.113,8000,datacenter,Frankfurt', '"203.0.113" is not an IPv4 address.'],
  ['203.0.113.256,8000,datacenter,Frankfurt', '"203.0.113.256" is not an IPv4 address.'],
  ['2001:db8::1,8000,datacenter,Frankfurt', '"2001:db8::1" is not an IPv4 address.'],
  ['0.0.0.0,8000,datacenter,Frankfurt', '0.0.0.0 cannot be the address of a proxy.'],
  ['224.0.0.1,8000,datacenter,Frankfurt', '224.0.0.1 cannot be the address of a proxy.'],
  ['255.255.255.255,8000,datacenter,Frankfurt', '255.255.255.255 cannot be the address of a proxy.'],
  ['203.0.113.1,,datacenter,Frankfurt', '"" is not a port.'],
  ['203.0.113.1,65536,datacenter,Frankfurt', '"65536" is not a port.'],
  ['203.0.113.1,-1,datacenter,Frankfurt', '"-1" is not a port.'],
  ['203.0.113.1,80.5,datacenter,Frankfurt', '"80.5" is not a port.'],
  ['203.0.113.1,8000,isp-unknown,Frankfurt', '"isp-unknown" is not a product.'],
  ['203.0.113.1,8000,datacenter,', 'The location must have 1 to 80 characters.'],
  [`203.0.113.1,8000,datacenter,${'x'.repeat(81)}`, 'The location must have 1 to 80 characters.'],
  ['203.0.113.1,8000,datacenter', 'It has 3 fields instead of 4.'],
  ['203.0.113.1,8000,datacenter,Frankfurt,', 'It has 5 fields instead of 4.'],
  ['203.0.113.1,8000,datacenter,"Frankfurt', 'A quote is not closed.'],
])('names what is wrong with %s', (line, reason) => {
  expect(problemsOf(line)).toEqual([{ line: 2, reason }]);
});

test('names every wrong line, not the first alone, and repeated addresses with the line they stand on', () => {
  expect(problemsOf('203.0.113.1,8000,datacenter,A', 'nonsense', '203.0.113.1,8001,datacenter,B', '203.0.113.2,x,datacenter,C')).toEqual([
    { line: 3, reason: 'It has 1 fields instead of 4.' },
    { line: 4, reason: '203.0.113.1 stands on line 2 already.' },
    { line: 5, reason: '"x" is not a port.' },
  ]);
});

test.each([
  ['', 'The first line must be ip,port,product,location.'],
  ['port,ip,product,location\n', 'The first line must be ip,port,product,location.'],
  [`${HEAD}\n`, 'The file has no addresses.'],
])('refuses the file %j', (csv, reason) => {
  expect(said(csv)).toEqual([{ line: 1, reason }]);
});

test('refuses a file with too many addresses', () => {
  expect(problemsOf(...Array<string>(INVENTORY_LINES_MAX + 1).fill('x'))).toEqual([
    { line: 1, reason: 'The file has 100,001 addresses; at most 100,000 fit in one.' },
  ]);
});
