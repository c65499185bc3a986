// Reads the lines of a network's report for the ledger.
import { HOUR } from '#platform/clock.ts';
import { earliestEntry } from './usage-retention.ts';

/** One line as a network reports it. Bytes are exact; `at` is when they flowed. */
export interface UsageLine {
  line: number;
  /** The bare proxy username, or the whole username of a proxy line. */
  username: string;
  upBytes: bigint;
  downBytes: bigint;
  at: Date;
  country?: string | null | undefined;
  session?: string | null | undefined;
  host?: string | null | undefined;
  client?: string | null | undefined;
}

/** A line that can be entered: the base username whose bytes these are, and the texts cut to the width of their columns. */
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

/** The reasons for refusing a line, as its network reads them. The report's other lines are not affected. */
export const LINE_REFUSALS = {
  line_invalid: 'The number of the line must be from 0 to 1,000,000,000.',
  bytes_invalid: 'A line has at most 18 digits of bytes each way.',
  at_too_old: 'The line is of a time whose days are closed.',
  at_in_future: 'The line is of a time more than an hour ahead.',
  product_not_allowed: 'This source does not report for the product of this plan.',
  quarantine_full: 'Too many lines of this source wait for support: send it again later.',
} as const;
export type LineRefusal = keyof typeof LINE_REFUSALS;

/** A network's clock may be a little ahead; but an entry of a day that has not come would never be shown. */
const MAX_AHEAD_MS = HOUR;
const MAX_TEXT_LENGTH = 255;
const LAST_LINE = 10 ** 9;
/** The maximum of the API's scalar for bytes. Two of these, and thousands of plausible lines, sum to less than 2^63. */
const MAX_BYTES = 10n ** 18n - 1n;

const cut = (text: string | null | undefined): string | null => (text ? text.slice(0, MAX_TEXT_LENGTH).toWellFormed() : null);

/** The reason why the line cannot be entered into a ledger that keeps its entries for `keptDays`; undefined: it can. */
export function refusalOf({ line, upBytes, downBytes, at }: UsageLine, now: Date, keptDays: number): LineRefusal | undefined {
  if (!Number.isInteger(line) || line < 0 || line > LAST_LINE) return 'line_invalid';
  if (upBytes < 0n || downBytes < 0n || upBytes > MAX_BYTES || downBytes > MAX_BYTES) return 'bytes_invalid';
  if (at.getTime() > now.getTime() + MAX_AHEAD_MS) return 'at_in_future';
  return at < earliestEntry(now, keptDays) ? 'at_too_old' : undefined;
}

/**
 * Takes a reported username apart: a bare proxy username, or the whole username of a proxy line. Unknown or broken parts are ignored, since bytes that flowed
 * belong to the base username in any case.
 */
export function readUsername(text: string): { base: string; country?: string; session?: string } {
  const [base = '', ...parts] = text.split('-');
  const found: { base: string; country?: string; session?: string } = { base };
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const value = parts[index + 1] ?? '';
    if (parts[index] === 'country' && value !== '') found.country = value;
    if (parts[index] === 'session' && value !== '') found.session = value;
  }
  return found;
}

export function readLine(line: UsageLine): ReadLine {
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
