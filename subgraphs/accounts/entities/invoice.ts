import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#shared/database.ts';
import type { OfferLine } from '#shared/offers.ts';
import type { InvoiceKind, Party } from '../domain/invoice.ts';

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
    issuedAt: p.datetime(),
  }),
});
export type Invoice = InferEntity<typeof Invoice>;

export const invoicesOfAccount = (em: EntityManager, accountId: string): Promise<Invoice[]> =>
  em.find(Invoice, { accountId }, { orderBy: { issuedAt: 'desc', number: 'desc' }, limit: 200 });

/**
 * The next number of a series, for this transaction alone: others wait for its end, and when it fails the number is the next one again. Take it last, for it
 * makes everybody who issues wait.
 */
export async function nextNumber(em: EntityManager, series: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into invoice_series (series, last) values (${series}, 1)
    on conflict (series) do update set last = invoice_series.last + 1 returning last`.execute(em.getKysely());
  if (!rows[0]) throw new Error(`no number for ${series}`);
  return rows[0].last;
}
