import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { VatIdState } from '../domain/tax-rule.ts';

/** The VAT id of an account's billing details, and the register's last answer about it. */
export const AccountVatId = defineEntity({
  name: 'AccountVatId',
  tableName: 'account_vat_id',
  properties: (p) => ({
    accountId: p.string().primary(),
    vatId: p.string(),
    state: p.string().$type<VatIdState>(),
    /** The register's answer that `state` comes from; null while there is none. */
    checkId: p.string().nullable(),
    nextCheckAt: p.datetime(),
    /** How often the register did not answer since its last answer. */
    tries: p.integer(),
  }),
});
export type AccountVatId = InferEntity<typeof AccountVatId>;

/** One answer of the register, kept as proof; the database refuses to change it. */
export const VatIdCheck = defineEntity({
  name: 'VatIdCheck',
  tableName: 'vat_id_check',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    vatId: p.string(),
    valid: p.boolean(),
    /** The register's proof that it was asked, which it gives only to sellers who state their own id. */
    consultationNumber: p.string().nullable(),
    /** The owner of the id according to the register, where its member state discloses it. */
    name: p.string().nullable(),
    address: p.string().nullable(),
    checkedAt: p.datetime(),
  }),
});
export type VatIdCheck = InferEntity<typeof VatIdCheck>;

export const vatIdOfAccount = (em: EntityManager, accountId: string): Promise<AccountVatId | null> =>
  em.findOne(AccountVatId, { accountId });

/** The same, locked, as it is now. */
export const lockVatId = (em: EntityManager, accountId: string): Promise<AccountVatId | null> =>
  em.findOne(AccountVatId, { accountId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

/** Stores or removes the VAT id of an account. A new id is unchecked; the same one stays as it is. Returns whether there is a new id to check. */
export async function storeVatId(em: EntityManager, accountId: string, vatId: string | null, now: Date): Promise<boolean> {
  if (vatId === null) {
    await em.nativeDelete(AccountVatId, { accountId });
    return false;
  }
  const { numAffectedRows } = await sql`
    insert into account_vat_id (account_id, vat_id, state, next_check_at) values (${accountId}, ${vatId}, 'UNCHECKED', ${now})
    on conflict (account_id) do update set vat_id = excluded.vat_id, state = 'UNCHECKED', check_id = null, next_check_at = excluded.next_check_at, tries = 0
    where account_vat_id.vat_id <> excluded.vat_id`.execute(em.getKysely());
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}

/** Accounts whose id is due to be checked, longest waiting first. */
export async function vatIdsToCheck(em: EntityManager, now: Date, limit: number): Promise<string[]> {
  const rows = await em.find(
    AccountVatId,
    { nextCheckAt: { $lte: now } },
    { orderBy: { nextCheckAt: 'asc' }, limit, fields: ['accountId'] },
  );
  return rows.map(({ accountId }) => accountId);
}

export async function insertVatIdCheck(em: EntityManager, check: VatIdCheck): Promise<void> {
  await em.insert(VatIdCheck, check);
}

export const vatIdCheckWithId = (em: EntityManager, id: string): Promise<VatIdCheck | null> => em.findOne(VatIdCheck, { id });
