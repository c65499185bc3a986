// How well lines are served in each place, of what nodes report of their last hour.
import { SECOND } from '#platform/clock.ts';
import { type PlaceQuality, medianOf, placeKey, together } from '../../../../edge/protocol/place-quality.ts';
import { EUROPEAN_COUNTRIES } from '../../../../edge/protocol/pools.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';

export interface ServedPlace {
  /** As usernames carry it; `eu` and `any` are all places of Europe and of the world. */
  country: string;
  state: string | null;
  city: string | null;
  /** Opened, of those that were opened or failed by an exit's fault: 0 to 1. */
  successRate: number;
  /** The median; null: no target has answered. */
  firstByteMs: number | null;
  /** What both are made of. */
  connections: number;
}

/** A node reports every five seconds; what an older report says is not of the last hour. */
export const REPORT_HOLDS_MS = 60 * SECOND;
/** With fewer connections chance decides: nothing is said. */
const LEAST = 20;

/** The whole world, Europe, each country, each state and each city that had connections enough. */
export function servedPlaces(reported: readonly PlaceQuality[], product: ProductCode): ServedPlace[] {
  const rows = reported.filter((row) => row.product === product);
  const groups = new Map<string, { place: Pick<ServedPlace, 'country' | 'state' | 'city'>; rows: PlaceQuality[] }>();
  const put = (row: PlaceQuality, country: string, state: string | null = null, city: string | null = null) => {
    const place = { country, state, city };
    const key = placeKey(product, place);
    const group = groups.get(key) ?? { place, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  };
  for (const row of rows) {
    const { country, state, city } = row;
    put(row, 'any');
    if (country === 'eu' || EUROPEAN_COUNTRIES.includes(country)) put(row, 'eu');
    if (country.length !== 2 || country === 'eu') continue;
    put(row, country);
    if (state !== undefined) put(row, country, state);
    if (city !== undefined) put(row, country, null, city);
  }
  return [...groups.values()]
    .map(({ place, rows: of }) => ({ place, sums: together(of) }))
    .filter(({ sums: { opened, failed } }) => opened + failed >= LEAST)
    .map(({ place, sums: { opened, failed, firstBytes } }) => {
      const median = medianOf(firstBytes);
      return {
        ...place,
        successRate: opened / (opened + failed),
        firstByteMs: median === undefined ? null : Math.round(median),
        connections: opened + failed,
      };
    });
}
