// Formats and parses sizes of data. Bytes arrive as decimal strings and stay exact, as BigInt until the last step. 1 GB = 10^9 bytes.
import { numberLocale } from '#lib/text/language.ts';

const GB = 1_000_000_000n;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const HUNDRED = 100n;
const THOUSAND = 1_000n;

// With less than a thousand of a unit and at most two decimals, a point or a comma cannot be mistaken for a thousands separator.
const twoDecimals = new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 2 });

/** The largest unit of which there is at least one; GB, in which packages are sold, for zero. */
function unitOf(bytes: bigint): number {
  if (bytes === 0n) return UNITS.indexOf('GB');
  const largest = UNITS.findLastIndex((_, power) => bytes >= THOUSAND ** BigInt(power));
  return Math.max(0, largest);
}

/**
 * For example "80 GB", "1.25 GB", "402 MB". Rounded down, so that the shown remainder really exists; `up` rounds up, for the other part, so that both add up.
 * `like`: uses the unit of that size, for figures on one axis.
 */
export function formatBytes(bytes: string, { up = false, like }: { up?: boolean; like?: string } = {}): string {
  const value = BigInt(bytes);
  let unit = unitOf(BigInt(like ?? bytes));
  const size = THOUSAND ** BigInt(unit);
  let hundredths = (value * HUNDRED + (up ? size - 1n : 0n)) / size;
  // A value that was rounded up to a thousand of a unit becomes one of the next unit.
  if (like === undefined && hundredths >= THOUSAND * HUNDRED && unit < UNITS.length - 1) {
    hundredths /= THOUSAND;
    unit += 1;
  }
  return `${twoDecimals.format(Number(hundredths) / 100)} ${UNITS[unit]}`;
}

/** The same for the bars of a chart and its axis. */
export const formatTraffic = (bytes: string, like?: string): string => formatBytes(bytes, like === undefined ? {} : { like });

/** The part's share, 0 to 1 in steps of 0.0001; 0 when the whole is 0. */
export function share(part: string, whole: string): number {
  const all = BigInt(whole);
  if (all <= 0n) return 0;
  return Math.min(1, Number((BigInt(part) * 10_000n) / all) / 10_000);
}

export const sumBytes = (values: readonly string[]): string => values.reduce((sum, value) => sum + BigInt(value), 0n).toString();

const exact = new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 3, useGrouping: false });
const decimalSign = exact.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
// The language's thousands separator is accepted as a decimal sign only with one or two digits after it, where it cannot separate thousands.
const [decimals, others] = decimalSign === '.' ? ['\\.', ','] : [',', '\\.'];
const GIGABYTES = new RegExp(`^(\\d{1,9})(?:${decimals}(\\d{1,3})|${others}(\\d{1,2}))?$`);

/** "1.5" to "1500000000". Undefined when the text is no number of GB with up to three decimals, or ambiguous: "1,000" can mean one or a thousand. */
export function parseGb(text: string): string | undefined {
  const match = GIGABYTES.exec(text.trim());
  if (!match) return undefined;
  const [, whole = '', decimal, other] = match;
  return (BigInt(whole) * GB + BigInt((decimal ?? other ?? '').padEnd(3, '0')) * 1_000_000n).toString();
}

/** The value of an input: "1500000000" to "1.5" or "1,5", in the page's language. */
export const toGbText = (bytes: string): string => exact.format(Number(BigInt(bytes) / 1_000_000n) / 1_000);
