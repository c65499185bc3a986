import { builder } from '../../builder.ts';
import { DEDICATED_PLAN_CODES, type DedicatedPlan as DedicatedPlanShape } from '../domain/dedicated-plan.ts';
import { dedicatedPlan } from '../services/dedicated-plan.ts';
import { ServerPrice } from './server-price.ts';

export const DedicatedPlanCode = builder.enumType('DedicatedPlanCode', { values: DEDICATED_PLAN_CODES });

export const DedicatedPlan = builder.objectRef<DedicatedPlanShape>('DedicatedPlan').implement({
  fields: (t) => ({
    code: t.expose('code', { type: DedicatedPlanCode }),
    name: t.exposeString('name'),
    cores: t.exposeInt('cores'),
    ramGb: t.exposeInt('ramGb'),
    storage: t.exposeString('storage'),
    prices: t.expose('prices', { type: [ServerPrice] }),
  }),
});

builder.asEntity(DedicatedPlan, {
  key: builder.selection<{ code: string }>('code'),
  resolveReference: ({ code }, ctx) => dedicatedPlan(ctx, code),
});

builder.queryField('dedicatedPlans', (t) =>
  t.field({
    type: [DedicatedPlan],
    authScopes: { anyone: true },
    resolve: (_root, _args, ctx) => ctx.providers.shop.dedicatedPlans.filter(({ sold }) => sold),
  }),
);
