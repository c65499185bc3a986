import { nextMidnight } from '#platform/clock.ts';
import { builder } from '../../builder.ts';
import { type Plan, remainingBytes, usedBytes } from '../../plans/domain/plan.ts';
import { statusOf } from '../../plans/domain/plan-status.ts';
import { ResidentialPlanStatus } from '../../plans/graphql/residential-plan.ts';
import { placeOf } from '../domain/usage-place.ts';
import { bytesPerSecond, projectedEnd } from '../domain/usage-rate.ts';
import { watchUsage } from '../services/watch-usage.ts';

/** Every field is computed from the plan as it was read, without another statement. */
export const ResidentialUsage = builder.objectRef<Plan>('ResidentialUsage').implement({
  fields: (t) => ({
    planId: t.exposeID('id'),
    status: t.field({ type: ResidentialPlanStatus, resolve: statusOf }),
    totalBytes: t.expose('totalBytes', { type: 'Bytes' }),
    usedBytes: t.field({ type: 'Bytes', resolve: usedBytes }),
    remainingBytes: t.field({ type: 'Bytes', resolve: remainingBytes }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    usedTodayBytes: t.expose('usedTodayBytes', { type: 'Bytes' }),
    dailyLimitBytes: t.expose('dailyLimitBytes', { type: 'Bytes', nullable: true }),
    bytesPerSecond: t.field({ type: 'Bytes', resolve: bytesPerSecond }),
    projectedEndAt: t.field({ type: 'DateTime', nullable: true, resolve: projectedEnd }),
    resetsAt: t.field({ type: 'DateTime', resolve: ({ asOf }) => nextMidnight(asOf) }),
    asOf: t.expose('asOf', { type: 'DateTime' }),
    place: t.field({ type: 'String', resolve: placeOf }),
  }),
});

builder.subscriptionField('residentialUsageChanged', (t) =>
  t.field({
    type: ResidentialUsage,
    authScopes: { account: 'read' },
    args: { planId: t.arg.id(), since: t.arg.stringList() },
    subscribe: (_root, { planId, since }, ctx) => watchUsage(ctx, planId ?? undefined, since ?? []),
    resolve: (plan) => plan as Plan,
  }),
);
