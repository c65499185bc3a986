import { builder } from '../../../builder.ts';
import type { Order as OrderEntity } from '../../orders/entities/order.ts';
import { confirmTransfer } from '../services/bank-transfer.ts';
import { methodOf, processorOf } from '../../payments/providers/payment-methods.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { Order } from '../../orders/graphql/order.ts';

const TransferTerms = builder.objectRef<OrderEntity>('TransferTerms').implement({
  fields: (t) => ({
    reference: t.exposeString('id'),
    amount: t.field({ type: Money, resolve: ({ totalMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    bank: t.stringList({ resolve: ({ method }, _, { providers }) => [...processorOf(providers, method).instructions] }),
  }),
});

builder.objectField(Order, 'transfer', (t) =>
  t.field({
    type: TransferTerms,
    nullable: true,
    resolve: (order) => (methodOf(order.method).opens === 'INSTRUCTIONS' && order.status === 'PENDING' ? order : null),
  }),
);

const SupportTransferConfirmInput = builder.inputType('SupportTransferConfirmInput', {
  fields: (t) => ({
    orderId: t.id({ required: true }),
    amountMinor: t.int({ required: true }),
    bankReference: t.string({ required: true }),
    idempotencyKey: t.string({ required: true }),
  }),
});

builder.mutationField('supportTransferConfirm', (t) =>
  t.field({
    type: Order,
    authScopes: { staff: 'transfers' },
    args: { input: t.arg({ type: SupportTransferConfirmInput, required: true }) },
    resolve: (_, { input }, ctx) => confirmTransfer(ctx, input),
  }),
);
