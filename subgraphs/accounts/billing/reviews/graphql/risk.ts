import { batched, grouped } from '#platform/batched.ts';
import { builder } from '../../../builder.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { accountFor } from '../../../identity/services/staff.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { CURRENCY } from '#commerce/money.ts';
import { Order } from '../../orders/graphql/order.ts';
import { RISK_KINDS, RISK_OUTCOMES, type RiskFinding as RiskFindingEntity, type RiskKind as Kind } from '../../risk/domain/risk-rule.ts';
import { levelOfAccount } from '../../risk/entities/identity-level.ts';
import { type OrderReview as OrderReviewEntity, REVIEW_STATES, reviewsOfOrders } from '../../risk/entities/order-review.ts';
import { type RiskRule as RiskRuleEntity, riskRules } from '../../risk/entities/risk-rule.ts';
import { refuseOrder, releaseOrder, removeRule, setIdentityLevel, setRule } from '../services/risk-desk.ts';

const RiskKind = builder.enumType('RiskKind', { values: Object.keys(RISK_KINDS) as Kind[] });
const RiskOutcome = builder.enumType('RiskOutcome', { values: RISK_OUTCOMES });
const ReviewState = builder.enumType('ReviewState', { values: REVIEW_STATES });

const RiskRule = builder.objectRef<RiskRuleEntity>('RiskRule').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: RiskKind }),
    outcome: t.expose('outcome', { type: RiskOutcome }),
    onlyNew: t.exposeBoolean('onlyNew'),
    enabled: t.exposeBoolean('enabled'),
    amount: t.field({
      type: Money,
      nullable: true,
      resolve: ({ amountMinor }) => (amountMinor === null || amountMinor === undefined ? null : { amountMinor, currency: CURRENCY }),
    }),
    maxOrders: t.exposeInt('maxOrders', { nullable: true }),
    hours: t.exposeInt('hours', { nullable: true }),
    words: t.stringList({ resolve: ({ words }) => words }),
    identityLevel: t.exposeInt('identityLevel', { nullable: true }),
    changedAt: t.expose('changedAt', { type: 'DateTime' }),
  }),
});

const RiskFinding = builder.objectRef<RiskFindingEntity>('RiskFinding').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: RiskKind }),
    outcome: t.expose('outcome', { type: RiskOutcome }),
    detail: t.exposeString('detail'),
  }),
});

const OrderReview = builder.objectRef<OrderReviewEntity>('OrderReview').implement({
  fields: (t) => ({
    state: t.expose('state', { type: ReviewState }),
    findings: t.field({ type: [RiskFinding], resolve: ({ findings }) => findings }),
    notedAt: t.expose('notedAt', { type: 'DateTime' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
    reason: t.exposeString('reason', { nullable: true }),
  }),
});

const reviewOfOne = batched(async (em, ids) =>
  grouped(await reviewsOfOrders(em, ids), ids, ({ orderId }) => orderId).map(([review]) => review),
);

builder.objectFields(Order, (t) => ({
  inReview: t.boolean({
    resolve: async ({ id, status }, _, { em }) => status === 'PAID' && (await reviewOfOne(em, id))?.state === 'WAITING',
  }),
  review: t.field({
    type: OrderReview,
    nullable: true,
    authScopes: { staff: 'risk' },
    resolve: async ({ id }, _, { em }) => (await reviewOfOne(em, id)) ?? null,
  }),
}));
builder.objectFields(Account, (t) => ({
  identityLevel: t.int({ resolve: ({ id }, _, { em, clock }) => levelOfAccount(em, id, clock.now()) }),
}));

const RiskRuleInput = builder.inputType('RiskRuleInput', {
  fields: (t) => ({
    id: t.id(),
    kind: t.field({ type: RiskKind, required: true }),
    outcome: t.field({ type: RiskOutcome, required: true }),
    onlyNew: t.boolean({ required: true }),
    enabled: t.boolean({ required: true }),
    amountMinor: t.int(),
    maxOrders: t.int(),
    hours: t.int(),
    words: t.stringList(),
    identityLevel: t.int(),
  }),
});

builder.queryField('supportRiskRules', (t) =>
  t.field({ type: [RiskRule], authScopes: { staff: 'risk' }, resolve: (_, __, { em }) => riskRules(em) }),
);

builder.mutationFields((t) => ({
  supportRiskRuleSet: t.field({
    type: RiskRule,
    authScopes: { staff: 'risk' },
    args: { input: t.arg({ type: RiskRuleInput, required: true }) },
    resolve: (_, { input }, ctx) => setRule(ctx, input),
  }),
  supportRiskRuleRemove: t.boolean({
    authScopes: { staff: 'risk' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => removeRule(ctx, id),
  }),
  supportOrderRelease: t.field({
    type: Order,
    authScopes: { staff: 'risk' },
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, decision, ctx) => releaseOrder(ctx, decision),
  }),
  supportOrderRefuse: t.field({
    type: Order,
    authScopes: { staff: 'risk' },
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, decision, ctx) => refuseOrder(ctx, decision),
  }),
  supportAccountSetIdentity: t.field({
    type: Account,
    authScopes: { staff: 'risk' },
    args: {
      accountId: t.arg.id({ required: true }),
      level: t.arg.int({ required: true }),
      reference: t.arg.string({ required: true }),
    },
    async resolve(_, given, ctx) {
      await setIdentityLevel(ctx, given);
      return accountFor(ctx, given.accountId);
    },
  }),
}));
