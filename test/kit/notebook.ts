// A table that only tests have: event readers write to it in the transaction in which they handle an event.
import type { EntityManager } from '#platform/database.ts';
import { type Query, addRow, queryOf, rowsOf } from './tables.ts';

const TABLE = 'accounts.handled';

export interface Notebook {
  write(em: EntityManager, reader: string, what: string): Promise<void>;
  /** What a reader has written, oldest first. */
  read(reader: string): Promise<string[]>;
}

/** Makes the table, which readers with the database role of accounts may write to. */
export async function openNotebook(query: Query): Promise<Notebook> {
  await query(`create table ${TABLE} (reader text, what text, place bigint generated always as identity)`);
  await query(`grant all on ${TABLE} to egress_accounts`);
  return {
    write: (em, reader, what) => addRow(queryOf(em), TABLE, { reader, what }),
    read: async (reader) =>
      (await rowsOf<{ what: string }>(query, TABLE, { reader }, { columns: 'what', orderBy: 'place' })).map(({ what }) => what),
  };
}
