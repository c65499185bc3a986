// One row for each thing that the authorization server keeps. A grant is a row too: the rows that belong to it end with it.
import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Scope } from '#platform/identity.ts';
import { pointRead } from '#platform/point-read.ts';
import type { AccountRole } from '../../identity/entities/account.ts';

export const OAuthRecord = defineEntity({
  name: 'OAuthRecord',
  tableName: 'oauth_record',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string(),
    payload: p.text(),
    grantId: p.string().nullable(),
    uid: p.string().nullable(),
    accountId: p.string().nullable(),
    keyId: p.string().nullable(),
    scopes: p.array().$type<Scope[]>().nullable(),
    appName: p.string().nullable(),
    appHost: p.string().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    consumedAt: p.datetime().nullable(),
  }),
});
export type OAuthRecord = InferEntity<typeof OAuthRecord>;

/** A grant that its owner has agreed to. */
export interface AppGrant {
  id: string;
  accountId: string;
  keyId: string;
  scopes: Scope[];
  appName: string;
  appHost: string;
  createdAt: Date;
  expiresAt: Date;
  /** When its latest token was issued: a client that is used renews its token each hour. */
  renewedAt: Date;
}

export type NewRecord = Pick<OAuthRecord, 'id' | 'kind' | 'payload' | 'grantId' | 'uid' | 'createdAt' | 'expiresAt'>;

/** Stores a record, or its new state. What an owner has agreed to stays. False: its grant has been ended meanwhile. */
export async function storeRecord(em: EntityManager, record: NewRecord): Promise<boolean> {
  const { id, kind, payload, grantId, uid, createdAt, expiresAt } = record;
  const { numAffectedRows } = await sql`
    insert into oauth_record (id, kind, payload, grant_id, uid, created_at, expires_at)
    select ${id}, ${kind}, ${payload}, ${grantId}, ${uid}, ${createdAt.toISOString()}::timestamptz, ${expiresAt.toISOString()}::timestamptz
    where ${grantId}::text is null or ${grantId}::text = ${id}::text or exists (select from oauth_record where id = ${grantId})
    on conflict (id) do update set payload = excluded.payload, uid = excluded.uid, expires_at = excluded.expires_at`.execute(
    em.getKysely(),
  );
  return numAffectedRows === 1n;
}

/** A grant is alive while its key works; what belongs to no grant is alive until it expires. */
const alive = (now: Date) => sql`
  r.expires_at > ${now.toISOString()}::timestamptz and (r.grant_id is null or exists (
    select from oauth_record g join api_key k on k.id = g.key_id join account a on a.id = k.account_id
    where g.id = r.grant_id and g.expires_at > ${now.toISOString()}::timestamptz and a.suspended_at is null
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now.toISOString()}::timestamptz)))`;

export interface StoredRecord {
  payload: string;
  consumed: boolean;
}

/** The record with this id or uid, if it is alive. */
export async function aliveRecord(em: EntityManager, by: { id: string } | { uid: string }, now: Date): Promise<StoredRecord | undefined> {
  const matches = 'id' in by ? sql`r.id = ${by.id}` : sql`r.uid = ${by.uid}`;
  const { rows } = await sql<StoredRecord>`
    select r.payload, r.consumed_at is not null as consumed from oauth_record r where ${matches} and ${alive(now)}`.execute(em.getKysely());
  return rows[0];
}

/** Marks a record as used; false when it was used before. */
export const consumeRecord = async (em: EntityManager, id: string, now: Date): Promise<boolean> =>
  (await em.nativeUpdate(OAuthRecord, { id, consumedAt: null }, { consumedAt: now })) === 1;

/** Deletes a record; with a grant go all its codes and tokens. Returns the id of the key that a grant stood for. */
export async function deleteRecord(em: EntityManager, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ keyId: string | null }>`delete from oauth_record where id = ${id} returning key_id as "keyId"`.execute(
    em.getKysely(),
  );
  return rows[0]?.keyId ?? undefined;
}

