import { lastDays } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { builder, usageDays, visiblePlan } from '../../builder.ts';
import type { Plan } from '../domain/plan.ts';
import { availableActions } from '../domain/plan-actions.ts';
import { statusOf } from '../domain/plan-status.ts';
import type { OldPasswordUse as OldPasswordUseShape } from '../entities/old-password.ts';
import type { UsageDay } from '../../metering/entities/usage-day.ts';
import { breakDownUsage, explainUsage, hoursOfUse } from '../../metering/services/explain-usage.ts';
import { listOldPasswordUses } from '../../leases/services/old-password-uses.ts';
import { resetAuthentication, setDailyLimit } from '../services/plan-settings.ts';
import { listBatches } from '../../generation/services/proxy-batches.ts';
import { readPlan, readPlans, revealPassword } from '../services/read-plans.ts';
import { watchPlans } from '../services/watch-plans.ts';
import { Account } from './account.ts';
import { AvailableAction } from './available-action.ts';
import { ProxyBatchSummary } from '../../generation/graphql/proxy-batch.ts';
import { ResidentialProduct } from './residential-product.ts';
import { ResidentialPlanStatus, ResidentialUsage } from '../../metering/graphql/residential-usage.ts';
import {
  ResidentialUsageBreakdown,
  ResidentialUsageExplanation,
  ResidentialUsageHour,
  UsageDimension,
} from '../../metering/graphql/usage-breakdown.ts';

const MAX_DAYS = 90;

const ResidentialUsageDay = builder.objectRef<UsageDay>('ResidentialUsageDay').implement({
  fields: (t) => ({
    on: t.expose('on', { type: 'Date' }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    totalBytes: t.field({ type: 'Bytes', resolve: ({ upBytes, downBytes }) => upBytes + downBytes }),
  }),
});

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
    username: t.exposeString('username'),
    password: t.string({ resolve: (plan, _args, ctx) => revealPassword(ctx, plan) }),
    totalBytes: t.expose('totalBytes', { type: 'Bytes' }),
    usage: t.field({ type: ResidentialUsage, resolve: (plan) => plan }),
    dailyLimitBytes: t.expose('dailyLimitBytes', { type: 'Bytes', nullable: true }),
    days: t.field({
      type: [ResidentialUsageDay],
      args: { last: t.arg.int({ required: true, defaultValue: 30 }) },
      async resolve(plan, { last }, ctx) {
        if (last < 1 || last > MAX_DAYS)
          throw fail('parameter_invalid', { field: 'last', reason: `last must be a whole number from 1 to ${MAX_DAYS}.` });
        const days = lastDays(plan.asOf, last);
        const used = await usageDays(ctx, plan.id, days[0] ?? '', days.at(-1) ?? '');
        return days.map((on) => used.get(on) ?? { on, upBytes: 0n, downBytes: 0n });
      },
    }),
    hours: t.field({
      type: [ResidentialUsageHour],
      args: { last: t.arg.int({ required: true, defaultValue: 48 }) },
      resolve: (plan, { last }, ctx) => hoursOfUse(ctx, plan, last),
    }),
    breakdown: t.field({
      type: ResidentialUsageBreakdown,
      args: {
        by: t.arg({ type: UsageDimension, required: true }),
        from: t.arg({ type: 'DateTime' }),
        to: t.arg({ type: 'DateTime' }),
        limit: t.arg.int({ required: true, defaultValue: 20 }),
      },
      resolve: (plan, args, ctx) => breakDownUsage(ctx, plan, args),
    }),
    explanation: t.field({
      type: ResidentialUsageExplanation,
      args: { from: t.arg({ type: 'DateTime', required: true }), to: t.arg({ type: 'DateTime', required: true }) },
      resolve: (plan, span, ctx) => explainUsage(ctx, plan, span),
    }),
    batches: t.field({
      type: [ProxyBatchSummary],
      args: { first: t.arg.int({ required: true, defaultValue: 20 }), after: t.arg.id() },
      resolve: (plan, page, ctx) => listBatches(ctx, plan, page),
    }),
    oldPasswordUses: t.field({
      type: [OldPasswordUse],
      args: { first: t.arg.int({ required: true, defaultValue: 20 }) },
      resolve: (plan, { first }, ctx) => listOldPasswordUses(ctx, plan, first),
    }),
    availableActions: t.field({
      type: [AvailableAction],
      resolve: (plan, _args, { providers }) => availableActions(statusOf(plan), providers.products[plan.product]),
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
  residentialPlans: t.field({ type: [ResidentialPlan], authScopes: { account: 'read' }, resolve: (_root, _args, ctx) => readPlans(ctx) }),
  residentialPlan: t.field({
    type: ResidentialPlan,
    authScopes: { account: 'read' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readPlan(ctx, id),
  }),
}));

builder.mutationFields((t) => ({
  residentialPlanResetAuthentication: t.field({
    type: ResidentialPlan,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => resetAuthentication(ctx, id),
  }),
  residentialPlanSetDailyLimit: t.field({
    type: ResidentialPlan,
    authScopes: { session: true },
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
