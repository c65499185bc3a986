// The fields that metering adds to a plan: its present figures, days, hours, breakdowns and explanation.
import { lastDays } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { usageDays } from '../services/usage-days.ts';
import { ResidentialPlan } from '../../plans/graphql/residential-plan.ts';
import type { UsageDay } from '../entities/usage-day.ts';
import { breakDownUsage, explainUsage, hoursOfUse } from '../services/explain-usage.ts';
import { ResidentialUsage } from './residential-usage.ts';
import { ResidentialUsageBreakdown, ResidentialUsageExplanation, ResidentialUsageHour, UsageDimension } from './usage-breakdown.ts';

const MAX_DAYS = 90;

export const ResidentialUsageDay = builder.objectRef<UsageDay>('ResidentialUsageDay').implement({
  fields: (t) => ({
    on: t.expose('on', { type: 'Date' }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    totalBytes: t.field({ type: 'Bytes', resolve: ({ upBytes, downBytes }) => upBytes + downBytes }),
  }),
});

builder.objectFields(ResidentialPlan, (t) => ({
  usage: t.field({ type: ResidentialUsage, resolve: (plan) => plan }),
  days: t.field({
    type: [ResidentialUsageDay],
    args: { last: t.arg.int({ required: true, defaultValue: 30 }) },
    async resolve(plan, { last }, ctx) {
      if (last < 1 || last > MAX_DAYS)
        throw fail('parameter_invalid', { field: 'last', reason: because('number_out_of_range', { name: 'last', max: MAX_DAYS }) });
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
}));
