// The tax on what an account buys: by the country that its invoices are written to, which accounts publishes and each seller stores.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { EventOf } from '#platform/events.ts';

/** Country -> hundredths of a percent; `TAX_RATES`. A country without a rate is not taxed. */
export type TaxRates = Readonly<Record<string, number>>;

export const rateOf = (rates: TaxRates, country: string | null | undefined): number => (country ? (rates[country] ?? 0) : 0);

/** Reaction to `billing_details.changed`, in the seller's own schema (table `account_country`). */
export async function storeCountry(
  { em }: { em: EntityManager },
  { accountId, at, data: { country } }: EventOf<'billing_details.changed'>,
): Promise<void> {
  if (accountId === null) return;
  await sql`insert into account_country (account_id, country, changed_at) values (${accountId}, ${country}, ${at})
    on conflict (account_id) do update set country = excluded.country, changed_at = excluded.changed_at
    where account_country.changed_at <= excluded.changed_at`.execute(em.getKysely());
}

/** What `priceOffer` taxes with, in hundredths of a percent; nothing until the account has said where it is. */
export async function taxBasisPointsOf(
  { em, providers }: { em: EntityManager; providers: { taxRates: TaxRates } },
  accountId: string,
): Promise<number> {
  const { rows } = await sql<{ country: string }>`select country from account_country where account_id = ${accountId}`.execute(
    em.getKysely(),
  );
  return rateOf(providers.taxRates, rows[0]?.country);
}
