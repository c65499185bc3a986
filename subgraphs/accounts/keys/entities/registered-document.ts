// The table accounts.registered_document.
import { type EntityManager, runStatement } from '#platform/database.ts';

/** Documents of one account. */
export const REGISTERED_MAX = 1_000;

export interface RegisteredDocument {
  /** SHA-256 of the text, in hexadecimal digits. */
  hash: string;
  /** Of its operation; empty: it has none. */
  name: string;
  text: string;
  registeredAt: Date;
}

interface Row extends Omit<RegisteredDocument, 'registeredAt'> {
  registered_at: string | Date;
}

/** The documents of an account, by name. */
export async function registeredDocumentsOf(em: EntityManager, accountId: string): Promise<RegisteredDocument[]> {
  const rows = await runStatement<Row>(
    em,
    'select sha256 as hash, name, text, registered_at from accounts.registered_document where account_id = $1 order by name, sha256',
    [accountId],
  );
  return rows.map(({ registered_at, ...row }) => ({ ...row, registeredAt: new Date(registered_at) }));
}

/** Stores documents; one that the account has already stays as it is. */
export async function storeRegisteredDocuments(
  em: EntityManager,
  accountId: string,
  documents: readonly Omit<RegisteredDocument, 'registeredAt'>[],
  at: Date,
): Promise<void> {
  await runStatement(
    em,
    `insert into accounts.registered_document (account_id, sha256, name, text, registered_at)
     select $1, given.sha256, given.name, given.text, $5::timestamptz from unnest($2::text[], $3::text[], $4::text[]) as given (sha256, name, text)
     on conflict do nothing`,
    [accountId, documents.map(({ hash }) => hash), documents.map(({ name }) => name), documents.map(({ text }) => text), at.toISOString()],
  );
}

export async function deleteRegisteredDocument(em: EntityManager, accountId: string, hash: string): Promise<void> {
  await runStatement(em, 'delete from accounts.registered_document where account_id = $1 and sha256 = $2', [accountId, hash]);
}

/** Undefined when the account has none of this hash. */
export async function textOfRegisteredDocument(em: EntityManager, accountId: string, hash: string): Promise<string | undefined> {
  const [row] = await runStatement<{ text: string }>(
    em,
    'select text from accounts.registered_document where account_id = $1 and sha256 = $2',
    [accountId, hash],
  );
  return row?.text;
}

export async function countRegisteredDocuments(em: EntityManager, accountId: string): Promise<number> {
  const [row] = await runStatement<{ count: string }>(
    em,
    'select count(*) as count from accounts.registered_document where account_id = $1',
    [accountId],
  );
  return Number(row?.count);
}
