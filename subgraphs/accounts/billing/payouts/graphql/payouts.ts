// What processors hold, move and pay out, as parts of the finance report for staff.
import { builder } from '../../../builder.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { MOVEMENT_KINDS, PAYOUT_STATUSES, type MovementKind } from '../../payments/domain/balance-movement.ts';
import type { ProcessorMovement as MovementRow } from '../entities/processor-movement.ts';
import type { ProcessorPayout } from '../entities/processor-payout.ts';
import {
  UNEVEN_REASONS,
  type PayoutSum as PayoutSumRow,
  type ProcessorBooks as ProcessorBooksRow,
  type UnevenPayment as UnevenPaymentRow,
  payoutLines,
  payoutSums,
} from '../services/reconcile.ts';

const MovementKindEnum = builder.enumType('BalanceMovementKind', { values: MOVEMENT_KINDS });
const PayoutStatus = builder.enumType('PayoutStatus', { values: PAYOUT_STATUSES });

const BalanceMovement = builder.objectRef<MovementRow>('BalanceMovement').implement({
  fields: (t) => ({
    id: t.exposeID('processorId'),
    kind: t.expose('kind', { type: MovementKindEnum }),
    subject: t.exposeString('subjectId', { nullable: true }),
    payment: t.exposeString('paymentId', { nullable: true }),
    words: t.exposeString('words'),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    fee: t.field({ type: Money, resolve: ({ feeMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    movedAt: t.expose('movedAt', { type: 'DateTime' }),
    availableAt: t.expose('availableAt', { type: 'DateTime' }),
  }),
});

const PayoutSum = builder.objectRef<PayoutSumRow>('PayoutSum').implement({
  fields: (t) => ({
    kind: t.field({ type: MovementKindEnum, resolve: ({ kind }) => kind as MovementKind }),
    lines: t.exposeInt('lines'),
    amount: t.expose('amount', { type: Money }),
    fees: t.expose('fees', { type: Money }),
    net: t.expose('net', { type: Money }),
  }),
});

const PayoutLines = builder.objectRef<{ items: MovementRow[]; next: string | null }>('PayoutLines').implement({
  fields: (t) => ({
    items: t.field({ type: [BalanceMovement], resolve: ({ items }) => items }),
    next: t.exposeID('next', { nullable: true }),
  }),
});

export const Payout = builder.objectRef<ProcessorPayout>('Payout').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    processor: t.exposeString('processor'),
    processorId: t.exposeString('processorId'),
    status: t.expose('status', { type: PayoutStatus }),
    failure: t.exposeString('failure', { nullable: true }),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    movedAt: t.expose('movedAt', { type: 'DateTime' }),
    arrivesAt: t.expose('arrivesAt', { type: 'DateTime', nullable: true }),
    linesKnown: t.boolean({ resolve: ({ lines }) => lines === 'READ' }),
    sums: t.field({ type: [PayoutSum], resolve: (payout, _, ctx) => payoutSums(ctx, payout) }),
    lines: t.field({
      type: PayoutLines,
      args: { first: t.arg.int({ required: true, defaultValue: 25 }), after: t.arg.id() },
      resolve: (payout, page, ctx) => payoutLines(ctx, payout, page),
    }),
  }),
});

const UnevenReason = builder.enumType('UnevenReason', { values: UNEVEN_REASONS });

const UnevenPayment = builder.objectRef<UnevenPaymentRow>('UnevenPayment').implement({
  fields: (t) => ({
    payment: t.exposeString('payment'),
    orderId: t.exposeID('orderId', { nullable: true }),
    kind: t.expose('kind', { type: MovementKindEnum }),
    why: t.expose('why', { type: UnevenReason }),
    booked: t.expose('booked', { type: Money }),
    moved: t.expose('moved', { type: Money }),
    since: t.expose('since', { type: 'DateTime' }),
  }),
});

export const ProcessorBooks = builder.objectRef<ProcessorBooksRow>('ProcessorBooks').implement({
  fields: (t) => ({
    processor: t.exposeString('processor'),
    readUntil: t.expose('readUntil', { type: 'DateTime', nullable: true }),
    held: t.expose('held', { type: [Money] }),
    booked: t.expose('booked', { type: [Money] }),
    uneven: t.expose('uneven', { type: [UnevenPayment] }),
    strange: t.expose('strange', { type: [BalanceMovement] }),
  }),
});
