// By how much a price of one account is below the catalogue's.
import { type CatalogueEntry, type CatalogueField, turnsAfter, valueAt } from '../catalogue/catalogue-entry.ts';
import { type CatalogueValue, stepsOf } from '../catalogue/catalogue-value.ts';
import type { AccountPrice } from './account-price.ts';

/** What each costs of so many. */
const minorOf = (steps: readonly [number, number][], many: number): number =>
  steps.filter(([from]) => from <= many).reduce(([most, minor], step) => (step[0] >= most ? step : [most, minor]), [0, 0])[1];

/** Rounded up to hundredths of a percent, for whatever quantity it is most. */
function between(catalogue: CatalogueValue, own: CatalogueValue): number {
  const [usual, lowered] = [stepsOf(catalogue), stepsOf(own)];
  const quantities = [...usual, ...lowered].map(([from]) => from);
  return Math.max(
    0,
    ...quantities.map((many) => {
      const before = minorOf(usual, many);
      return before === 0 ? 0 : Math.ceil(((before - minorOf(lowered, many)) * 10_000) / before);
    }),
  );
}

/**
 * Hundredths of a percent that a price is below the catalogue's at most, at any moment of its validity, as far as the catalogue is known. `entries`: those of the
 * field.
 */
export function loweredBasisPoints(
  { price, offBasisPoints, from, until }: Pick<AccountPrice, 'price' | 'offBasisPoints' | 'from' | 'until'>,
  field: CatalogueField,
  entries: readonly CatalogueEntry[],
): number {
  if (price === null) return offBasisPoints ?? 0;
  const moments = [from, ...turnsAfter(entries, from).filter((moment) => until === null || moment < until)];
  return Math.max(...moments.map((moment) => between(valueAt(field, entries, moment), price)));
}
