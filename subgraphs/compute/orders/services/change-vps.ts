// Larger plans, more addresses and backups for a VPS. They are sold as changes of its subscription, hold once they are paid, and are carried out by `settle.ts`.
import { z } from 'zod';
import { ownerOf } from '#platform/context.ts';
import { because, fail } from '#platform/errors.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { isId, newId } from '#platform/ids.ts';
import { atPricesOf } from '#commerce/account-prices/own-price.ts';
import { type OfferSubscription, type OfferTerms, priceOffer } from '#commerce/offers.ts';
import { after } from '#platform/clock.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { CURRENCY } from '#commerce/money.ts';
import { mustBeSold } from '#commerce/catalogue/shelf.ts';
import type { OrdersContext } from '../context.ts';
import { type ServerAction, mustAllow } from '../../servers/domain/server-action.ts';
import { FIRST_BACKUP_MS } from '../../backups/domain/vps-backup.ts';
import { type VpsTerms, priceChange } from '../domain/vps-change.ts';
import { vpsTitle } from '../domain/vps-order.ts';
import { VPS_PLAN_CODES, type VpsPlanCode, type VpsPrices, findVpsPlan, isLarger, vpsSize } from '../../catalogue/domain/vps-plan.ts';
import { freeAddresses } from '../../networking/entities/address.ts';
import { hasRoomToGrow } from '../../machines/services/placement.ts';
import { resizePlacement } from '../../machines/entities/placement.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { type ServerRow, lockServer, serversByIds, updateServer } from '../../servers/entities/server.ts';
import { factsOf } from '../../servers/services/server-facts.ts';
import { settleServer } from '../../provisioning/services/settle.ts';
import { aboutServer, announceChange } from '../../operations/services/server-events.ts';
import { EXTRA_IPV4_MAX } from '../../../../schema/limits.ts';

/** The part `fulfil` of a change order: the new values only. */
export const vpsChange = z.object({
  kind: z.literal('vps_change'),
  serverId: z.string(),
  plan: z.enum(VPS_PLAN_CODES).optional(),
  extraIpv4: z.number().int().min(0).max(EXTRA_IPV4_MAX).optional(),
  backups: z.literal(true).optional(),
});
type Change = Omit<z.infer<typeof vpsChange>, 'kind' | 'serverId'>;

/** The terms of a VPS that its recurring price depends on. */
export const termsOf = (server: Pick<ServerRow, 'planCode' | 'months' | 'extraIpv4' | 'backups'>): VpsTerms => ({
  plan: server.planCode as VpsPlanCode,
  months: server.months ?? 1,
  extraIpv4: server.extraIpv4,
  backups: server.backups,
});

/** The moment whose prices a server runs by: it keeps those at which it was sold, also for what is bought in addition. */
export const pricedSince = ({ pricedAt, createdAt }: Pick<ServerRow, 'pricedAt' | 'createdAt'>): Date => pricedAt ?? createdAt;
const pricesOf = async ({ em, providers }: OrdersContext, server: ServerRow): Promise<VpsPrices> =>
  (await atPricesOf(em, providers.shopAt, server.accountId, pricedSince(server))).vps;

/** The caller's VPS, if this action is allowed now. Errors: server_not_found, action_not_allowed, servers_not_sold. */
async function ownVps(ctx: OrdersContext, serverId: string, action: ServerAction): Promise<ServerRow> {
  const [server] = isId('vps', serverId) ? await serversByIds(ctx.em, [serverId]) : [];
  if (!server || server.accountId !== ownerOf(ctx, server.id)) throw fail('server_not_found');
  mustAllow(action, factsOf(server, await runningOperation(ctx.em, serverId)));
  if (!ctx.providers.datacenter) throw fail('servers_not_sold');
  return server;
}

/** The price of a larger plan for the rest of the period. Errors: those of `ownVps`, parameter_invalid for a plan that is not larger, not_sold, out_of_stock. */
export async function priceUpgrade(ctx: OrdersContext, serverId: string, plan: VpsPlanCode): Promise<OfferTerms> {
  const server = await ownVps(ctx, serverId, 'upgrade');
  if (!isLarger(plan, server.planCode as VpsPlanCode))
    throw fail('parameter_invalid', { field: 'plan', reason: because('vps_not_larger') });
  mustBeSold(findVpsPlan(ctx.providers.shop.vps, plan));
  await mustFitThere(ctx, server, plan);
  const name = findVpsPlan(await pricesOf(ctx, server), plan)?.name ?? plan;
  return price(ctx, server, { plan }, `Upgrade to ${name}, for the rest of the period`);
}

