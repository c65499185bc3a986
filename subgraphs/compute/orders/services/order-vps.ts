// A VPS, from its price to the beginning of its build.
import { z } from 'zod';
import { accountOf } from '#platform/context.ts';
import { because, fail } from '#platform/errors.ts';
import type { EventOf } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { seal } from '#platform/sealing.ts';
import { mustBeSold } from '#commerce/catalogue/shelf.ts';
import { atPricesOf } from '#commerce/account-prices/own-price.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import type { OrdersContext } from '../context.ts';
import { OPERATING_SYSTEM_CODES } from '../../catalogue/domain/operating-system.ts';
import { VPS_PLAN_CODES, findVpsPlan } from '../../catalogue/domain/vps-plan.ts';
import { locationNamed, openClusters } from '../../machines/services/locations.ts';
import { userDataPlace } from '../../servers/domain/server-secrets.ts';
import { type VpsOrder, checkVpsOrder, vpsLines, vpsTitle } from '../domain/vps-order.ts';
import { vpsStock } from './vps-stock.ts';
import { beginServer, hostnameOr, offerServer } from './order-server.ts';
import { EXTRA_IPV4_MAX } from '../../../../schema/limits.ts';

/** The part `fulfil` of the signed offer. */
const fulfilment = z.object({
  plan: z.enum(VPS_PLAN_CODES),
  months: z.union([z.literal(1), z.literal(3), z.literal(6)]),
  os: z.enum(OPERATING_SYSTEM_CODES),
  hostname: z.string().min(1).max(253),
  extraIpv4: z.number().int().min(0).max(EXTRA_IPV4_MAX),
  sshKeys: z.array(z.string()),
  backups: z.boolean(),
  /** Base64. */
  userDataSealed: z.string().nullable(),
  subscriptionId: z.string().min(1),
  /** Absent in offers of earlier releases. */
  location: z.string().min(1).nullable().default(null),
  /** Absent in offers that were signed before the catalogue had a history. */
  pricedAt: z.iso.datetime().optional(),
});

/** The price of a VPS for the caller's account, at its own price if it has one. Errors: parameter_invalid, servers_not_sold, not_sold, out_of_stock. */
export async function priceVps(ctx: OrdersContext, input: Omit<VpsOrder, 'hostname'> & { hostname: string | null }): Promise<OfferTerms> {
  const { datacenter, sealing } = ctx.providers;
  if (!datacenter) throw fail('servers_not_sold');
  const pricedAt = ctx.clock.now();
  const { vps, systems } = await atPricesOf(ctx.em, ctx.providers.shopAt, accountOf(ctx), pricedAt);
  mustBeSold(findVpsPlan(vps, input.plan));
  mustBeSold({ sold: systems.includes(input.os) });
  const location = await locationNamed(ctx, input.location);
  const order = checkVpsOrder({ ...input, location, hostname: hostnameOr(input.hostname, input.plan) }, vps);
  const { userData, ...chosen } = order;
  // It is not known yet in which cluster of the location the server will be.
  if (userData !== null && !(await openClusters(ctx, location)).every(({ terms }) => terms.snippets))
    throw fail('parameter_invalid', { field: 'userData', reason: because('user_data_not_possible') });
  await mustBeInStock(ctx, order);
  const subscriptionId = newId('sub', ctx.clock);
  return offerServer(ctx, {
    offerId: newId('off', ctx.clock),
    subscriptionId,
    title: vpsTitle(order, vps),
    item: `vps.${order.plan}`,
    months: order.months,
    lines: vpsLines(order, vps),
    fulfil: {
      kind: 'vps',
      ...chosen,
      subscriptionId,
      pricedAt: pricedAt.toISOString(),
      // User data may contain secrets, and the offer passes through other systems.
      userDataSealed: userData === null ? null : seal(userData, sealing, userDataPlace(subscriptionId)).toString('base64'),
    },
  });
}

/** Checks before an order is paid that there are addresses, a node with room, and a template of the system. Errors: out_of_stock. */
async function mustBeInStock(ctx: OrdersContext, { location, ...wish }: VpsOrder): Promise<void> {
  const stock = await vpsStock(ctx);
  const lack = await stock.lackOf(wish, location);
  if (lack === undefined) return;
  // Elsewhere there is what this location lacks.
  const elsewhere = location !== null && (await stock.lackOf(wish, null)) === undefined;
  throw fail('out_of_stock', { field: elsewhere ? 'location' : lack });
}

/** Handles a paid order of a VPS: begins to build the server, one per order. */
export async function beginVps(ctx: OrdersContext, event: EventOf<'order.paid'>): Promise<void> {
  const { accountId } = event;
  if (accountId === null) return;
  const { plan: planCode, userDataSealed, pricedAt, ...terms } = fulfilment.parse(event.data.fulfil);
  await beginServer(ctx, { ...event, accountId }, 'VPS', {
    ...terms,
    planCode,
    ...(pricedAt !== undefined && { pricedAt: new Date(pricedAt) }),
    userDataSealed: userDataSealed === null ? null : Buffer.from(userDataSealed, 'base64'),
  });
}
