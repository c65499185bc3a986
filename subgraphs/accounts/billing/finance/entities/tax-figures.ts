// Sums over invoices and credit notes for tax returns. Amounts are minor units as decimal strings; those in the seller's currency are null where one of the
// documents has no exchange rate.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { DayPeriod } from '#platform/day-period.ts';

export interface TaxSums {
  /** ISO 3166 alpha-2; null: the buyer's country is not known. */
  country: string | null;
  basisPoints: number;
  /** Whether the buyers have a tax id. */
  hasTaxId: boolean;
  currency: string;
  documents: number;
  net: string;
  tax: string;
  localNet: string | null;
  localTax: string | null;
}

/**
 * SQL: the documents of a period; `sign` is -1 for credit notes. `rate` is the exchange rate that the document states, or that of the day of its sale
 * (Directive 2006/112/EC, article 91; up to 31 days old as in `tax/domain/local-tax.ts`). `sold_at` is that day: of the invoice that a document corrects or
 * replaces, else its own.
 */
const documents = ({ from, until }: DayPeriod, local: string | undefined) => sql`
  select invoice.*, sold_at, case invoice.kind when 'INVOICE' then 1 else -1 end as sign,
    case invoice.local_tax ->> 'currency' when ${local ?? ''} then (invoice.local_tax ->> 'amountMinor')::numeric end as stated,
    coalesce(case invoice.local_tax ->> 'currency' when ${local ?? ''} then (invoice.local_tax ->> 'perDollar')::numeric end,
      (select per_dollar from exchange_rate where currency = ${local ?? ''} and day between sold_at::date - 31 and sold_at::date
        order by day desc limit 1)) as rate
  from invoice
    left join invoice as corrected on corrected.id = invoice.corrects_id
    left join invoice as replaced on replaced.id = coalesce(corrected.replaces_id, invoice.replaces_id),
    lateral (select coalesce(replaced.issued_at, corrected.issued_at, invoice.issued_at) at time zone 'UTC' as sold_at) as sale
  where invoice.issued_at >= ${from} and invoice.issued_at < ${until}`;

/** SQL: a sum that is null as soon as one document has no rate, since a partial sum would be taken for the whole. */
const localSum = (amount: ReturnType<typeof sql>) => sql`case when bool_and(rate is not null) then sum(sign * ${amount})::text end`;
const LOCAL_NET = localSum(sql`round(subtotal_minor * rate)`);
const LOCAL_TAX = localSum(sql`coalesce(stated, round(tax_minor * rate))`);

/**
 * Invoices less credit notes of a period, by the buyer's country and the rate. `sales`: only documents of sales within the period, without corrections of
 * earlier ones.
 */
export async function taxSums(
  em: EntityManager,
  period: DayPeriod,
  { local, sales = false }: { local: string | undefined; sales?: boolean },
): Promise<TaxSums[]> {
  const { rows } = await sql<TaxSums>`
    with document as (${documents(period, local)})
    select buyer ->> 'country' as country, tax_basis_points as "basisPoints", (buyer ->> 'taxId') is not null as "hasTaxId", currency,
      count(*)::int as documents, sum(sign * subtotal_minor)::text as net, sum(sign * tax_minor)::text as tax,
      ${LOCAL_NET} as "localNet", ${LOCAL_TAX} as "localTax"
    from document where not ${sales} or sold_at >= ${period.from}::timestamptz at time zone 'UTC'
    group by 1, 2, 3, currency order by 1 nulls last, 2, 3, currency`.execute(em.getKysely());
  return rows;
}

export interface CorrectionSums {
  /** The quarter of the sale, YYYY-Qn. */
  quarter: string;
  country: string;
  currency: string;
  documents: number;
  tax: string;
}

/** Taxed documents of a period that correct sales from before it, by the quarter of the sale and the buyer's country. */
export async function correctionSums(em: EntityManager, period: DayPeriod): Promise<CorrectionSums[]> {
  const { rows } = await sql<CorrectionSums>`
    with document as (${documents(period, undefined)})
    select to_char(sold_at, 'YYYY-"Q"Q') as quarter, buyer ->> 'country' as country, currency, count(*)::int as documents,
      sum(sign * tax_minor)::text as tax
    from document
    where sold_at < ${period.from}::timestamptz at time zone 'UTC' and tax_basis_points > 0 and buyer ->> 'country' is not null
    group by 1, 2, currency having sum(sign * tax_minor) <> 0 order by 1, 2, currency`.execute(em.getKysely());
  return rows;
}

export interface RecapitulativeSums {
  country: string;
  taxId: string;
  currency: string;
  documents: number;
  net: string;
  localNet: string | null;
}

/** Invoices less credit notes of a period to buyers who owe the tax themselves, by their VAT id. */
export async function recapitulativeSums(em: EntityManager, period: DayPeriod, local: string | undefined): Promise<RecapitulativeSums[]> {
  const { rows } = await sql<RecapitulativeSums>`
    with document as (${documents(period, local)})
    select buyer ->> 'country' as country, buyer ->> 'taxId' as "taxId", currency, count(*)::int as documents,
      sum(sign * subtotal_minor)::text as net, ${LOCAL_NET} as "localNet"
    from document where reverse_charge group by 1, 2, currency order by 1, 2, currency`.execute(em.getKysely());
  return rows;
}
