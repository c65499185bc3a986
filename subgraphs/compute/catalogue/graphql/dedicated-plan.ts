import { atOwnPrices, ownPriceOf } from '#commerce/account-prices/own-price.ts';
import { builder } from '../../builder.ts';
import { DEDICATED_PLAN_CODES, type DedicatedPlan as DedicatedPlanShape } from '../domain/dedicated-plan.ts';
import { dedicatedPlan } from '../services/dedicated-plan.ts';
import { OwnPrice, ServerPrice } from './server-price.ts';

export const DedicatedPlanCode = builder.enumType('DedicatedPlanCode', { values: DEDICATED_PLAN_CODES });

export const DedicatedPlan = builder.objectRef<DedicatedPlanShape>('DedicatedPlan').implement({
  fields: (t) => ({
    code: t.expose('code', { type: DedicatedPlanCode }),
    name: t.exposeString('name'),
    cores: t.exposeInt('cores'),
    ramGb: t.exposeInt('ramGb'),
    storage: t.exposeString('storage'),
    prices: t.field({
      type: [ServerPrice],
      resolve: async ({ code }, _args, ctx) => dedicatedPlan(await atOwnPrices(ctx, ctx.providers.shopAt, ctx.providers.shop), code).prices,
    }),
    ownPrice: t.field({ type: OwnPrice, nullable: true, resolve: ({ code }, _args, ctx) => ownPriceOf(ctx, `dedicated.${code}`) }),
  }),
});

builder.asEntity(DedicatedPlan, {
  key: builder.selection<{ code: string }>('code'),
  resolveReference: ({ code }, ctx) => dedicatedPlan(ctx.providers.shop, code),
});

builder.queryField('dedicatedPlans', (t) =>
  t.field({
    nullable: true,
    type: [DedicatedPlan],
    authScopes: { anyone: true },
    resolve: (_root, _args, ctx) => ctx.providers.shop.dedicatedPlans.filter(({ sold }) => sold),
  }),
);
