// How well lines of a product are served in a place, over the last hour: how often a connection was opened, and how soon targets answered.
import { MINUTE, SECOND } from '#platform/clock.ts';
import type { ProductCode } from './product.ts';

/** As a node reports it, of its last hour. */
export interface PlaceQuality {
  product: ProductCode;
  /** Where the exit is: a lower-case ISO 3166 code; `any` or `eu` of a seller's gateway that was asked for no country. */
  country: string;
  /** What the line asks for, as its username carries it. */
  state?: string | undefined;
  city?: string | undefined;
  /** Connections to targets that were opened. */
  opened: number;
  /** Those that failed by the fault of an exit, or for want of one. What the target refuses is neither. */
  failed: number;
  /** How many targets answered within each of FIRST_BYTE_BOUNDS_MS, and after the last of them. */
  firstBytes: readonly number[];
}

/** Places in one report, those with the most connections first. */
export const MAX_STATUS_PLACE_QUALITIES = 100;

export const QUALITY_SPAN_MS = 60 * MINUTE;

export const FIRST_BYTE_BOUNDS_MS = [25, 50, 100, 150, 200, 300, 400, 600, 800, 1_200, 2_000, 3_000, 5_000, 10 * SECOND] as const;

/** The index of the count of `firstBytes` that a time belongs to. */
export function boundOf(milliseconds: number): number {
  const index = FIRST_BYTE_BOUNDS_MS.findIndex((bound) => milliseconds <= bound);
  return index < 0 ? FIRST_BYTE_BOUNDS_MS.length : index;
}

export const newCounts = (): number[] => Array.from({ length: FIRST_BYTE_BOUNDS_MS.length + 1 }, () => 0);

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

type Connections = Pick<PlaceQuality, 'opened' | 'failed'>;

export const connectionsIn = (all: readonly Connections[]): Connections => ({
  opened: all.reduce((sum, { opened }) => sum + opened, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
});

/** Sums of several places or nodes. */
export const together = (all: readonly (Connections & Pick<PlaceQuality, 'firstBytes'>)[]) => ({
  ...connectionsIn(all),
  firstBytes: newCounts().map((_zero, index) => all.reduce((sum, { firstBytes }) => sum + (firstBytes[index] ?? 0), 0)),
});

/** The median in milliseconds, by a straight line within its bounds; beyond the last bound that bound. Undefined: nothing is counted. */
export function medianOf(counts: readonly number[]): number | undefined {
  const half = sumOf(counts) / 2;
  if (half === 0) return undefined;
  let before = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && before + count >= half) {
      const from = FIRST_BYTE_BOUNDS_MS[index - 1] ?? 0;
      const to = FIRST_BYTE_BOUNDS_MS[index] ?? from;
      return from + ((to - from) * (half - before)) / count;
    }
    before += count;
  }
  return undefined;
}

interface Place {
  country: string;
  state?: string | null | undefined;
  city?: string | null | undefined;
}

export const placeKey = (product: ProductCode, { country, state, city }: Place): string =>
  `${product} ${country} ${state ?? ''} ${city ?? ''}`;

/** One row for each product and place. */
export function byPlace(all: readonly PlaceQuality[]): PlaceQuality[] {
  const places = Map.groupBy(all, (row) => placeKey(row.product, row));
  return [...places.values()].map((rows) => ({ ...(rows[0] as PlaceQuality), ...together(rows) }));
}

/** Those with the most connections, as many as a report has room for. */
export const foremostPlaces = <Place extends Connections>(all: readonly Place[]): Place[] =>
  all.toSorted((a, b) => b.opened + b.failed - a.opened - a.failed).slice(0, MAX_STATUS_PLACE_QUALITIES);
