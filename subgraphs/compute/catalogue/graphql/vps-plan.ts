import { atOwnPrices, ownPriceOf } from '#commerce/account-prices/own-price.ts';
import { builder } from '../../builder.ts';
import { VPS_PLAN_CODES, type VpsPlan as VpsPlanShape, findVpsPlan } from '../domain/vps-plan.ts';
import { OwnPrice, ServerPrice } from './server-price.ts';
import { EXTRA_IPV4_MAX } from '../../../../schema/limits.ts';

export const VpsPlanCode = builder.enumType('VpsPlanCode', { values: VPS_PLAN_CODES });

export const VpsPlan = builder.objectRef<VpsPlanShape>('VpsPlan').implement({
  fields: (t) => ({
    code: t.expose('code', { type: VpsPlanCode }),
    name: t.exposeString('name'),
    vcpu: t.exposeInt('vcpu'),
    ramGb: t.exposeInt('ramGb'),
    storageGb: t.exposeInt('storageGb'),
    maxExtraIpv4: t.int({ nullable: true, resolve: () => EXTRA_IPV4_MAX }),
    prices: t.field({
      type: [ServerPrice],
      resolve: async (plan, _args, ctx) =>
        findVpsPlan((await atOwnPrices(ctx, ctx.providers.shopAt, ctx.providers.shop)).vps, plan.code)?.prices ?? plan.prices,
    }),
    ownPrice: t.field({ type: OwnPrice, nullable: true, resolve: ({ code }, _args, ctx) => ownPriceOf(ctx, `vps.${code}`) }),
  }),
});

builder.asEntity(VpsPlan, {
  key: builder.selection<{ code: string }>('code'),
  resolveReference: ({ code }, ctx) => findVpsPlan(ctx.providers.shop.vps, code) as VpsPlanShape,
});

builder.queryField('vpsPlans', (t) =>
  t.field({
    nullable: true,
    type: [VpsPlan],
    authScopes: { anyone: true },
    resolve: (_root, _args, ctx) => ctx.providers.shop.vps.plans.filter(({ sold }) => sold),
  }),
);
