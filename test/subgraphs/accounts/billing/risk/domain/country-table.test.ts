import { expect, test } from 'vitest';
import { readCountryTable } from '../../../../../../subgraphs/accounts/billing/risk/domain/country-table.ts';

/** The table, and how often its reading paused. */
function readIn(text: string) {
  const reading = readCountryTable(text);
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = reading.next();
    if (done) return { table: value, pauses };
  }
}

const { table: TABLE } = readIn(`# a comment
"1.0.0.0","1.0.0.255","AU"
198.51.100.0/24,FR
1.0.1.0,1.0.3.255,CN
2001:db8::,2001:db8:0:ffff:ffff:ffff:ffff:ffff,DE

2001:db8:1::/48,IT
::ffff:0:0/127,XX
`);

test.each([
  ['1.0.0.0', 'AU'],
  ['1.0.0.255', 'AU'],
  ['1.0.1.0', 'CN'],
  ['1.0.3.255', 'CN'],
  ['1.0.4.0', undefined],
  ['0.255.255.255', undefined],
  ['198.51.100.77', 'FR'],
  ['198.51.101.0', undefined],
  // As a socket that listens on both families tells an address of IPv4.
  ['::ffff:198.51.100.77', 'FR'],
  ['2001:db8::1', 'DE'],
  ['2001:DB8:0:ffff:ffff:ffff:ffff:ffff', 'DE'],
  ['2001:db8:1::', 'IT'],
  ['2001:db8:1:ffff::', 'IT'],
  ['2001:db8:2::', undefined],
  ['fe80::1%eth0', undefined],
  ['command line', undefined],
  ['', undefined],
])('%s is of %s', (address, country) => {
  expect(TABLE.countryOf(address)).toBe(country);
});

test.each([
  ['1.0.0.0,1.0.0.255,Australia', 'line 1: it is `network,COUNTRY`'],
  ['\n1.0.0.0/24', 'line 2: it is `network,COUNTRY`'],
  ['1.0.0.9,1.0.0.1,AU', 'line 1: the last address'],
  ['1.0.0.0,::1,AU', 'line 1: first and last are addresses of one family'],
  ['1.0.0.1/24,AU', 'line 1: the network does not begin'],
  ['1.0.0.0/33,AU', 'line 1: the network is written'],
  ['1.0.0.0/24,AU\n1.0.0.128/25,CN', 'line 2: it has addresses that line 1 has too'],
  ['1.0.0.0,1.0.0.9,AU\n2.0.0.0/8,DE\n1.0.0.9,1.0.0.20,CN', 'line 3: it has addresses that line 1 has too'],
])('%s is refused', (text, sentence) => {
  expect(() => readIn(text)).toThrow(sentence);
});

test('a long table, in whatever order, is read a thousand lines at a time', () => {
  const network = (number: number) => `10.${number >> 8}.${number & 255}`;
  const lines = Array.from({ length: 9_500 }, (_, number) => `${network(number)}.0/24,${number % 2 ? 'DE' : 'FR'}`);
  const { table, pauses } = readIn(lines.toReversed().join('\n'));
  expect(table.ranges).toBe(9_500);
  for (const number of [0, 1, 998, 1_001, 5_000, 9_499]) expect(table.countryOf(`${network(number)}.9`)).toBe(number % 2 ? 'DE' : 'FR');
  expect(table.countryOf(`${network(9_500)}.9`)).toBeUndefined();
  // Once for every thousand that is read, and more often where they are sorted.
  expect(pauses).toBeGreaterThan(9 + 9);
});
