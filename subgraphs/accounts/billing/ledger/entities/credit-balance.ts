// The database keeps the balance from the ledger's entries; nothing else can write it.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import { lockMoneyOf } from '../../../identity/entities/account.ts';

/** What an account may spend, in minor units. */
export async function creditOfAccount(em: EntityManager, accountId: string, currency: string): Promise<number> {
  const { rows } = await sql<{ amount: string }>`
    select amount_minor::text as amount from credit_balance where account_id = ${accountId} and currency = ${currency}`.execute(
    em.getKysely(),
  );
  return Number(rows[0]?.amount ?? 0);
}

/** The same, and nobody else spends until this transaction ends. The account's row stands for it: its balance may not exist yet. */
export async function lockCreditOfAccount(em: EntityManager, accountId: string, currency: string): Promise<number> {
  await lockMoneyOf(em, accountId);
  return creditOfAccount(em, accountId, currency);
}

/** In each currency that it has any in. */
export async function creditsOfAccount(em: EntityManager, accountId: string): Promise<{ currency: string; amountMinor: number }[]> {
  const { rows } = await sql<{ currency: string; amount: string }>`
    select currency, amount_minor::text as amount from credit_balance where account_id = ${accountId} order by currency`.execute(
    em.getKysely(),
  );
  return rows.map(({ currency, amount }) => ({ currency, amountMinor: Number(amount) }));
}
