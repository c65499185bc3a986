import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Language } from '#platform/language.ts';
import type { OfferLine } from '#commerce/offers.ts';
import type { LocalTax } from '../../tax/domain/local-tax.ts';
import { type Amounts, type InvoiceKind, leftOf, numbersOf } from '../domain/invoice.ts';
import type { Party } from '../../tax/domain/taxed-buyer.ts';

/** An invoice or a credit note, as it was issued; the database refuses any change of it. */
export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'invoice',
  properties: (p) => ({
    id: p.string().primary(),
    series: p.string(),
    number: p.integer(),
    kind: p.string().$type<InvoiceKind>(),
    accountId: p.string(),
    orderId: p.string().nullable(),
    /** Of a credit note: the invoice. */
    correctsId: p.string().nullable(),
    /** Of an invoice that was issued anew: the one that it stands for, which is cancelled. */
    replacesId: p.string().nullable(),
    note: p.string(),
    periodStart: p.datetime().nullable(),
    periodEnd: p.datetime().nullable(),
    seller: p.json<Party>(),
    buyer: p.json<Party>(),
    lines: p.json<OfferLine[]>(),
    currency: p.string(),
    subtotalMinor: p.bigint('number'),
    taxBasisPoints: p.integer(),
    taxMinor: p.bigint('number'),
    totalMinor: p.bigint('number'),
    /** The recipient owes the tax. */
    reverseCharge: p.boolean(),
    /** In the currency that the seller pays tax in. */
    localTax: p.json<LocalTax>().nullable(),
    /** What it is written in. */
    language: p.string().$type<Language>(),
    issuedAt: p.datetime(),
  }),
});
export type Invoice = InferEntity<typeof Invoice>;

export const invoicesOfAccount = (em: EntityManager, accountId: string): Promise<Invoice[]> =>
  em.find(Invoice, { accountId }, { orderBy: { issuedAt: 'desc', number: 'desc' }, limit: 200 });

/** The newest first; `after` is the id that the page before ended with. `search`: a number or its end, or the id of the order. */
export const pageOfInvoices = (
  em: EntityManager,
  accountId: string,
  limit: number,
  { after, search }: { after?: string | undefined; search?: string | undefined },
): Promise<Invoice[]> =>
  em.find(
    Invoice,
    {
      accountId,
      ...(after !== undefined && { id: { $lt: after } }),
      ...(search !== undefined && { $or: [{ orderId: search.toLowerCase() }, ...numbersOf(search)] }),
    },
    { orderBy: { id: 'desc' }, limit },
  );

export interface InvoiceLeft {
  invoice: Invoice;
  /** What no credit note has given back yet. */
  left: Amounts;
}

/** Invoices with what is left of each, in the order in which they are given. */
export async function leftOfInvoices(em: EntityManager, invoices: readonly Invoice[]): Promise<InvoiceLeft[]> {
  const ids = invoices.map(({ id }) => id);
  const { rows } = await sql<{ corrects_id: string; subtotal: string; tax: string }>`
    select corrects_id, sum(subtotal_minor)::text as subtotal, sum(tax_minor)::text as tax from invoice
    where corrects_id = any(${ids}) group by corrects_id`.execute(em.getKysely());
  return invoices.map((invoice) => {
    const given = rows.find((row) => row.corrects_id === invoice.id);
    return { invoice, left: leftOf(invoice, { subtotalMinor: Number(given?.subtotal ?? 0), taxMinor: Number(given?.tax ?? 0) }) };
  });
}

/** The same for whoever gives something back: until this transaction ends nobody else corrects these invoices. */
export async function lockLeftOfInvoices(em: EntityManager, invoices: readonly Invoice[]): Promise<InvoiceLeft[]> {
  const ids = invoices.map(({ id }) => id);
  await sql`select from account where id in (select account_id from invoice where id = any(${ids})) order by id for no key update`.execute(
    em.getKysely(),
  );
  await sql`select from invoice where id = any(${ids}) order by id for no key update`.execute(em.getKysely());
  return leftOfInvoices(em, invoices);
}

/**
 * The next number of a series, for this transaction alone: others wait for its end, and when it fails the number is the next one again. Take it last,
 * for it makes everybody who issues wait.
 */
export async function nextNumber(em: EntityManager, series: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into invoice_series (series, last) values (${series}, 1)
    on conflict (series) do update set last = invoice_series.last + 1 returning last`.execute(em.getKysely());
  if (!rows[0]) throw new Error(`no number for ${series}`);
  return rows[0].last;
}

export const invoiceWithId = (em: EntityManager, id: string): Promise<Invoice | null> => em.findOne(Invoice, { id });

/** One that is known to exist. */
export const existingInvoice = (em: EntityManager, id: string): Promise<Invoice> => em.findOneOrFail(Invoice, { id });

/** The invoice of that account; null also when it is another's. */
export const invoiceOfOwner = (em: EntityManager, id: string, accountId: string): Promise<Invoice | null> =>
  em.findOne(Invoice, { id, accountId });

/** What an order was charged by, without its credit notes: the last one, where it was issued anew. */
export const invoiceOfOrder = (em: EntityManager, orderId: string): Promise<Invoice | null> =>
  em.findOne(Invoice, { orderId, kind: 'INVOICE' }, { orderBy: { issuedAt: 'desc', number: 'desc' } });

/** Whether another invoice was issued in its place. */
export const isReplaced = async (em: EntityManager, id: string): Promise<boolean> => (await em.count(Invoice, { replacesId: id })) > 0;

/** What was given back of an invoice, oldest first. */
export const notesOfInvoice = (em: EntityManager, id: string): Promise<Invoice[]> =>
  em.find(Invoice, { correctsId: id }, { orderBy: { issuedAt: 'asc', number: 'asc' } });

/** The invoices of these orders, and their credit notes after them. */
export const invoicesOfOrders = (em: EntityManager, orderIds: readonly string[]): Promise<Invoice[]> =>
  em.find(Invoice, { orderId: { $in: [...orderIds] } }, { orderBy: { issuedAt: 'asc', kind: 'desc', number: 'asc' } });

/** Invoices of these orders for time that is not over at `now`, as they say or because it began with the delivery (`begunIds`), newest first. */
export const invoicesInForce = (
  em: EntityManager,
  { orderIds, begunIds, currency, now }: { orderIds: string[]; begunIds: string[]; currency: string; now: Date },
): Promise<Invoice[]> =>
  em.find(
    Invoice,
    { orderId: { $in: orderIds }, kind: 'INVOICE', currency, $or: [{ periodEnd: { $gt: now } }, { orderId: { $in: begunIds } }] },
    { orderBy: { issuedAt: 'desc', number: 'desc' } },
  );

export async function insertInvoice(em: EntityManager, invoice: Invoice): Promise<void> {
  await em.insert(Invoice, invoice);
}
