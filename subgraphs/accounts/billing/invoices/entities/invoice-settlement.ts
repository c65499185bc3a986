import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';

/** What was paid on an invoice, or given back by a credit note, and by what. */
export const InvoiceSettlement = defineEntity({
  name: 'InvoiceSettlement',
  tableName: 'invoice_settlement',
  properties: (p) => ({
    invoiceId: p.string().primary(),
    method: p.string().$type<MethodName>().primary(),
    /** The payment, the order whose credit was used, or the refund. */
    reference: p.string().primary(),
    amountMinor: p.bigint('number'),
    /** Of it, what a bank has kept on the way and is let go: the seller's loss. */
    shortMinor: p.bigint('number').default(0),
    settledAt: p.datetime(),
  }),
});
export type InvoiceSettlement = InferEntity<typeof InvoiceSettlement>;

/** What settled an invoice or credit note, in the order of time. */
export const settlementsOf = (em: EntityManager, invoiceId: string): Promise<InvoiceSettlement[]> => settlementsOfAll(em, [invoiceId]);

/** The same of several. */
export const settlementsOfAll = (em: EntityManager, invoiceIds: readonly string[]): Promise<InvoiceSettlement[]> =>
  em.find(InvoiceSettlement, { invoiceId: { $in: [...invoiceIds] } }, { orderBy: { settledAt: 'asc', method: 'asc' } });

/** None of them is nothing to do. */
export async function insertSettlements(em: EntityManager, settlements: InvoiceSettlement[]): Promise<void> {
  if (settlements.length > 0) await em.insertMany(InvoiceSettlement, settlements);
}
