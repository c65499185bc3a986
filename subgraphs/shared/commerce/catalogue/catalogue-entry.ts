// Which value a field of the catalogue has at a moment, computed from its entries. An entry is in force until a later one begins. When an entry with an end is
// over, the value that would hold without it is in force again.
import type { CatalogueKind, CatalogueValue } from './catalogue-value.ts';

/** A field of the catalogue: where it is in a file (`item`, `name`), and its default (`usual`). */
export interface CatalogueField {
  /** `part.code`, such as `residential.PREMIUM`. */
  item: string;
  name: string;
  kind: CatalogueKind;
  usual: CatalogueValue;
  /** For AMOUNTS only: exactly these steps; absent: any steps that begin at 1. */
  steps?: readonly number[];
}

/** The field of what an item costs its operator; 0.00 until somebody says it. */
export const costField = (item: string): CatalogueField => ({ item, name: 'cost', kind: 'COST', usual: 0 });

export interface CatalogueEntry {
  id: string;
  item: string;
  field: string;
  value: CatalogueValue;
  from: Date;
  /** Null: until another one begins. */
  until: Date | null;
  setAt: Date;
  setBy: string;
  reason: string;
  withdrawnAt: Date | null;
}

/** What one entry has of another's order and validity. */
export type Dated = Pick<CatalogueEntry, 'id' | 'from' | 'until' | 'setAt' | 'withdrawnAt'>;

/** Instead of the catalogue's value of a field. */
export type Override = (field: CatalogueField, value: CatalogueValue) => CatalogueValue;

/** The value of a field at a moment. Throws a RangeError for a field that the seller does not have. */
export type ValueOf = (item: string, name: string) => CatalogueValue;

/** A value and the moment from which it is in force. */
export interface CatalogueMoment {
  from: Date;
  value: CatalogueValue;
}

export const CATALOGUE_ENTRY_STATES = ['AHEAD', 'IN_FORCE', 'PAST', 'WITHDRAWN'] as const;

export const entriesOf = (entries: readonly CatalogueEntry[], { item, name }: Pick<CatalogueField, 'item' | 'name'>): CatalogueEntry[] =>
  entries.filter((entry) => entry.item === item && entry.field === name);

const later = (one: Dated, other: Dated): number =>
  one.from.getTime() - other.from.getTime() || one.setAt.getTime() - other.setAt.getTime() || (one.id < other.id ? -1 : 1);

/** The entry of a field that is in force; undefined when none is. */
export const entryAt = <Entry extends Dated>(entries: readonly Entry[], at: Date): Entry | undefined =>
  entries
    .filter(({ from, until, withdrawnAt }) => withdrawnAt === null && from <= at && (until === null || until > at))
    .toSorted(later)
    .at(-1);

/** The value of the entry in force, else the default. */
export const valueAt = (field: CatalogueField, entries: readonly CatalogueEntry[], at: Date): CatalogueValue =>
  entryAt(entries, at)?.value ?? field.usual;

/** The moments after `at` when an entry begins or ends; ascending. */
export const turnsAfter = (entries: readonly Dated[], at: Date): Date[] =>
  [
    ...new Set(
      entries
        .filter(({ withdrawnAt }) => withdrawnAt === null)
        .flatMap(({ from, until }) => [from, ...(until ? [until] : [])])
        .map((moment) => moment.getTime()),
    ),
  ]
    .filter((moment) => moment > at.getTime())
    .toSorted((one, other) => one - other)
    .map((moment) => new Date(moment));

/** The values from `at` on: the one in force at `at`, then one for each moment when another entry comes into force. */
export function timeline(field: CatalogueField, entries: readonly CatalogueEntry[], at: Date): CatalogueMoment[] {
  const moments = [at, ...turnsAfter(entries, at)].map((from) => ({ from, entry: entryAt(entries, from) }));
  return moments
    .filter(({ entry }, index) => index === 0 || entry?.id !== moments[index - 1]?.entry?.id)
    .map(({ from, entry }) => ({ from, value: entry?.value ?? field.usual }));
}

export function stateOf<Entry extends Dated>(entry: Entry, entries: readonly Entry[], at: Date): (typeof CATALOGUE_ENTRY_STATES)[number] {
  if (entry.withdrawnAt) return 'WITHDRAWN';
  if (entry.from > at) return 'AHEAD';
  return entryAt(entries, at)?.id === entry.id ? 'IN_FORCE' : 'PAST';
}
