// The catalogue of one seller as a process knows it: read once, and again when somebody has changed it, so that a price costs no query and is everywhere
// within a second. What is set for a later moment begins by itself.
import { createHash } from 'node:crypto';
import { type Clock, SECOND } from '#platform/clock.ts';
import { type EntityManager, inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import { type CatalogueWish, readCatalogue } from './catalogue-file.ts';
import { type CatalogueEntry, type CatalogueField, type ValueOf, entriesOf, turnsAfter, valueAt } from './catalogue-entry.ts';
import { sameValue } from './catalogue-value.ts';
import { announceCatalogue, catalogueEntries, insertEntries, insertImport, insertUsual, lastImport, lockCatalogue } from './entry-rows.ts';

const RETRY_MS = SECOND;

/** What a seller makes of its catalogue. */
export interface CatalogueView<Result> {
  now(): Result;
  at(when: Date): Result;
}

export interface CatalogueBook {
  readonly fields: readonly CatalogueField[];
  /** Told to the other processes by `announceCatalogue`. */
  readonly channel: string;
  entries(): readonly CatalogueEntry[];
  /** Made anew when the catalogue changes, or what was set for a later moment begins. */
  view<Result>(build: (valueOf: ValueOf) => Result): CatalogueView<Result>;
  /** Reads what is committed now. */
  reload(): Promise<void>;
}

interface Owner {
  seller: Seller;
  fields: readonly CatalogueField[];
  em: () => EntityManager;
  closing: (close: () => Promise<void>) => void;
}

/** Opens the book: adds what this release sells, imports CATALOGUE_FILE when it is not the one that was imported last, and listens. Throws as `readCatalogue`. */
export async function openCatalogue(
  { config, clock, log, notifications }: Platform,
  { seller, fields, em, closing }: Owner,
): Promise<CatalogueBook> {
  const channel = `catalogue_${seller}`;
  let entries: readonly CatalogueEntry[] = [];
  let version = 0;
  let retry: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();
  let closed = false;
  const read = async () => {
    entries = await catalogueEntries(em());
    version += 1;
  };
  /** After the one before, so that the older answer never comes last. */
  const readAgain = () => {
    reading = reading.then(async () => {
      if (closed) return;
      await read().catch((error: unknown) => {
        log.warn({ error: String(error) }, 'reading the catalogue failed');
        retry = setTimeout(readAgain, RETRY_MS).unref();
      });
    });
  };
  const wishes = readCatalogue(config, seller, fields);
  const stop = await notifications.listen(channel, readAgain);
  closing(async () => {
    stop();
    closed = true;
    await reading;
    clearTimeout(retry);
  });
  await inTransaction({ em: em() }, async (tx) => {
    await lockCatalogue(tx.em);
    const usual = fields.map(({ item, name, usual: value }) => ({ id: newId('cat', clock), item, field: name, value }));
    await insertUsual(tx.em, usual, clock.now());
    if (wishes && (await importFile(tx.em, wishes, clock))) await announceCatalogue(tx.em, channel);
  });
  await read();
  return {
    fields,
    channel,
    entries: () => entries,
    reload: read,
    view: (build) => viewOf({ fields, clock, entries: () => entries, version: () => version }, build),
  };
}

/** False: this file was the last one that was imported. */
async function importFile(em: EntityManager, wishes: readonly CatalogueWish[], clock: Clock): Promise<boolean> {
  const said = wishes.map(({ field: { item, name }, value }) => [item, name, value]);
  const digest = createHash('sha256').update(JSON.stringify(said)).digest('hex');
  if ((await lastImport(em)) === digest) return false;
  await writeWishes(em, wishes, { clock, setBy: 'file', reason: '' });
  await insertImport(em, digest, clock.now());
  return true;
}

/** Writes what is another value than the one in force, from now on. Returns how many fields that are. */
export async function writeWishes(
  em: EntityManager,
  wishes: readonly CatalogueWish[],
  { clock, setBy, reason }: { clock: Clock; setBy: string; reason: string },
): Promise<number> {
  const entries = await catalogueEntries(em);
  const now = clock.now();
  const changed = wishes.filter(({ field, value }) => !sameValue(valueAt(field, entriesOf(entries, field), now), value));
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
      reason,
    })),
  );
  return changed.length;
}

interface Known {
  fields: readonly CatalogueField[];
  clock: Clock;
  entries: () => readonly CatalogueEntry[];
  version: () => number;
}

function viewOf<Result>(known: Known, build: (valueOf: ValueOf) => Result): CatalogueView<Result> {
  const at = (when: Date): Result =>
    build((item, name) => {
      const field = known.fields.find((one) => one.item === item && one.name === name);
      if (!field) throw new RangeError(`the catalogue has no ${item}.${name}`);
      return valueAt(field, entriesOf(known.entries(), field), when);
    });
  let made: { version: number; from: Date; until: Date | undefined; result: Result } | undefined;
  return {
    at,
    now() {
      const now = known.clock.now();
      if (!made || made.version !== known.version() || now < made.from || (made.until !== undefined && now >= made.until))
        made = { version: known.version(), from: now, until: turnsAfter(known.entries(), now)[0], result: at(now) };
      return made.result;
    },
  };
}
