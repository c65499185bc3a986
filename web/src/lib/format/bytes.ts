// Bytes arrive as decimal strings and stay exact: BigInt until the last step. 1 GB = 10^9 bytes.
import { numberLocale } from '#lib/text/language.ts';

const GB = 1_000_000_000n;

const units = [
  { size: 1_000_000_000_000n, unit: 'terabyte' },
  { size: GB, unit: 'gigabyte' },
  { size: 1_000_000n, unit: 'megabyte' },
  { size: 1_000n, unit: 'kilobyte' },
] as const;

/** A share of a unit with three decimals, rounded down: what is shown as left is really there. */
const toUnits = (bytes: bigint, size: bigint) => Number((bytes * 1_000n) / size) / 1_000;

const threeDecimals = new Intl.NumberFormat(numberLocale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** A figure that moves: always three decimals, so that it does not jump. */
export const formatLiveGb = (bytes: string): string => `${threeDecimals.format(toUnits(BigInt(bytes), GB))} GB`;

/** The counterpart of a figure rounded down: rounded up, so that used and remaining add up to the package. */
export const formatLiveGbUp = (bytes: string): string => formatLiveGb((BigInt(bytes) + 999_999n).toString());

/** For example "4.812 GB": always GB, so that figures beside each other compare. */
export function formatGb(bytes: string, decimals = 3): string {
  return `${new Intl.NumberFormat(numberLocale, { maximumFractionDigits: decimals }).format(toUnits(BigInt(bytes), GB))} GB`;
}

/** In the largest unit that leaves a figure of at least 1. */
export function formatBytes(bytes: string, decimals = 2): string {
  const value = BigInt(bytes);
  if (value === 0n) return '0 MB';
  const { size, unit } = units.find((row) => value >= row.size) ?? { size: 1n, unit: 'byte' };
  return new Intl.NumberFormat(numberLocale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: decimals }).format(
    toUnits(value, size),
  );
}

/** 0 to 1, in steps of a ten-thousandth; 0 of 0 is 0. */
export function share(part: string, whole: string): number {
  const all = BigInt(whole);
  if (all <= 0n) return 0;
  return Math.min(1, Number((BigInt(part) * 10_000n) / all) / 10_000);
}

export const sumBytes = (values: readonly string[]): string => values.reduce((sum, value) => sum + BigInt(value), 0n).toString();

/** For a chart's axis, where a pixel is coarser than a float. */
export const toGbNumber = (bytes: string): number => toUnits(BigInt(bytes), GB);

/** "1.5" to "1500000000"; undefined when it is not a number of GB with up to three decimals. */
export function parseGb(text: string): string | undefined {
  const match = /^(\d{1,9})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!match) return undefined;
  return (BigInt(match[1] ?? '0') * GB + BigInt((match[2] ?? '').padEnd(3, '0')) * 1_000_000n).toString();
}

/** The other way, for an input's value: "1500000000" to "1.5". */
export const toGbText = (bytes: string): string => String(toUnits(BigInt(bytes), GB));
