import { declareOffer } from '#commerce/offer-types.ts';
import { toOffer } from '#commerce/offers.ts';
import { builder } from '../../builder.ts';
import type { OrdersContext } from '../context.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { priceAddresses, priceBackups, priceUpgrade } from '../services/change-vps.ts';
import { priceDedicated } from '../services/order-dedicated.ts';
import { priceVps } from '../services/order-vps.ts';
import { DedicatedPlanCode } from '../../catalogue/graphql/dedicated-plan.ts';
import { OperatingSystem } from '../../catalogue/graphql/operating-system.ts';
import { Money } from '../../catalogue/graphql/server-price.ts';
import { VpsPlanCode } from '../../catalogue/graphql/vps-plan.ts';

export const Offer = declareOffer(builder, Money);

const signed = async (ctx: OrdersContext, terms: Promise<OfferTerms>) => toOffer(await terms, ctx.providers.offers);

builder.queryFields((t) => ({
  vpsOffer: t.field({
    type: Offer,
    authScopes: { key: 'plans', session: 'read' },
    args: {
      plan: t.arg({ type: VpsPlanCode, required: true }),
      months: t.arg.int({ required: true }),
      os: t.arg({ type: OperatingSystem, required: true }),
      hostname: t.arg.string(),
      extraIpv4: t.arg.int({ defaultValue: 0 }),
      sshKeys: t.arg.stringList(),
      backups: t.arg.boolean({ defaultValue: false }),
      userData: t.arg.string(),
      location: t.arg.string(),
    },
    resolve: (_root, { hostname, extraIpv4, sshKeys, backups, userData, location, ...chosen }, ctx) =>
      signed(
        ctx,
        priceVps(ctx, {
          ...chosen,
          hostname: hostname ?? null,
          extraIpv4: extraIpv4 ?? 0,
          sshKeys: sshKeys ?? [],
          backups: backups ?? false,
          userData: userData ?? null,
          location: location ?? null,
        }),
      ),
  }),
  dedicatedOffer: t.field({
    type: Offer,
    authScopes: { key: 'plans', session: 'read' },
    args: {
      plan: t.arg({ type: DedicatedPlanCode, required: true }),
      months: t.arg.int({ required: true }),
      os: t.arg({ type: OperatingSystem, required: true }),
      hostname: t.arg.string(),
    },
    resolve: (_root, { hostname, ...chosen }, ctx) => signed(ctx, priceDedicated(ctx, { ...chosen, hostname: hostname ?? null })),
  }),
  vpsUpgradeOffer: t.field({
    type: Offer,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }), plan: t.arg({ type: VpsPlanCode, required: true }) },
    resolve: (_root, { id, plan }, ctx) => signed(ctx, priceUpgrade(ctx, id, plan)),
  }),
  vpsBackupsOffer: t.field({
    type: Offer,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => signed(ctx, priceBackups(ctx, id)),
  }),
  vpsExtraIpv4Offer: t.field({
    type: Offer,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }), extraIpv4: t.arg.int({ required: true }) },
    resolve: (_root, { id, extraIpv4 }, ctx) => signed(ctx, priceAddresses(ctx, id, extraIpv4)),
  }),
}));
