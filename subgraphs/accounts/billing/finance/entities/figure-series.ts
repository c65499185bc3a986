// The sums that series of figures consist of: one answer for all of their spans, in the order of the spans. Amounts are minor units as decimal strings.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { DayPeriod } from '#platform/day-period.ts';

const spans = (periods: readonly DayPeriod[]) => sql`
  unnest(${periods.map(({ from }) => from)}::timestamptz[], ${periods.map(({ until }) => until)}::timestamptz[])
    with ordinality as span (begins, ends, place)`;

export interface SalesOfSpan {
  number: number;
  /** Invoices less credit notes, before tax. */
  net: string;
}

/** What was invoiced and credited within each span, before tax. Spans without are absent. */
export async function salesSeries(em: EntityManager, periods: readonly DayPeriod[], currency: string): Promise<SalesOfSpan[]> {
  const { rows } = await sql<SalesOfSpan>`
    select place::int as number, sum(case when kind = 'CREDIT_NOTE' then -subtotal_minor else subtotal_minor end)::text as net
    from ${spans(periods)} join invoice on issued_at >= begins and issued_at < ends
    where kind in ('INVOICE', 'CREDIT_NOTE') and invoice.currency = ${currency}
    group by place order by place`.execute(em.getKysely());
  return rows;
}

export interface RecurringOfSpan {
  number: number;
  seller: string;
  /** Of a year, at the end of the span. */
  yearly: string;
}

/** What recurs at the end of each span, by seller. */
export async function recurringSeries(em: EntityManager, periods: readonly DayPeriod[], currency: string): Promise<RecurringOfSpan[]> {
  const { rows } = await sql<RecurringOfSpan>`
    select place::int as number, seller, sum(after_minor - before_minor)::text as yearly
    from ${spans(periods)} join recurring_movement on moved_at < ends
    where currency = ${currency} group by place, seller order by place, seller`.execute(em.getKysely());
  return rows;
}

export interface AccountsOfSpan {
  opening: number;
  lost: number;
  closing: number;
}

/** For every span: accounts with recurring payments when it begins, those of them that have none at its end, and all that have some then. */
export async function accountSeries(em: EntityManager, periods: readonly DayPeriod[]): Promise<AccountsOfSpan[]> {
  const { rows } = await sql<AccountsOfSpan>`
    select count(*) filter (where before > 0)::int as opening,
      count(*) filter (where before > 0 and now = 0)::int as lost, count(*) filter (where now > 0)::int as closing
    from (
      select place, account_id, coalesce(sum(after_minor - before_minor) filter (where moved_at < begins), 0) as before,
        sum(after_minor - before_minor) as now
      from ${spans(periods)} left join recurring_movement on moved_at < ends group by place, account_id) as accounts
    group by place order by place`.execute(em.getKysely());
  return rows;
}

export interface CostOfSpan {
  number: number;
  costMicros: string;
  /** Bytes that residential plans carried. */
  bytes: string;
}

/** What products have cost on the days of each span, and what they carried. Spans without a counted day are absent. */
export async function costSeries(em: EntityManager, periods: readonly DayPeriod[]): Promise<CostOfSpan[]> {
  const { rows } = await sql<CostOfSpan>`
    select place::int as number, coalesce(sum(cost_micros), 0)::text as "costMicros",
      coalesce(sum(units) filter (where unit = 'BYTES'), 0)::text as bytes
    from ${spans(periods)} join cost_day on cost_day.day >= (begins at time zone 'UTC')::date and cost_day.day < (ends at time zone 'UTC')::date
      left join product_cost using (seller, day)
    group by place order by place`.execute(em.getKysely());
  return rows;
}

export interface CostOfProduct {
  seller: string;
  product: string;
  unit: string;
  units: string;
  costMicros: string;
}

/** What each product has cost within a period, and what it carried or held. */
export async function costsByProduct(em: EntityManager, { from, until }: DayPeriod): Promise<CostOfProduct[]> {
  const { rows } = await sql<CostOfProduct>`
    select seller, product, unit, sum(units)::text as units, sum(cost_micros)::text as "costMicros" from product_cost
    where day >= (${from}::timestamptz at time zone 'UTC')::date and day < (${until}::timestamptz at time zone 'UTC')::date
    group by seller, product, unit order by seller, product`.execute(em.getKysely());
  return rows;
}

/** How many days of a period each seller has counted. */
export async function countedDays(em: EntityManager, { from, until }: DayPeriod): Promise<Map<string, number>> {
  const { rows } = await sql<{ seller: string; days: number }>`
    select seller, count(*)::int as days from cost_day
    where day >= (${from}::timestamptz at time zone 'UTC')::date and day < (${until}::timestamptz at time zone 'UTC')::date
    group by seller`.execute(em.getKysely());
  return new Map(rows.map(({ seller, days }) => [seller, days]));
}
