// A table of the countries that addresses belong to, as an operator supplies it: lines of `first,last,country`, or `network,country`. Ranges do not overlap, as
// those of the usual tables (https://db-ip.com/db/lite.php, https://lite.ip2location.com) do not, so one search finds the only range that can have an address.
import { isIP, isIPv4 } from 'node:net';

/** Of one family; ascending. */
interface Ranges {
  first: bigint[];
  last: bigint[];
  country: string[];
}

export interface CountryTable {
  /** ISO 3166-1 alpha-2; undefined: no range has the address, or it is none. */
  countryOf(address: string): string | undefined;
  readonly ranges: number;
}

/** What is wrong with a table, and in which line. */
export class CountryTableFault extends Error {}

const V4_BITS = 32;
const V6_BITS = 128;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const toV4 = (address: string): bigint => address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);

/** An address of IPv6 as a number; an IPv4 tail is taken too. */
function toV6(address: string): bigint {
  const [, tail] = /:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  const text = tail === undefined ? address : `${address.slice(0, -tail.length)}${hexPair(toV4(tail))}`;
  const [head = '', rest] = text.split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [before, after] = [groups(head), groups(rest)];
  const zeros = rest === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
const hexPair = (value: bigint): string => `${(value >> 16n).toString(16)}:${(value & 65_535n).toString(16)}`;

interface Range {
  family: 4 | 6;
  first: bigint;
  last: bigint;
  country: string;
  line: number;
}

const ZONE = /%.*$/;
const numberOf = (address: string): bigint => (isIPv4(address) ? toV4(address) : toV6(address));
const familyOf = (address: string): 4 | 6 | undefined => (isIP(address) || undefined) as 4 | 6 | undefined;

function rangeIn(text: string, line: number): Range {
  const refuse = (what: string) => new CountryTableFault(`line ${line}: ${what}`);
  const cells = text.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const country = cells.at(-1) ?? '';
  if (!/^[A-Z]{2}$/.test(country) || cells.length > 3 || cells.length < 2)
    throw refuse('it is `network,COUNTRY` or `first,last,COUNTRY`, with a country such as DE');
  if (cells.length === 3) {
    const [one = '', other = ''] = cells;
    const family = familyOf(one);
    if (!family || familyOf(other) !== family) throw refuse('first and last are addresses of one family');
    const [first, last] = [numberOf(one), numberOf(other)];
    if (first > last) throw refuse('the last address is not before the first');
    return { family, first, last, country, line };
  }
  const [address = '', bits = ''] = (cells[0] ?? '').split('/');
  const family = familyOf(address);
  const width = family === 4 ? V4_BITS : V6_BITS;
  if (!family || !/^\d{1,3}$/.test(bits) || Number(bits) > width) throw refuse('the network is written as 203.0.113.0/24 or 2001:db8::/32');
  const size = 1n << BigInt(width - Number(bits));
  const first = numberOf(address);
  if (first % size !== 0n) throw refuse('the network does not begin at its first address');
  return { family, first, last: first + size - 1n, country, line };
}

/** Reads a table. Empty lines, and lines that begin with #, are left out. Throws a CountryTableFault with the line. */
export function readCountryTable(text: string): CountryTable {
  const ranges: Range[] = [];
  let line = 0;
  for (const row of text.split('\n')) {
    line += 1;
    if (row.trim() !== '' && !row.startsWith('#')) ranges.push(rangeIn(row, line));
  }
  const families = { 4: sorted(ranges, 4), 6: sorted(ranges, 6) };
  return {
    ranges: ranges.length,
    countryOf(given) {
      const address = MAPPED.exec(given)?.[1] ?? given.replace(ZONE, '');
      const family = familyOf(address);
      return family && find(families[family], numberOf(address));
    },
  };
}

function sorted(all: readonly Range[], family: 4 | 6): Ranges {
  const own = all.filter((range) => range.family === family).toSorted((one, other) => (one.first < other.first ? -1 : 1));
  own.forEach(({ first, line }, index) => {
    const before = own[index - 1];
    if (before && before.last >= first) throw new CountryTableFault(`line ${line}: it has addresses that line ${before.line} has too`);
  });
  return { first: own.map(({ first }) => first), last: own.map(({ last }) => last), country: own.map(({ country }) => country) };
}

function find({ first, last, country }: Ranges, address: bigint): string | undefined {
  let [low, high] = [0, first.length];
  // The first range that begins after the address.
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((first[middle] as bigint) <= address) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index >= 0 && (last[index] as bigint) >= address ? country[index] : undefined;
}
