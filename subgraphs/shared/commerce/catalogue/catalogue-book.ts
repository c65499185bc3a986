// One seller's catalogue, cached in the process: read at the start and again after each change, so that a price needs no query and a change reaches every
// process within a second. A scheduled change takes effect without another read.
import { createHash } from 'node:crypto';
import { type Clock, SECOND } from '#platform/clock.ts';
import { type EntityManager, inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import { type CatalogueWish, readCatalogue } from './catalogue-file.ts';
import { writeWishes } from './catalogue-import.ts';
import {
  type CatalogueEntry,
  type CatalogueField,
  type Override,
  type ValueOf,
  entriesOf,
  turnsAfter,
  valueAt,
} from './catalogue-entry.ts';
import { announceCatalogue, catalogueEntries, channelOf, insertImport, insertUsual, lastImport, lockCatalogue } from './entry-rows.ts';

const RETRY_MS = SECOND;

/** What a seller computes from its catalogue, for now or for another moment. */
export interface CatalogueView<Result> {
  now(): Result;
  /** With other values instead of some of the catalogue's. */
  at(when: Date, override?: Override): Result;
}

export interface CatalogueBook {
  readonly fields: readonly CatalogueField[];
  /** The channel on which `announceCatalogue` notifies the other processes. */
  readonly channel: string;
  entries(): readonly CatalogueEntry[];
  /** Builds a result from the catalogue, and builds it again when the catalogue changes or a scheduled change takes effect. */
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

/**
 * Opens the catalogue: adds the defaults of new fields, imports CATALOGUE_FILE unless it was the last one imported, and listens for changes. Throws as
 * `readCatalogue`.
 */
export async function openCatalogue(
  { config, clock, log, notifications }: Platform,
  { seller, fields, em, closing }: Owner,
): Promise<CatalogueBook> {
  const channel = channelOf(seller);
  let entries: readonly CatalogueEntry[] = [];
  let version = 0;
  let retry: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();
  let closed = false;
  const read = async () => {
    entries = await catalogueEntries(em());
    version += 1;
  };
  /** One read after the other, so that an older answer never replaces a newer one. */
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

/** Returns false when this file is the one that was imported last. */
async function importFile(em: EntityManager, wishes: readonly CatalogueWish[], clock: Clock): Promise<boolean> {
  const said = wishes.map(({ field: { item, name }, value }) => [item, name, value]);
  const digest = createHash('sha256').update(JSON.stringify(said)).digest('hex');
  if ((await lastImport(em)) === digest) return false;
  await writeWishes(em, wishes, { clock, setBy: 'file' });
  await insertImport(em, digest, clock.now());
  return true;
}

interface Known {
  fields: readonly CatalogueField[];
  clock: Clock;
  entries: () => readonly CatalogueEntry[];
  version: () => number;
}

function viewOf<Result>(known: Known, build: (valueOf: ValueOf) => Result): CatalogueView<Result> {
  const at = (when: Date, override: Override = (_field, value) => value): Result =>
    build((item, name) => {
      const field = known.fields.find((one) => one.item === item && one.name === name);
      if (!field) throw new RangeError(`the catalogue has no ${item}.${name}`);
      return override(field, valueAt(field, entriesOf(known.entries(), field), when));
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
