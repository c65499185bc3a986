// The tax on what an account buys. It depends on the country of the account's invoices and on reverse charge (a business that owes the tax itself). Accounts
// publishes both, and each seller stores them.
import { sql } from 'kysely';
import { type Clock, toDay } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import type { EventOf } from '#platform/events.ts';

/** A tax rate in hundredths of a percent, in force from a UTC day on (`YYYY-MM-DD`); null: always. */
export interface DatedRate {
  from: string | null;
  basisPoints: number;
}

/** Country -> its rates, the latest first; `TAX_RATES`. A country without a rate is not taxed. */
export type TaxRates = Readonly<Record<string, readonly DatedRate[]>>;

/** The tax rate of a country at a moment, in hundredths of a percent. */
export function rateOf(rates: TaxRates, country: string | null | undefined, at: Date): number {
  const day = toDay(at);
  return rates[country ?? '']?.find(({ from }) => from === null || from <= day)?.basisPoints ?? 0;
}

/** Whether the operator charges tax: then an account must say its country before it can pay. */
export const sellsWithTax = (rates: TaxRates): boolean => Object.keys(rates).length > 0;

/** Reaction to the events that change an account's tax: writes the table `account_country` of the seller's schema. */
export async function storeCountry(
  { em }: { em: EntityManager },
  { accountId, at, data: { country, reverseCharge = false } }: EventOf<'billing_details.changed' | 'vat_id.checked'>,
): Promise<void> {
  if (accountId === null) return;
  await sql`insert into account_country (account_id, country, reverse_charge, changed_at) values (${accountId}, ${country}, ${reverseCharge}, ${at})
    on conflict (account_id) do update set country = excluded.country, reverse_charge = excluded.reverse_charge, changed_at = excluded.changed_at
    where account_country.changed_at <= excluded.changed_at`.execute(em.getKysely());
}

/** The account's tax rate for `priceOffer`, in hundredths of a percent; 0 until the account has said its country. */
export async function taxBasisPointsOf(
  { em, clock, providers }: { em: EntityManager; clock: Clock; providers: { taxRates: TaxRates } },
  accountId: string,
): Promise<number> {
  const { rows } = await sql<{ country: string; reverse_charge: boolean }>`
    select country, reverse_charge from account_country where account_id = ${accountId}`.execute(em.getKysely());
  return rows[0]?.reverse_charge ? 0 : rateOf(providers.taxRates, rows[0]?.country, clock.now());
}
