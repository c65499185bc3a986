// The table compute.ssh_key: the public keys that an account stores.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface SshKeyRow {
  id: string;
  accountId: string;
  name: string;
  publicKey: string;
  fingerprint: string;
  createdAt: Date;
}

const FIELDS = sql`id, account_id as "accountId", name, line as "publicKey", sha256 as fingerprint, created_at as "createdAt"`;

/** The driver returns timestamps of plain SQL as text. */
const toRow = (row: SshKeyRow): SshKeyRow => ({ ...row, createdAt: new Date(row.createdAt) });

/** The keys of an account, ordered by name, then the oldest first. */
export async function sshKeysOf(em: EntityManager, accountId: string): Promise<SshKeyRow[]> {
  const { rows } = await sql<SshKeyRow>`select ${FIELDS} from ssh_key where account_id = ${accountId} order by lower(name), id`.execute(
    em.getKysely(),
  );
  return rows.map(toRow);
}

/** Makes additions of keys to one account run one after another. */
export async function lockSshKeys(em: EntityManager, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`compute.ssh_key ${accountId}`}, 0))`.execute(em.getKysely());
}

export async function insertSshKey(em: EntityManager, key: SshKeyRow): Promise<void> {
  await sql`insert into ssh_key (id, account_id, name, line, sha256, created_at)
    values (${key.id}, ${key.accountId}, ${key.name}, ${key.publicKey}, ${key.fingerprint}, ${key.createdAt}::timestamptz)`.execute(
    em.getKysely(),
  );
}

/** Renames a key; undefined when the account has no such key. */
export async function nameSshKey(em: EntityManager, accountId: string, id: string, name: string): Promise<SshKeyRow | undefined> {
  const { rows } = await sql<SshKeyRow>`update ssh_key set name = ${name} where id = ${id} and account_id = ${accountId}
    returning ${FIELDS}`.execute(em.getKysely());
  return rows.map(toRow)[0];
}

/** Deletes a key; returns whether there was one. */
export async function deleteSshKey(em: EntityManager, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`delete from ssh_key where id = ${id} and account_id = ${accountId} returning id`.execute(em.getKysely());
  return rows.length > 0;
}
