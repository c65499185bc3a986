// Brings what a catalogue file says into force: of one seller at its start, or of all sellers in one transaction by the command `catalogue`.
import type { Clock } from '#platform/clock.ts';
import { type EntityManager, actAs, inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import { entriesOf, valueAt } from './catalogue-entry.ts';
import type { CatalogueWish } from './catalogue-file.ts';
import { type CatalogueValue, sameValue } from './catalogue-value.ts';
import { announceCatalogue, catalogueEntries, channelOf, insertEntries, lockCatalogue } from './entry-rows.ts';

/** A wish for another value than the one in force. */
export interface CatalogueDifference extends CatalogueWish {
  before: CatalogueValue;
}

async function differencesOf(em: EntityManager, wishes: readonly CatalogueWish[], now: Date): Promise<CatalogueDifference[]> {
  const entries = await catalogueEntries(em);
  return wishes
    .map((wish) => ({ ...wish, before: valueAt(wish.field, entriesOf(entries, wish.field), now) }))
    .filter(({ value, before }) => !sameValue(before, value));
}

/** Writes the values that differ from those in force, valid from now on. Returns them. */
export async function writeWishes(
  em: EntityManager,
  wishes: readonly CatalogueWish[],
  { clock, setBy }: { clock: Clock; setBy: string },
): Promise<CatalogueDifference[]> {
  const now = clock.now();
  const changed = await differencesOf(em, wishes, now);
  await insertEntries(
    em,
    changed.map(({ field: { item, name }, value }) => ({
      id: newId('cat', clock),
      item,
      field: name,
      value,
      from: now,
      until: null,
      setAt: now,
      setBy,
      reason: '',
    })),
  );
  return changed;
}

interface ImportOrder {
  /** Of the database's owner, who may act as each seller. */
  em: EntityManager;
  clock: Clock;
  wishes: Readonly<Record<Seller, readonly CatalogueWish[]>>;
  /** Only works out what would change. */
  dryRun: boolean;
}

/** Imports what a file says of all sellers in one transaction, so that all of it is sold from one moment on, or none of it. Returns what has changed. */
export const importCatalogues = ({ em, clock, wishes, dryRun }: ImportOrder): Promise<CatalogueDifference[]> =>
  inTransaction({ em }, async (tx) => {
    const changed: CatalogueDifference[] = [];
    for (const [seller, own] of Object.entries(wishes) as [Seller, readonly CatalogueWish[]][]) {
      await actAs(tx.em, seller);
      await lockCatalogue(tx.em);
      if (dryRun) changed.push(...(await differencesOf(tx.em, own, clock.now())));
      else {
        changed.push(...(await writeWishes(tx.em, own, { clock, setBy: 'command' })));
        await announceCatalogue(tx.em, channelOf(seller));
      }
    }
    return changed;
  });
