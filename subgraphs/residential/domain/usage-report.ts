// A network's report, read for the ledger.
import { HOUR } from '#shared/clock.ts';
import { fail } from '#shared/errors.ts';
import { readUsername } from './proxy-username.ts';
import { earliestEntry } from './usage-retention.ts';

/** One line as a network tells it. Bytes are exact; `at` is when they flowed. */
export interface UsageLine {
  line: number;
  /** The bare proxy username or the whole of a line's. */
  username: string;
  upBytes: bigint;
  downBytes: bigint;
  at: Date;
  country?: string | null | undefined;
  session?: string | null | undefined;
  host?: string | null | undefined;
  client?: string | null | undefined;
}

/** A line that can be entered: whose it is, and its breakdowns cut to what a column takes. */
export interface ReadLine {
  line: number;
  base: string;
  upBytes: bigint;
  downBytes: bigint;
  at: Date;
  country: string | null;
  session: string | null;
  host: string | null;
  client: string | null;
}

/** A petabyte in one line is a fault of the network, and sums must stay within 63 bits. */
const MOST_BYTES = 10n ** 15n;
/** A clock of a network may be ahead a little; a day that has not come would never be shown. */
const MOST_AHEAD_MS = HOUR;
const LONGEST_TEXT = 255;
const LAST_LINE = 10 ** 9;

const cut = (text: string | null | undefined): string | null => (text ? text.slice(0, LONGEST_TEXT) : null);

/** Throws `parameter_invalid`, which refuses the whole report: a network that cannot count is not to be half believed. */
export function readLine(line: UsageLine, now: Date): ReadLine {
  const impossible = line.line < 0 || line.line > LAST_LINE || line.upBytes > MOST_BYTES || line.downBytes > MOST_BYTES;
  if (impossible || line.at.getTime() > now.getTime() + MOST_AHEAD_MS || line.at < earliestEntry(now)) {
    throw fail('parameter_invalid', { field: 'lines', reason: `Line ${line.line} of the report is not possible.` });
  }
  const named = readUsername(line.username);
  return {
    line: line.line,
    base: named.base,
    upBytes: line.upBytes,
    downBytes: line.downBytes,
    at: line.at,
    country: cut(line.country ?? named.country)?.toLowerCase() ?? null,
    session: cut(line.session ?? named.session),
    host: cut(line.host)?.toLowerCase() ?? null,
    client: cut(line.client),
  };
}
