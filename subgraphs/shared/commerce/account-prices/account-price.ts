// A price that one account pays for an item of the catalogue instead of the catalogue's own: a price, or so much off. Like an entry of the catalogue it is in
// force until a later one begins, and those that have begun once can be told for every moment.
import { type CatalogueField, type Dated, type Override, entryAt } from '../catalogue/catalogue-entry.ts';
import { type CatalogueValue, toText } from '../catalogue/catalogue-value.ts';
import { decimalOf, divideHalfUp } from '../money.ts';

export interface AccountPrice {
  id: string;
  accountId: string;
  item: string;
  /** In the form of the item's price in the catalogue; null: so much off it. */
  price: CatalogueValue | null;
  /** Hundredths of a percent off the catalogue's price of the moment. */
  offBasisPoints: number | null;
  from: Date;
  until: Date | null;
  setAt: Date;
  /** The account of a member of staff. */
  setBy: string;
  reason: string;
  /** Somebody has ended it before its time. */
  endedAt: Date | null;
}

/** The field of the catalogue that is an item's price; undefined when it has none. */
export const priceFieldOf = (fields: readonly CatalogueField[], item: string): CatalogueField | undefined =>
  fields.find((field) => field.item === item && isPrice(field));

const isPrice = ({ kind }: CatalogueField): boolean => kind === 'AMOUNT' || kind === 'AMOUNTS';

/** Minor units with so many hundredths of a percent off, rounded half up to whole ones, at least one. */
export const reduced = (minor: number, offBasisPoints: number): number =>
  Math.max(1, Number(divideHalfUp(BigInt(minor) * BigInt(10_000 - offBasisPoints), 10_000n)));

function priceOf({ price, offBasisPoints }: AccountPrice, catalogue: CatalogueValue): CatalogueValue {
  if (price !== null) return price;
  const off = offBasisPoints ?? 0;
  return typeof catalogue === 'object'
    ? Object.fromEntries(Object.entries(catalogue).map(([step, minor]) => [step, reduced(minor, off)]))
    : reduced(catalogue as number, off);
}

/** As an entry of the catalogue: one that was ended before it began counts as withdrawn. */
export const dated = (row: AccountPrice): AccountPrice & Dated => {
  const { from, until, endedAt } = row;
  const end = endedAt && (until === null || endedAt < until) ? endedAt : until;
  return { ...row, until: end, withdrawnAt: endedAt && endedAt <= from ? endedAt : null };
};

/** The account's price of an item at a moment; undefined when it pays the catalogue's. */
export const accountPriceAt = (rows: readonly AccountPrice[], item: string, at: Date): AccountPrice | undefined =>
  entryAt(rows.filter((row) => row.item === item).map(dated), at);

/** What an account with these rows pays at a moment instead of the catalogue's prices. */
export const overrideOf =
  (rows: readonly AccountPrice[], at: Date): Override =>
  (field, value) => {
    const own = isPrice(field) ? accountPriceAt(rows, field.item, at) : undefined;
    return own ? priceOf(own, value) : value;
  };

/** "15.00%", or the price as a person types it. */
export const textOf = ({ price, offBasisPoints }: AccountPrice, { kind }: CatalogueField): string =>
  price === null ? `${decimalOf(offBasisPoints ?? 0)}%` : toText(kind, price);
