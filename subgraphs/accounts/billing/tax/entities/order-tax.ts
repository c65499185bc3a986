import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Party } from '../domain/taxed-buyer.ts';
import type { EvidenceKind } from '../domain/evidence.ts';

/** How an order was taxed, and on what grounds. Missing for old orders, and for orders that were sold without tax. */
export const OrderTax = defineEntity({
  name: 'OrderTax',
  tableName: 'order_tax',
  properties: (p) => ({
    orderId: p.string().primary(),
    /** The account's billing details at that time. */
    buyer: p.json<Party>(),
    country: p.string(),
    reverseCharge: p.boolean(),
    /** The answer of the register because of which the recipient owes the tax. */
    vatIdCheckId: p.string().nullable(),
    notedAt: p.datetime(),
    /** When a member of staff has checked the evidence, who, and why the tax is right. */
    checkedAt: p.datetime().nullable(),
    checkedBy: p.string().nullable(),
    checkReason: p.string().nullable(),
  }),
});
export type OrderTax = InferEntity<typeof OrderTax>;

export const TaxEvidence = defineEntity({
  name: 'TaxEvidence',
  tableName: 'tax_evidence',
  properties: (p) => ({
    orderId: p.string().primary(),
    kind: p.string().$type<EvidenceKind>().primary(),
    /** ISO 3166; null: this piece names no country. */
    country: p.string().nullable(),
    detail: p.string().nullable(),
    notedAt: p.datetime(),
  }),
});
export type TaxEvidence = InferEntity<typeof TaxEvidence>;

export async function insertOrderTax(em: EntityManager, row: Omit<OrderTax, 'checkedAt' | 'checkedBy' | 'checkReason'>): Promise<void> {
  await em.insert(OrderTax, { ...row, checkedAt: null, checkedBy: null, checkReason: null });
}

export const taxOfOrder = (em: EntityManager, orderId: string): Promise<OrderTax | null> => em.findOne(OrderTax, { orderId });

/** Stores evidence; the first piece of each kind is kept, later ones are ignored. */
export async function noteEvidence(em: EntityManager, pieces: TaxEvidence[]): Promise<void> {
  if (pieces.length > 0) await em.qb(TaxEvidence).insert(pieces).onConflict().ignore().execute('run');
}

export const evidenceOfOrder = (em: EntityManager, orderId: string): Promise<TaxEvidence[]> =>
  em.find(TaxEvidence, { orderId }, { orderBy: { kind: 'asc' } });

/** Paid orders since `since` whose evidence names different countries and that nobody has checked, newest first. */
export async function contradictedOrders(em: EntityManager, since: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from tax_evidence as piece join customer_order on id = order_id join order_tax using (order_id)
    where piece.noted_at >= ${since} and piece.country is not null and paid_at is not null
      and checked_at is null
    group by order_id having count(distinct piece.country) > 1 order by order_id desc limit ${limit}`.execute(em.getKysely());
  return rows.map(({ order_id: id }) => id);
}

/** Deletes old evidence: it contains addresses of clients, which may not be kept longer than necessary. */
export async function forgetEvidence(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(TaxEvidence, { notedAt: { $lt: before } });
  await em.nativeDelete(OrderTax, { notedAt: { $lt: before } });
}
