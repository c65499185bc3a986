import { builder } from '../builder.ts';
import { confirmTransfer } from '../services/bank-transfer.ts';
import { Order } from './order.ts';

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
    authScopes: { staff: true },
    args: { input: t.arg({ type: SupportTransferConfirmInput, required: true }) },
    resolve: (_, { input }, ctx) => confirmTransfer(ctx, input),
  }),
);
