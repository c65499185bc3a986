import { mayAsStaff } from '#platform/staff-rights.ts';
import { builder } from '../../../builder.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { existingOrder } from '../../orders/entities/order.ts';
import { Order } from '../../orders/graphql/order.ts';
import { DISPUTE_REASONS, DISPUTE_STAGES, DISPUTE_STATUSES } from '../../payments/domain/payer-dispute.ts';
import { Refund } from '../../refunds/graphql/payment.ts';
import { ownerOf } from '../../refunds/services/end-refund.ts';
import { REFUND_DECISIONS, refundsThatFailed, resolveRefund } from '../../refunds/services/resolve-refund.ts';
import type { Refund as RefundEntity } from '../../refunds/entities/refund.ts';
import { type Dispute as DisputeEntity, disputesOfOrder } from '../entities/dispute.ts';
import { recordsOfDispute } from '../entities/dispute-record.ts';
import type { FraudWarning as FraudWarningEntity } from '../entities/fraud-warning.ts';
import { closeWarning, findDispute, giveIn, listDisputes, listWarnings, submitEvidence } from '../services/dispute-desk.ts';
import { evidenceOf } from '../services/evidence.ts';

const DisputeStage = builder.enumType('DisputeStage', { values: DISPUTE_STAGES });
const DisputeStatus = builder.enumType('DisputeStatus', { values: DISPUTE_STATUSES });
const DisputeReason = builder.enumType('DisputeReason', { values: DISPUTE_REASONS });

const Dispute = builder.objectRef<DisputeEntity>('Dispute').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    order: t.field({ type: Order, resolve: ({ orderId }, _, { em }) => existingOrder(em, orderId) }),
    account: t.field({ type: Account, resolve: ({ accountId }, _, { em }) => existingAccount(em, accountId) }),
    processorId: t.exposeString('processorId'),
    stage: t.expose('stage', { type: DisputeStage }),
    status: t.expose('status', { type: DisputeStatus }),
    reason: t.expose('reason', { type: DisputeReason }),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    fee: t.field({
      type: Money,
      resolve: ({ feeMinor, feeCurrency, currency }) => ({ amountMinor: feeMinor, currency: feeCurrency ?? currency }),
    }),
    openedAt: t.expose('openedAt', { type: 'DateTime' }),
    respondBy: t.expose('respondBy', { type: 'DateTime', nullable: true }),
    submittedAt: t.expose('submittedAt', { type: 'DateTime', nullable: true }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
    frozenAt: t.expose('frozenAt', { type: 'DateTime', nullable: true }),
    records: t.int({
      resolve: async ({ id }, _, { em }) => (await recordsOfDispute(em, id)).reduce((sum, { lines }) => sum + lines.length, 0),
    }),
    evidenceUrl: t.string({ resolve: ({ id }) => `/support/evidence/${id}.pdf` }),
  }),
});

const FraudWarning = builder.objectRef<FraudWarningEntity>('FraudWarning').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    order: t.field({ type: Order, resolve: ({ orderId }, _, { em }) => existingOrder(em, orderId) }),
    kind: t.exposeString('kind'),
    actionable: t.exposeBoolean('actionable'),
    warnedAt: t.expose('warnedAt', { type: 'DateTime' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
  }),
});

const FailedRefund = builder.objectRef<RefundEntity>('FailedRefund').implement({
  fields: (t) => ({
    refund: t.field({ type: Refund, resolve: (refund) => refund }),
    account: t.field({
      type: Account,
      resolve: async (refund, _, ctx) => existingAccount(ctx.em, await ownerOf(ctx, refund)),
    }),
    order: t.field({
      type: Order,
      nullable: true,
      resolve: ({ orderId }, _, { em }) => (orderId ? existingOrder(em, orderId) : null),
    }),
    failure: t.exposeString('failure', { nullable: true }),
  }),
});

const EvidenceDocument = builder.objectRef<{ fileName: string; pdf: Buffer }>('EvidenceDocument').implement({
  inaccessible: true,
  fields: (t) => ({ fileName: t.exposeString('fileName'), base64: t.string({ resolve: ({ pdf }) => pdf.toString('base64') }) }),
});

builder.objectField(Order, 'disputes', (t) =>
  t.field({
    type: [Dispute],
    resolve: ({ id }, _, { em, viewer }) => (mayAsStaff(viewer, 'disputes') ? disputesOfOrder(em, id) : []),
  }),
);

builder.queryFields((t) => ({
  supportDisputes: t.field({
    type: [Dispute],
    authScopes: { staff: 'disputes' },
    args: { open: t.arg.boolean({ defaultValue: true }) },
    resolve: (_, { open }, ctx) => listDisputes(ctx, open ?? true),
  }),
  supportDispute: t.field({
    type: Dispute,
    authScopes: { staff: 'disputes' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => findDispute(ctx, id),
  }),
  supportFraudWarnings: t.field({ type: [FraudWarning], authScopes: { staff: 'fraud' }, resolve: (_, __, ctx) => listWarnings(ctx) }),
  supportFailedRefunds: t.field({ type: [FailedRefund], authScopes: { staff: 'refund' }, resolve: (_, __, ctx) => refundsThatFailed(ctx) }),
  evidenceDocument: t.field({
    type: EvidenceDocument,
    inaccessible: true,
    authScopes: { system: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, ctx) => evidenceOf(ctx, await findDispute(ctx, id)),
  }),
}));

const RefundDecision = builder.enumType('RefundDecision', { values: REFUND_DECISIONS });

builder.mutationFields((t) => ({
  supportDisputeSubmit: t.field({
    type: Dispute,
    authScopes: { staff: 'dispute_answer' },
    args: { id: t.arg.id({ required: true }), statement: t.arg.string() },
    resolve: (_, { id, statement }, ctx) => submitEvidence(ctx, { id, statement: statement ?? null }),
  }),
  supportDisputeGiveIn: t.field({
    type: Dispute,
    authScopes: { staff: 'dispute_answer' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => giveIn(ctx, id),
  }),
  supportFraudWarningClose: t.field({
    type: FraudWarning,
    authScopes: { staff: 'fraud' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => closeWarning(ctx, id),
  }),
  supportRefundResolve: t.field({
    type: Refund,
    authScopes: { staff: 'refund' },
    args: { id: t.arg.id({ required: true }), decision: t.arg({ type: RefundDecision, required: true }), reference: t.arg.string() },
    resolve: (_, input, ctx) => resolveRefund(ctx, input),
  }),
}));
