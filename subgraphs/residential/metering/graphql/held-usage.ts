// Lines of networks that wait in quarantine, for support.
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { builder } from '../../builder.ts';
import { visiblePlan } from '../../plans/services/visible-plan.ts';
import { HOLD_REASONS } from '../domain/usage-plausibility.ts';
import type { HeldLine } from '../entities/usage-quarantine.ts';
import { acceptUsage, discardUsage, heldLines } from '../services/decide-on-usage.ts';
import { ResidentialPlan } from '../../plans/graphql/residential-plan.ts';

const HeldUsageLine = builder.objectRef<HeldLine>('HeldUsageLine').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    source: t.exposeString('source'),
    reportId: t.exposeString('reportId'),
    line: t.exposeInt('line'),
    plan: t.field({
      type: ResidentialPlan,
      resolve: async ({ planId }, _args, ctx) => {
        const plan = await visiblePlan(ctx, planId);
        if (!plan) throw fail('plan_not_found');
        return plan;
      },
    }),
    reason: t.exposeString('reason'),
    message: t.string({ resolve: ({ reason }) => HOLD_REASONS[reason] }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    at: t.expose('at', { type: 'DateTime' }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
  }),
});

builder.queryField('supportHeldUsage', (t) =>
  t.field({
    type: [HeldUsageLine],
    authScopes: { staff: 'usage' },
    args: { source: t.arg.string(), after: t.arg.id(), first: t.arg.int({ required: true, defaultValue: 100 }) },
    resolve: (_root, place, ctx) => heldLines(ctx, place),
  }),
);

const deciderOf = (viewer: Viewer): string => (viewer.kind === 'session' ? viewer.accountId : viewer.kind);

builder.mutationFields((t) => ({
  supportHeldUsageAccept: t.int({
    authScopes: { staff: 'usage' },
    args: { ids: t.arg.idList({ required: true }) },
    resolve: (_root, { ids }, ctx) => acceptUsage(ctx, ids, deciderOf(ctx.viewer)),
  }),
  supportHeldUsageDiscard: t.int({
    authScopes: { staff: 'usage' },
    args: { ids: t.arg.idList({ required: true }) },
    resolve: (_root, { ids }, ctx) => discardUsage(ctx, ids, deciderOf(ctx.viewer)),
  }),
}));