/** Makes a client last as long as the grant that was given to it. */
export async function keepRecord(em: EntityManager, id: string, until: Date): Promise<void> {
  await em.nativeUpdate(OAuthRecord, { id, expiresAt: { $lt: until } }, { expiresAt: until });
}

/** Stores what the owner has agreed to; false when there is no such grant, or it was agreed to before. */
export const agreeToGrant = async (
  em: EntityManager,
  id: string,
  agreed: Pick<AppGrant, 'accountId' | 'keyId' | 'scopes' | 'appName' | 'appHost'>,
): Promise<boolean> => (await em.nativeUpdate(OAuthRecord, { id, kind: 'Grant', keyId: null }, agreed)) === 1;

/** The grants of an account that have not ended, the latest first. */
export async function grantsOfAccount(em: EntityManager, accountId: string, now: Date): Promise<AppGrant[]> {
  const { rows } = await sql<
    Omit<AppGrant, 'createdAt' | 'expiresAt' | 'renewedAt'> & Record<'createdAt' | 'expiresAt' | 'renewedAt', string>
  >`
    select r.id, r.account_id as "accountId", r.key_id as "keyId", r.scopes, r.app_name as "appName", r.app_host as "appHost",
      r.created_at as "createdAt", r.expires_at as "expiresAt",
      coalesce((select max(token.created_at) from oauth_record token where token.grant_id = r.id), r.created_at) as "renewedAt"
    from oauth_record r
    where r.account_id = ${accountId} and r.kind = 'Grant' and ${alive(now)}
    order by r.created_at desc, r.id`.execute(em.getKysely());
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    expiresAt: new Date(row.expiresAt),
    renewedAt: new Date(row.renewedAt),
  }));
}

export const grantOfAccount = (em: EntityManager, id: string, accountId: string): Promise<OAuthRecord | null> =>
  em.findOne(OAuthRecord, { id, kind: 'Grant', accountId });

export async function deleteGrantsOf(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(OAuthRecord, { accountId });
}

/** Deletes what has expired, and grants whose key was revoked. At most `limit` rows. */
export async function deleteExpired(em: EntityManager, now: Date, limit: number): Promise<void> {
  await sql`
    delete from oauth_record where id in (
      select r.id from oauth_record r left join api_key k on k.id = r.key_id
      where r.expires_at <= ${now.toISOString()}::timestamptz or k.revoked_at is not null
        or (r.kind = 'Grant' and r.key_id is null and r.created_at < ${now.toISOString()}::timestamptz - interval '1 hour') limit ${limit})`.execute(
    em.getKysely(),
  );
}

export interface TokenRow {
  id: string;
  payload: string;
  // Instants are text: the ORM parses them for entities only.
  expires_at: string;
  grant_scopes: Scope[];
  key_id: string;
  key_hash: string;
  key_scopes: Scope[];
  key_expires_at: string | null;
  key_revoked_at: string | null;
  allowed_addresses: string[];
  account_id: string;
  role: AccountRole;
  api_allowed: boolean;
  suspended_at: string | null;
}

/** An access token with its key and account. Prepared: requests with a token come through here. */
export const tokenWithKey = pointRead<TokenRow>(
  {
    name: 'caller_of_access_token',
    text: `select token.id, token.payload, token.expires_at, g.scopes as grant_scopes, key.id as key_id, key.hash as key_hash, key.scopes as key_scopes,
      key.expires_at as key_expires_at, key.revoked_at as key_revoked_at, key.allowed_addresses, account.id as account_id, account.role,
      account.api_allowed, account.suspended_at
    from accounts.oauth_record as token join accounts.oauth_record as g on g.id = token.grant_id
      join accounts.api_key as key on key.id = g.key_id join accounts.account on account.id = key.account_id
    where token.id = any($1) and token.kind = 'AccessToken'`,
  },
  ({ id }) => id,
);
