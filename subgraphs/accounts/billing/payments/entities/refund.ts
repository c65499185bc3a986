import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { MethodName } from '../domain/payment-method.ts';

/** Money given back on an order. PENDING: promised to where it came from; CREDITED: that did not take it, the account's credit has it. */
export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: (p) => ({
    id: p.string().primary(),
    orderId: p.string(),
    creditNoteId: p.string(),
    destination: p.string().$type<MethodName>(),
    amountMinor: p.bigint('number'),
    /** Of the amount. */
    taxMinor: p.bigint('number'),
    currency: p.string(),
    reason: p.string(),
    status: p.string().$type<'PENDING' | 'DONE' | 'CREDITED'>(),
    processorId: p.string().nullable(),
    createdAt: p.datetime(),
    doneAt: p.datetime().nullable(),
  }),
});
export type Refund = InferEntity<typeof Refund>;