/** The VPS grows on its node, so the node's room is checked before anything is paid. */
async function mustFitThere(ctx: OrdersContext, { node, planCode }: ServerRow, plan: VpsPlanCode): Promise<void> {
  const [before, then] = [vpsSize(planCode), vpsSize(plan)];
  if (node === null || !before || !then) return;
  const more = { cores: then.cores - before.cores, ramGb: then.ramGb - before.ramGb, storageGb: then.storageGb - before.storageGb };
  if ((await hasRoomToGrow(ctx, node, more)) === false) throw fail('out_of_stock', { field: 'plan' });
}

/** The price of weekly backups for the rest of the period. */
export async function priceBackups(ctx: OrdersContext, serverId: string): Promise<OfferTerms> {
  const server = await ownVps(ctx, serverId, 'enable_backups');
  return price(ctx, server, { backups: true }, 'Weekly backups, for the rest of the period');
}

/** The price of more addresses for the rest of the period; `extraIpv4` is the new total. Errors: parameter_invalid when it is not more, or above 8; out_of_stock. */
export async function priceAddresses(ctx: OrdersContext, serverId: string, extraIpv4: number): Promise<OfferTerms> {
  const server = await ownVps(ctx, serverId, 'add_ipv4');
  if (!Number.isInteger(extraIpv4) || extraIpv4 <= server.extraIpv4 || extraIpv4 > EXTRA_IPV4_MAX)
    throw fail('parameter_invalid', { field: 'extraIpv4', reason: because('extra_ipv4_not_more') });
  const more = extraIpv4 - server.extraIpv4;
  const { datacenter } = ctx.providers;
  const range = (await datacenter?.clusters.of(server.node))?.terms.addresses;
  if (range && (await freeAddresses(ctx.em, ctx.clock.now(), range)) < more) throw fail('out_of_stock', { field: 'extraIpv4' });
  return price(ctx, server, { extraIpv4 }, `${more} more IPv4, for the rest of the period`);
}

async function price(ctx: OrdersContext, server: ServerRow, change: Change, label: string): Promise<OfferTerms> {
  const { periodStart: start, periodEnd: end, subscriptionVersion: basedOn, months, os, location } = server;
  if (!start || !end || basedOn === null || !months || !os)
    throw fail('action_not_allowed', { reason: because('subscription_not_changeable') });
  const changed = { ...termsOf(server), ...(change as Partial<VpsTerms>) };
  const prices = await pricesOf(ctx, server);
  const { now, recurring } = priceChange(termsOf(server), changed, { label, period: { start, end }, at: ctx.clock.now(), prices });
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId: server.accountId,
      seller: 'compute',
      title: `${server.hostname}: ${label.split(',')[0] ?? label}`,
      lines: now,
      currency: CURRENCY,
      subscription: {
        id: server.subscriptionId,
        months: months as OfferSubscription['months'],
        lines: recurring,
        basedOn,
        title: vpsTitle({ plan: changed.plan, months, os, location }, prices),
      },
      fulfil: { kind: 'vps_change', serverId: server.id, ...change },
    },
    await taxBasisPointsOf(ctx, server.accountId),
    ctx.clock,
  );
}

/** Handles a paid change order: the server gets the new values, which `settleServer` carries out. Repeats have no effect, since values are set and not added. */
export async function changeVps(ctx: OrdersContext, event: EventOf<'order.paid'>): Promise<void> {
  const { serverId, plan, extraIpv4, backups } = vpsChange.parse(event.data.fulfil);
  const { subject: orderId } = event;
  const version = event.data.subscription?.version;
  if (version === undefined) throw new Error(`order ${orderId} of a change has no subscription`);
  const server = await lockServer(ctx.em, serverId);
  if (!server || server.accountId !== event.accountId) return;
  await updateServer(ctx.em, serverId, {
    subscriptionVersion: Math.max(version, server.subscriptionVersion ?? 0),
    ...(plan && isLarger(plan, server.planCode as VpsPlanCode) && { planCode: plan }),
    ...(extraIpv4 !== undefined && { extraIpv4: Math.max(extraIpv4, server.extraIpv4) }),
    ...(backups && !server.backups && { backups, nextBackupAt: after(ctx.clock.now(), FIRST_BACKUP_MS) }),
  });
  // The room that was paid for is promised on its node at once, before another machine is placed there.
  const size = plan && vpsSize(plan);
  if (size && server.machineNumber !== null && isLarger(plan, server.planCode as VpsPlanCode))
    await resizePlacement(ctx.em, server.machineNumber, size);
  const adjusted = { ...aboutServer(ctx, server), data: { orderId } };
  await appendEvents(ctx.em, { type: 'fulfilment.delivered', ...adjusted }, { type: 'compute_vps.adjusted', ...adjusted });
  await announceChange(ctx, server);
  const fresh = await lockServer(ctx.em, serverId);
  if (fresh) await settleServer(ctx, fresh);
}
