// Exchange rates, one per day. The last value that was noted for a day counts; issued invoices keep theirs.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { ExchangeRate } from '../domain/local-tax.ts';

export async function storeRate(em: EntityManager, { currency, day, perDollar, source }: ExchangeRate, notedAt: Date): Promise<void> {
  await sql`insert into exchange_rate (currency, day, per_dollar, source, noted_at)
    values (${currency}, ${day}, ${perDollar}, ${source}, ${notedAt})
    on conflict (currency, day) do update set per_dollar = excluded.per_dollar, source = excluded.source, noted_at = excluded.noted_at`.execute(
    em.getKysely(),
  );
}

/** The rates of these days, both included, the latest first. */
export async function ratesBetween(
  em: EntityManager,
  currency: string,
  { from, to }: { from: string; to: string },
  limit: number,
): Promise<ExchangeRate[]> {
  const { rows } = await sql<ExchangeRate>`
    select currency, to_char(day, 'YYYY-MM-DD') as day, per_dollar::text as "perDollar", source from exchange_rate
    where currency = ${currency} and day between ${from} and ${to} order by day desc limit ${limit}`.execute(em.getKysely());
  return rows;
}
