// Reproducible reports of a network: every line is computed from its numbers, so none is stored.
import { DAY } from '#platform/clock.ts';
import type { UsageLine } from '../../../subgraphs/residential/metering/domain/usage-report.ts';
import { chance } from '../../kit/chance.ts';

export interface Network {
  usernames: readonly string[];
  reports: number;
  lines: number;
  /** The latest time of a line. */
  now: Date;
}

const LATE_DAYS = 7;
const COUNTRIES = ['us', 'de', 'gb', 'jp', 'br'];

/** The plan of a line, as an index into the usernames. */
export const planOf = ({ usernames }: Network, report: number, line: number): number => (report * 31 + line * 17) % usernames.length;

export function lineOf(network: Network, report: number, line: number): UsageLine {
  const number = report * network.lines + line;
  const late = ((number * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
  return {
    line,
    username: network.usernames[planOf(network, report, line)] ?? '',
    upBytes: BigInt((number * 7_919) % 100_003),
    downBytes: BigInt((number * 104_729) % 10_000_019),
    at: new Date(network.now.getTime() - Math.floor(late * LATE_DAYS * DAY)),
    country: COUNTRIES[number % COUNTRIES.length],
    session: number % 3 === 0 ? null : String(10_000_000 + (number % 40)),
    host: `host-${number % 25}.example`,
    client: `203.0.113.${number % 12}`,
  };
}

export interface Delivery {
  report: number;
  lines: number[];
}

/** Every line of every report, `times` times, in whole, reversed or split reports, in random order. */
export function deliveriesOf({ reports, lines }: Network, times: number, seed: number): Delivery[] {
  const roll = chance(seed);
  const below = (count: number) => Math.floor(roll() * count);
  const deliveries: Delivery[] = [];
  for (let report = 0; report < reports; report++) {
    for (let time = 0; time < times; time++) {
      const all = Array.from({ length: lines }, (_, line) => line);
      if (roll() < 0.3) all.reverse();
      const pieces = roll() < 0.4 ? 1 : 2 + below(3);
      for (let first = 0; first < lines;) {
        const end = pieces === 1 ? lines : Math.min(lines, first + 1 + below(Math.ceil((2 * lines) / pieces)));
        deliveries.push({ report, lines: all.slice(first, end) });
        first = end;
      }
    }
  }
  for (let index = deliveries.length - 1; index > 0; index--) {
    const other = below(index + 1);
    [deliveries[index], deliveries[other]] = [deliveries[other] as Delivery, deliveries[index] as Delivery];
  }
  return deliveries;
}

/** The totals that the ledger must have: by plan and day, and by plan and value of a breakdown; bytes of both directions. */
export function expectedOf(network: Network): { days: Map<string, bigint>; parts: Map<string, bigint> } {
  const days = new Map<string, bigint>();
  const parts = new Map<string, bigint>();
  const add = (sums: Map<string, bigint>, key: string, bytes: bigint) => void sums.set(key, (sums.get(key) ?? 0n) + bytes);
  for (let report = 0; report < network.reports; report++) {
    for (let line = 0; line < network.lines; line++) {
      const { username, upBytes, downBytes, at, country, session, host, client } = lineOf(network, report, line);
      const bytes = upBytes + downBytes;
      add(days, `${username} ${at.toISOString().slice(0, 10)}`, bytes);
      for (const [name, value] of Object.entries({ country, session, host, client }))
        add(parts, `${username} ${name} ${value ?? '-'}`, bytes);
    }
  }
  return { days, parts };
}
