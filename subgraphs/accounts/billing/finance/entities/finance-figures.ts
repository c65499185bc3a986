// The sums that reports consist of: over the ledger, over invoices and credit notes, and over recurring revenue. Amounts are minor units as decimal strings.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Ledger } from '../../ledger/domain/ledger.ts';
import type { DayPeriod } from '#platform/day-period.ts';

export interface LedgerSums {
  ledger: Ledger;
  currency: string;
  /** The balance before the period; debits are positive. */
  opening: string;
  debit: string;
  credit: string;
}

/** The balance of each ledger before a period, and its movements within it. */
export async function ledgerSums(em: EntityManager, { from, until }: DayPeriod): Promise<LedgerSums[]> {
  const { rows } = await sql<LedgerSums>`
    select ledger, currency, coalesce(sum(amount_minor) filter (where posted_at < ${from}), 0)::text as opening,
      coalesce(sum(amount_minor) filter (where posted_at >= ${from} and amount_minor > 0), 0)::text as debit,
      coalesce(-sum(amount_minor) filter (where posted_at >= ${from} and amount_minor < 0), 0)::text as credit
    from ledger_entry join journal on journal.id = journal_id where posted_at < ${until}
    group by ledger, currency order by ledger, currency`.execute(em.getKysely());
  return rows;
}

export interface SalesSums {
  seller: string;
  /** The seller's name of the product, or the title of the order where it names none. */
  product: string;
  currency: string;
  invoices: number;
  sold: string;
  givenBack: string;
}

/** Invoices and credit notes of a period by product; renewals and changes count as the product that their subscription began with. */
export async function salesSums(em: EntityManager, { from, until }: DayPeriod): Promise<SalesSums[]> {
  const { rows } = await sql<SalesSums>`
    select bought.seller, coalesce(bought.fulfil ->> 'product', bought.fulfil ->> 'productId', bought.fulfil ->> 'plan', bought.title) as product,
      invoice.currency, count(*) filter (where invoice.kind = 'INVOICE')::int as invoices,
      coalesce(sum(invoice.subtotal_minor) filter (where invoice.kind = 'INVOICE'), 0)::text as sold,
      coalesce(sum(invoice.subtotal_minor) filter (where invoice.kind = 'CREDIT_NOTE'), 0)::text as "givenBack"
    from invoice
      join customer_order on customer_order.id = invoice.order_id
      left join billing_subscription on billing_subscription.id = customer_order.subscription_id
      join customer_order as bought on bought.id = coalesce(billing_subscription.order_id, customer_order.id)
    where invoice.issued_at >= ${from} and invoice.issued_at < ${until}
    group by 1, 2, invoice.currency order by 1, 2, invoice.currency`.execute(em.getKysely());
  return rows;
}

export interface DeferredSums {
  /** The length of the paid periods, in months. */
  months: number;
  currency: string;
  /** The deferred amount at each of `moments`, in their order. */
  deferred: string[];
}

/**
 * The part of the invoices issued before `until` that is for time after each of `moments`, before tax, less what was credited before `until`. It is spread
 * evenly over time, and rounded half up for each invoice.
 */
export async function deferredSums(em: EntityManager, until: Date, moments: Date[]): Promise<DeferredSums[]> {
  const { rows } = await sql<DeferredSums>`
    select months, currency, array_agg(deferred::text order by moment) as deferred from (
      select months, currency, moment, sum(round(open_minor * greatest(0, extract(epoch from period_end - greatest(moment, period_start)))
        / extract(epoch from period_end - period_start))) as deferred
      from (
        select invoice.currency, period_start, period_end, round(extract(epoch from period_end - period_start) / 2629746)::int as months,
          subtotal_minor - coalesce((select sum(note.subtotal_minor) from invoice as note
            where note.corrects_id = invoice.id and note.issued_at < ${until}), 0) as open_minor
        from invoice where kind = 'INVOICE' and issued_at < ${until} and period_end > ${until} and period_end > period_start) as running
        cross join unnest(${moments}::timestamptz[]) as moment
      group by months, currency, moment) as sums
    group by months, currency order by months, currency`.execute(em.getKysely());
  return rows;
}

export interface RecurringSums {
  seller: string;
  currency: string;
  /** Minor units per year, as all sums below. */
  opening: string;
  added: string;
  expanded: string;
  contracted: string;
  churned: string;
  returned: string;
  subscriptions: number;
}

/** Recurring revenue at the beginning of a period and its movements within it, by seller. */
export async function recurringSums(em: EntityManager, { from, until }: DayPeriod): Promise<RecurringSums[]> {
  const { rows } = await sql<RecurringSums>`
    with moved as (
      select *, after_minor - before_minor as change, moved_at >= ${from} as within,
        lead(number) over (partition by subscription_id order by number) is null as is_last
      from recurring_movement where moved_at < ${until})
    select seller, currency, coalesce(sum(change) filter (where not within), 0)::text as opening,
      coalesce(sum(change) filter (where within and number = 1), 0)::text as added,
      coalesce(sum(change) filter (where within and before_minor = 0 and number > 1), 0)::text as returned,
      coalesce(sum(change) filter (where within and before_minor > 0 and after_minor > before_minor), 0)::text as expanded,
      coalesce(-sum(change) filter (where within and after_minor > 0 and after_minor < before_minor), 0)::text as contracted,
      coalesce(-sum(change) filter (where within and after_minor = 0), 0)::text as churned,
      count(*) filter (where is_last and after_minor > 0)::int as subscriptions
    from moved group by seller, currency order by seller, currency`.execute(em.getKysely());
  return rows;
}

export interface OwedSums {
  /** Groups by days since the unpaid period began; `toDays` is exclusive. */
  fromDays: number;
  toDays: number | null;
  currency: string;
  orders: number;
  amount: string;
}

/** Renewals that are unpaid at `now` although their period has begun, grouped by how long ago that was. `edges`: the days at which a group begins. */
export async function owedSums(em: EntityManager, now: Date, edges: number[]): Promise<OwedSums[]> {
  const { rows } = await sql<OwedSums>`
    select (${edges}::int[])[group_number] as "fromDays", (${edges}::int[])[group_number + 1] as "toDays", currency, count(*)::int as orders,
      sum(subtotal_minor + tax_minor - credit_minor)::text as amount
    from (
      select currency, subtotal_minor, tax_minor, credit_minor,
        width_bucket(extract(epoch from ${now}::timestamptz - period_start) / 86400, ${edges}::int[]::numeric[]) as group_number
      from customer_order where kind = 'RENEWAL' and status = 'PENDING' and period_start <= ${now}) as owed
    group by group_number, currency order by group_number, currency`.execute(em.getKysely());
  return rows;
}
