// A table of the countries that addresses belong to, as an operator supplies it: lines of `first,last,country`, or `network,country`. Ranges do not overlap, as
// those of the usual tables (https://db-ip.com/db/lite.php, https://lite.ip2location.com) do not, so one search finds the only range that can have an address.
import { isIP, isIPv4 } from 'node:net';
import { groupsOf, plainAddress } from '#platform/address-group.ts';

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

const toV4 = (address: string): bigint => BigInt(address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0));

/** Of 16-bit groups, at most three: more would not fit a number. */
const joined = (groups: readonly number[]): bigint => BigInt(groups.reduce((sum, group) => sum * 65_536 + group, 0));

function toV6(address: string): bigint {
  const groups = groupsOf(address);
  return (joined(groups.slice(0, 2)) << 96n) | (joined(groups.slice(2, 5)) << 48n) | joined(groups.slice(5));
}

interface Range {
  family: 4 | 6;
  first: bigint;
  last: bigint;
  country: string;
  line: number;
}

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

/** So many lines, or ranges, are handled at once: a few milliseconds. */
const AT_ONCE = 1_000;

/** Ends with the result; yields where other work may be done before it goes on. */
type Steps<Result> = Generator<undefined, Result>;

/**
 * Reads a table. Empty lines, and lines that begin with #, are left out. Tables have hundreds of thousands of lines, which take seconds: it yields after every
 * thousand. Throws a CountryTableFault with the line.
 */
export function* readCountryTable(text: string): Steps<CountryTable> {
  const found: Record<4 | 6, Range[]> = { 4: [], 6: [] };
  let line = 0;
  for (let [begins, ends] = [0, 0]; begins <= text.length; begins = ends + 1) {
    ends = text.indexOf('\n', begins);
    if (ends < 0) ends = text.length;
    const row = text.slice(begins, ends);
    line += 1;
    const range = row.trim() === '' || row.startsWith('#') ? undefined : rangeIn(row, line);
    if (range) found[range.family].push(range);
    if (line % AT_ONCE === 0) yield;
  }
  const families = { 4: yield* toRanges(found[4]), 6: yield* toRanges(found[6]) };
  return {
    ranges: found[4].length + found[6].length,
    countryOf(given) {
      const address = plainAddress(given);
      const family = familyOf(address);
      return family && find(families[family], numberOf(address));
    },
  };
}

function* toRanges(all: readonly Range[]): Steps<Ranges> {
  const ranges: Ranges = { first: [], last: [], country: [] };
  let before: Range | undefined;
  for (const range of yield* sorted(all)) {
    if (before && before.last >= range.first)
      throw new CountryTableFault(`line ${range.line}: it has addresses that line ${before.line} has too`);
    before = range;
    ranges.first.push(range.first);
    ranges.last.push(range.last);
    ranges.country.push(range.country);
    if (ranges.first.length % AT_ONCE === 0) yield;
  }
  return ranges;
}

/** By their first addresses: sorts parts, and merges two and two of them until one is left. */
function* sorted(all: readonly Range[]): Steps<Range[]> {
  let parts: Range[][] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    parts.push(all.slice(at, at + AT_ONCE).toSorted((one, other) => (one.first < other.first ? -1 : 1)));
    yield;
  }
  while (parts.length > 1) {
    const fewer: Range[][] = [];
    for (let at = 0; at < parts.length; at += 2) fewer.push(yield* merged(parts[at] ?? [], parts[at + 1] ?? []));
    parts = fewer;
  }
  return parts[0] ?? [];
}

function* merged(left: readonly Range[], right: readonly Range[]): Steps<Range[]> {
  const both: Range[] = [];
  let [fromLeft, fromRight] = [0, 0];
  for (;;) {
    const [one, other] = [left[fromLeft], right[fromRight]];
    // Tables are in order as a rule: then one part ends before the other begins.
    if (!one || !other) return both.concat(left.slice(fromLeft), right.slice(fromRight));
    const isLeft = one.first < other.first;
    both.push(isLeft ? one : other);
    if (isLeft) fromLeft += 1;
    else fromRight += 1;
    if (both.length % AT_ONCE === 0) yield;
  }
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
