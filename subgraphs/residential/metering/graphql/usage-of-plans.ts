import { daysOf } from '#platform/day-period.ts';
import { builder } from '../../builder.ts';
import { ResidentialProductCode } from '../../plans/graphql/residential-product.ts';
import { MARK_KINDS, type UsageMark } from '../entities/usage-mark.ts';
import { type UsageOfPlans, breakDownTogether, marksOfPlans, usageByHour, usageOfPlans } from '../services/usage-of-plans.ts';
import { ResidentialUsageDay } from './plan-usage.ts';
import { ResidentialUsageBreakdown, ResidentialUsageHour, UsageDimension } from './usage-breakdown.ts';

type Counted = { upBytes: bigint; downBytes: bigint };
const up = (days: readonly Counted[]) => days.reduce((sum, { upBytes }) => sum + upBytes, 0n);
const down = (days: readonly Counted[]) => days.reduce((sum, { downBytes }) => sum + downBytes, 0n);
const total = (days: readonly Counted[]) => up(days) + down(days);

const periodOf = ({ span }: UsageOfPlans) => daysOf({ from: span.from, until: span.to });

const UsageMarkKind = builder.enumType('UsageMarkKind', { values: MARK_KINDS });

const ResidentialUsageMark = builder.objectRef<UsageMark>('ResidentialUsageMark').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: UsageMarkKind }),
    at: t.expose('at', { type: 'DateTime' }),
    planId: t.exposeID('planId'),
    bytes: t.expose('bytes', { type: 'Bytes', nullable: true }),
  }),
});

const ResidentialUsageOfPlans = builder.objectRef<UsageOfPlans>('ResidentialUsageOfPlans').implement({
  fields: (t) => ({
    from: t.field({ type: 'Date', resolve: (use) => periodOf(use).from }),
    to: t.field({ type: 'Date', resolve: (use) => periodOf(use).to }),
    plans: t.int({ resolve: ({ plans }) => plans.length }),
    upBytes: t.field({ type: 'Bytes', resolve: async ({ days }) => up((await days()).within) }),
    downBytes: t.field({ type: 'Bytes', resolve: async ({ days }) => down((await days()).within) }),
    totalBytes: t.field({ type: 'Bytes', resolve: async ({ days }) => total((await days()).within) }),
    totalBytesBefore: t.field({ type: 'Bytes', resolve: async ({ days }) => total((await days()).before) }),
    days: t.field({ type: [ResidentialUsageDay], resolve: async ({ days }) => (await days()).within }),
    daysBefore: t.field({ type: [ResidentialUsageDay], resolve: async ({ days }) => (await days()).before }),
    hours: t.field({ type: [ResidentialUsageHour], resolve: (use, _args, ctx) => usageByHour(ctx, use) }),
    marks: t.field({ type: [ResidentialUsageMark], resolve: (use, _args, ctx) => marksOfPlans(ctx, use) }),
    breakdown: t.field({
      type: ResidentialUsageBreakdown,
      args: { by: t.arg({ type: UsageDimension, required: true }), limit: t.arg.int({ required: true, defaultValue: 20 }) },
      resolve: (use, args, ctx) => breakDownTogether(ctx, use, args),
    }),
  }),
});

builder.queryField('residentialUsageOfPlans', (t) =>
  t.field({
    nullable: true,
    type: ResidentialUsageOfPlans,
    authScopes: { account: 'read' },
    args: {
      from: t.arg({ type: 'Date', required: true }),
      to: t.arg({ type: 'Date', required: true }),
      planIds: t.arg.idList(),
      products: t.arg({ type: [ResidentialProductCode] }),
    },
    resolve: (_root, args, ctx) => usageOfPlans(ctx, args),
  }),
);
