// Sizes of data, as every page writes and reads them. Bytes arrive as decimal strings and stay exact: BigInt until the last step. 1 GB = 10^9 bytes.
import { numberLocale } from '#lib/text/language.ts';

const GB = 1_000_000_000n;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const HUNDRED = 100n;
const THOUSAND = 1_000n;

// Below a thousand of a unit and with two decimals at most, neither a point nor a comma can be taken for the sign of thousands.
const twoDecimals = new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 2 });

/** The largest unit of which there is at least one; of nothing that in which packages are sold. */
function unitOf(bytes: bigint): number {
  if (bytes === 0n) return UNITS.indexOf('GB');
  const largest = UNITS.findLastIndex((_, power) => bytes >= THOUSAND ** BigInt(power));
  return Math.max(0, largest);
}

/**
 * For example "80 GB", "1.25 GB", "402 MB". Rounded down, so that what is shown as left is really there; `up` for the counterpart, so that both add up.
 * `like`: in the unit of that size, for figures of one axis.
 */
export function formatBytes(bytes: string, { up = false, like }: { up?: boolean; like?: string } = {}): string {
  const value = BigInt(bytes);
  let unit = unitOf(BigInt(like ?? bytes));
  const size = THOUSAND ** BigInt(unit);
  let hundredths = (value * HUNDRED + (up ? size - 1n : 0n)) / size;
  // Rounded up to a thousand of a unit is one of the next.
  if (like === undefined && hundredths >= THOUSAND * HUNDRED && unit < UNITS.length - 1) {
    hundredths /= THOUSAND;
    unit += 1;
  }
  return `${twoDecimals.format(Number(hundredths) / 100)} ${UNITS[unit]}`;
}

/** 0 to 1, in steps of a ten-thousandth; 0 of 0 is 0. */
export function share(part: string, whole: string): number {
  const all = BigInt(whole);
  if (all <= 0n) return 0;
  return Math.min(1, Number((BigInt(part) * 10_000n) / all) / 10_000);
}

export const sumBytes = (values: readonly string[]): string => values.reduce((sum, value) => sum + BigInt(value), 0n).toString();

const exact = new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 3, useGrouping: false });
const decimalSign = exact.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
// The sign that the language writes between thousands is taken for a decimal one only where it cannot stand for thousands.
const [decimals, others] = decimalSign === '.' ? ['\\.', ','] : [',', '\\.'];
const GIGABYTES = new RegExp(`^(\\d{1,9})(?:${decimals}(\\d{1,3})|${others}(\\d{1,2}))?$`);

/** "1.5" to "1500000000"; undefined when it is no number of GB with up to three decimals, or "1,000", which some read as one and some as a thousand. */
export function parseGb(text: string): string | undefined {
  const match = GIGABYTES.exec(text.trim());
  if (!match) return undefined;
  const [, whole = '', decimal, other] = match;
  return (BigInt(whole) * GB + BigInt((decimal ?? other ?? '').padEnd(3, '0')) * 1_000_000n).toString();
}

/** The other way, for an input's value: "1500000000" to "1.5" or "1,5", as the page's language writes it. */
export const toGbText = (bytes: string): string => exact.format(Number(BigInt(bytes) / 1_000_000n) / 1_000);
