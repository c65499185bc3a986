// Tables catalogue_entry and catalogue_import. Each seller has them in its own schema; the search path of its role selects it.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import type { CatalogueValue } from './catalogue-value.ts';

/** When the defaults of a release begin: before any order. */
const ALWAYS = new Date('2000-01-01T00:00:00Z');

/** The channel on which changes of a seller's catalogue are notified. */
export const channelOf = (seller: Seller): string => `catalogue_${seller}`;

/** Locks the seller's catalogue until the transaction ends, so that changes happen one after the other. */
export async function lockCatalogue(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue ' || current_schema()))`.execute(em.getKysely());
}

/** Every entry of the seller. */
export async function catalogueEntries(em: EntityManager): Promise<CatalogueEntry[]> {
  const { rows } = await sql<CatalogueEntry>`
    select id, item, field, value, valid_from as "from", valid_until as until, set_at as "setAt", set_by as "setBy", reason, withdrawn_at as "withdrawnAt"
    from catalogue_entry order by valid_from, set_at, id`.execute(em.getKysely());
  const instant = (value: Date | null) => (value === null ? null : new Date(value));
  return rows.map((row) => ({
    ...row,
    from: new Date(row.from),
    until: instant(row.until),
    setAt: new Date(row.setAt),
    withdrawnAt: instant(row.withdrawnAt),
  }));
}

export type NewEntry = Omit<CatalogueEntry, 'withdrawnAt'>;

export async function insertEntries(em: EntityManager, entries: readonly NewEntry[]): Promise<void> {
  for (const { id, item, field, value, from, until, setAt, setBy, reason } of entries)
    await sql`insert into catalogue_entry (id, item, field, value, valid_from, valid_until, set_at, set_by, reason) values
      (${id}, ${item}, ${field}, ${JSON.stringify(value)}::jsonb, ${from}, ${until}, ${setAt}, ${setBy}, ${reason})`.execute(
      em.getKysely(),
    );
}

/** Inserts the default of each field that has none yet. A stored default stays, even when a later release has another one. */
export async function insertUsual(
  em: EntityManager,
  usual: readonly { id: string; item: string; field: string; value: CatalogueValue }[],
  at: Date,
): Promise<void> {
  await sql`
    insert into catalogue_entry (id, item, field, value, valid_from, set_at, set_by, reason)
    select usual.id, usual.item, usual.field, usual.value, ${ALWAYS}, ${at}, 'release', ''
    from jsonb_to_recordset(${JSON.stringify(usual)}::jsonb) as usual (id text, item text, field text, value jsonb)
    on conflict (item, field) where set_by = 'release' do nothing`.execute(em.getKysely());
}

/** Returns false when the change has begun or was withdrawn before. */
export async function withdrawEntry(em: EntityManager, id: string, at: Date, by: string): Promise<boolean> {
  const { rows } = await sql`
    update catalogue_entry set withdrawn_at = ${at}, withdrawn_by = ${by}
    where id = ${id} and withdrawn_at is null and valid_from > ${at} returning id`.execute(em.getKysely());
  return rows.length > 0;
}

/** The digest of the file that was imported last; undefined when none was. */
export async function lastImport(em: EntityManager): Promise<string | undefined> {
  const { rows } = await sql<{ digest: string }>`select digest from catalogue_import order by id desc limit 1`.execute(em.getKysely());
  return rows[0]?.digest;
}

export async function insertImport(em: EntityManager, digest: string, at: Date): Promise<void> {
  await sql`insert into catalogue_import (digest, imported_at) values (${digest}, ${at})`.execute(em.getKysely());
}

/** Notifies all processes once the transaction is committed. */
export async function announceCatalogue(em: EntityManager, channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(em.getKysely());
}
