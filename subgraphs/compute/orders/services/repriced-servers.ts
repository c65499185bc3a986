// Servers as repricings see them.
import type { EventOf } from '#platform/events.ts';
import { ownView } from '#commerce/account-prices/own-price.ts';
import type { OfferLine } from '#commerce/offers.ts';
import { announceAgain, followRepricing } from '#commerce/repricing/reprice.ts';
import type { Good, RepricedGoods } from '#commerce/repricing/repriced-goods.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import type { ServerShop } from '../../catalogue/domain/catalogue.ts';
import { DEDICATED_PLAN_CODES } from '../../catalogue/domain/dedicated-plan.ts';
import { VPS_PLAN_CODES } from '../../catalogue/domain/vps-plan.ts';
import { followSubscription } from '../../provisioning/services/follow-subscription.ts';
import { hasEnded } from '../../servers/domain/server-lifecycle.ts';
import {
  type ServerRow,
  countOfPlan,
  idsOfPlan,
  lockServer,
  lockServerOfSubscription,
  updateServer,
} from '../../servers/entities/server.ts';
import type { OrdersContext } from '../context.ts';
import { dedicatedLines } from '../domain/dedicated-order.ts';
import { vpsLines } from '../domain/vps-order.ts';
import { changeVps, pricedSince, termsOf, vpsChange } from './change-vps.ts';

const PLAN_OF = new Map<string, { kind: ServerRow['kind']; planCode: string }>([
  ...VPS_PLAN_CODES.map((planCode) => [`vps.${planCode}`, { kind: 'VPS', planCode }] as const),
  ...DEDICATED_PLAN_CODES.map((planCode) => [`dedicated.${planCode}`, { kind: 'DEDICATED', planCode }] as const),
]);
const planNamed = (item: string) => PLAN_OF.get(item) ?? { kind: 'VPS' as const, planCode: '' };

function linesAt(server: ServerRow, { vps, dedicatedPlans }: ServerShop): OfferLine[] {
  if (server.kind === 'VPS') return vpsLines(termsOf(server), vps);
  const plan = dedicatedPlans.find(({ code }) => code === server.planCode);
  return plan ? dedicatedLines({ months: server.months ?? 1 }, plan) : [];
}

/** The prices of the extras of a VPS come with those of its plan. */
export const REPRICED_SERVERS: RepricedGoods<OrdersContext> = {
  items: [...PLAN_OF.keys()],
  idsOf: (em, { item, accountId, pricedAt }, after, limit) =>
    idsOfPlan(em, { ...planNamed(item), accountId, before: pricedAt, after, limit }),
  count: (em, { item, accountId, pricedAt }) => countOfPlan(em, { ...planNamed(item), accountId, before: pricedAt }),
  async lock(ctx, id): Promise<Good | undefined> {
    const server = await lockServer(ctx.em, id);
    if (!server || hasEnded(server.status)) return undefined;
    const { accountId, subscriptionId } = server;
    const shopAt = await ownView(ctx.em, ctx.providers.shopAt, accountId);
    return {
      id,
      accountId,
      subscriptionId,
      lines: linesAt(server, shopAt(pricedSince(server))),
      linesAt: (moment) => linesAt(server, shopAt(moment)),
    };
  },
};

/** Reaction to every event of a subscription: provisioning follows it, and its price. */
export async function followServer(ctx: OrdersContext, fact: EventOf<SubscriptionFact>): Promise<void> {
  await followSubscription(ctx, fact);
  const server = fact.data.seller === 'compute' ? await lockServerOfSubscription(ctx.em, fact.subject) : undefined;
  const repricing = server && (await followRepricing(ctx, REPRICED_SERVERS, server.id, fact));
  if (repricing) await updateServer(ctx.em, server.id, { pricedAt: repricing.pricedAt });
}

/** Handles a paid change order of a VPS, after which an announced price is computed anew. */
export async function changeAndReprice(ctx: OrdersContext, event: EventOf<'order.paid'>): Promise<void> {
  await changeVps(ctx, event);
  await announceAgain(ctx, REPRICED_SERVERS, vpsChange.parse(event.data.fulfil).serverId);
}
