import { batched, grouped } from '#platform/batched.ts';
import { builder } from '../../../builder.ts';
import type { PaymentMethod as Method } from '../../payments/domain/payment-method.ts';
import type { Payment as PaymentEntity } from '../../payments/entities/payment.ts';
import { paymentsOfOrder } from '../../payments/entities/payment.ts';
import type { Refund as RefundEntity } from '../entities/refund.ts';
import { REFUND_STATUSES, refundsOfOrders } from '../entities/refund.ts';
import { methodOfProcessor, payOutDestinations } from '../../payments/providers/payment-methods.ts';
import { refundOrder } from '../services/refund-order.ts';
import { REFUNDED_SERVICES } from '../services/take-back.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { Order, PaymentMethod } from '../../orders/graphql/order.ts';

const Payment = builder.objectRef<PaymentEntity>('Payment').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    method: t.field({ type: PaymentMethod, resolve: ({ processor }) => methodOfProcessor(processor).name as Method }),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    paidAt: t.expose('paidAt', { type: 'DateTime' }),
  }),
});

export const RefundDestination = builder.enumType('RefundDestination', { values: payOutDestinations() });
const RefundStatus = builder.enumType('RefundStatus', { values: REFUND_STATUSES });

export const Refund = builder.objectRef<RefundEntity>('Refund').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.expose('status', { type: RefundStatus }),
    destination: t.expose('destination', { type: RefundDestination }),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    reason: t.exposeString('reason'),
    payTo: t.exposeString('payTo', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    doneAt: t.expose('doneAt', { type: 'DateTime', nullable: true }),
  }),
});

const refundsOfOne = batched(async (em, ids) => grouped(await refundsOfOrders(em, ids), ids, ({ orderId }) => orderId));

builder.objectFields(Order, (t) => ({
  payments: t.field({ type: [Payment], resolve: ({ id: orderId }, _, { em }) => paymentsOfOrder(em, orderId) }),
  refunds: t.field({
    type: [Refund],
    resolve: ({ id: orderId }, _, { em }) => refundsOfOne(em, orderId),
  }),
}));

const RefundedService = builder.enumType('RefundedService', { values: REFUNDED_SERVICES });

const SupportOrderRefundInput = builder.inputType('SupportOrderRefundInput', {
  fields: (t) => ({
    orderId: t.id({ required: true }),
    destination: t.field({ type: RefundDestination, required: true }),
    amountMinor: t.int(),
    reason: t.string({ required: true }),
    service: t.field({ type: RefundedService, defaultValue: 'LEAVE' }),
    idempotencyKey: t.string({ required: true }),
  }),
});

builder.mutationField('supportOrderRefund', (t) =>
  t.field({
    type: Refund,
    authScopes: { staff: 'refund' },
    args: { input: t.arg({ type: SupportOrderRefundInput, required: true }) },
    resolve: (_, { input }, ctx) => refundOrder(ctx, input),
  }),
);
