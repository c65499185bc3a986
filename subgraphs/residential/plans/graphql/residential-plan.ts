import { verdictsFor } from '#platform/action-verdict.ts';
import { declareAvailableAction } from '#platform/available-action.ts';
import { builder } from '../../builder.ts';
import { visiblePlan } from '../services/visible-plan.ts';
import { type Plan, unusedBytes } from '../domain/plan.ts';
import { availableActions, permissionFor } from '../domain/plan-actions.ts';
import { PLAN_ENDS, planEndOf, statusOf } from '../domain/plan-status.ts';
import { isLapsed } from '../domain/validity.ts';
import type { OldPasswordUse as OldPasswordUseShape } from '../entities/old-password.ts';
import { listOldPasswordUses } from '../services/old-password-uses.ts';
import { resetAuthentication, setDailyLimit } from '../services/plan-settings.ts';
import { readPlan, readPlans, revealPassword } from '../services/read-plans.ts';
import { watchPlans } from '../services/watch-plans.ts';
import { ResidentialProduct } from './residential-product.ts';
import { PLAN_STATUSES } from '../../../../edge/protocol/control-plane.ts';

/** The type of the subgraph accounts; here it has only its id. */
const Account = builder.objectRef<{ id: string }>('Account').implement({ fields: (t) => ({ id: t.exposeID('id') }) });

builder.asEntity(Account, {
  key: builder.keyDirective(builder.selection<{ id: string }>('id'), false),
  resolveReference: ({ id }) => ({ id }),
});

export const AvailableAction = declareAvailableAction(builder);

export const ResidentialPlanStatus = builder.enumType('ResidentialPlanStatus', { values: PLAN_STATUSES });

const PlanEnd = builder.enumType('PlanEnd', { values: PLAN_ENDS });

const OldPasswordUse = builder.objectRef<OldPasswordUseShape>('OldPasswordUse').implement({
  fields: (t) => ({
    client: t.exposeString('client'),
    tries: t.exposeInt('tries'),
    firstAt: t.expose('firstAt', { type: 'DateTime' }),
    lastAt: t.expose('lastAt', { type: 'DateTime' }),
  }),
});

export const ResidentialPlan = builder.objectRef<Plan>('ResidentialPlan').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    account: t.field({ type: Account, resolve: ({ accountId }) => ({ id: accountId }) }),
    product: t.field({ type: ResidentialProduct, resolve: ({ product }, _args, { providers }) => providers.products[product] }),
    status: t.field({ type: ResidentialPlanStatus, resolve: statusOf }),
    endedBy: t.field({ type: PlanEnd, nullable: true, resolve: planEndOf }),
    validUntil: t.expose('validUntil', { type: 'DateTime', nullable: true }),
    lapsedBytes: t.field({ type: 'Bytes', resolve: (plan) => (isLapsed(plan) ? unusedBytes(plan) : 0n) }),
    username: t.exposeString('username'),
    password: t.string({ resolve: (plan, _args, ctx) => revealPassword(ctx, plan) }),
    totalBytes: t.expose('totalBytes', { type: 'Bytes' }),
    dailyLimitBytes: t.expose('dailyLimitBytes', { type: 'Bytes', nullable: true }),
    oldPasswordUses: t.field({
      type: [OldPasswordUse],
      args: { first: t.arg.int({ required: true, defaultValue: 20 }) },
      resolve: (plan, { first }, ctx) => listOldPasswordUses(ctx, plan, first),
    }),
    availableActions: t.field({
      type: [AvailableAction],
      resolve: (plan, _args, { providers, viewer }) =>
        verdictsFor(viewer, availableActions(statusOf(plan), providers.products[plan.product], planEndOf(plan)), permissionFor),
    }),
    orderId: t.exposeID('orderId'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.asEntity(ResidentialPlan, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: async ({ id }, ctx) => (await visiblePlan(ctx, id)) ?? null,
});

builder.queryFields((t) => ({
  residentialPlans: t.field({
    nullable: true,
    type: [ResidentialPlan],
    authScopes: { account: 'read' },
    resolve: (_root, _args, ctx) => readPlans(ctx),
  }),
  residentialPlan: t.field({
    nullable: true,
    type: ResidentialPlan,
    authScopes: { account: 'read' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readPlan(ctx, id),
  }),
}));

builder.mutationFields((t) => ({
  residentialPlanResetAuthentication: t.field({
    type: ResidentialPlan,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => resetAuthentication(ctx, id),
  }),
  residentialPlanSetDailyLimit: t.field({
    type: ResidentialPlan,
    authScopes: { session: 'plans' },
    args: { id: t.arg.id({ required: true }), dailyLimitBytes: t.arg({ type: 'Bytes' }) },
    resolve: (_root, { id, dailyLimitBytes }, ctx) => setDailyLimit(ctx, id, dailyLimitBytes ?? null),
  }),
}));

builder.subscriptionField('residentialPlanChanged', (t) =>
  t.field({
    type: ResidentialPlan,
    authScopes: { account: 'read' },
    subscribe: (_root, _args, ctx) => watchPlans(ctx),
    resolve: (id, _args, ctx) => readPlan(ctx, id as string),
  }),
);
