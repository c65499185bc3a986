// A VPS from its price to the beginning of its building.
import { z } from 'zod';
import { accountOf } from '#shared/context.ts';
import { fail } from '#shared/errors.ts';
import { type LoggedEvent, appendEvents } from '#shared/events.ts';
import { newId } from '#shared/ids.ts';
import { type OfferTerms, priceOffer } from '#shared/offers.ts';
import { randomBase62, seal } from '#shared/secrets.ts';
import type { ComputeContext } from '../builder.ts';
import { OPERATING_SYSTEMS, OPERATING_SYSTEM_CODES } from '../domain/operating-system.ts';
import { EXTRA_IPV4_MAX, type VpsOrder, checkVpsOrder, vpsLines, vpsTitle } from '../domain/vps-order.ts';
import { VPS_PLAN_CODES } from '../domain/vps-plan.ts';
import { insertOperation } from '../entities/operation.ts';
import { insertVps } from '../entities/server.ts';
import { passwordPlace } from './steps.ts';

/** Accounts have no country yet, so no rate of TAX_RATES applies. */
const NO_TAX = 0;

/** What `priceVps` puts into the signed offer. The subscription's id is drawn here, so that every part that hears of the order knows it. */
const fulfilment = z.object({
  plan: z.enum(VPS_PLAN_CODES),
  months: z.union([z.literal(1), z.literal(3), z.literal(6)]),
  os: z.enum(OPERATING_SYSTEM_CODES),
  hostname: z.string().min(1).max(253),
  extraIpv4: z.number().int().min(0).max(EXTRA_IPV4_MAX),
  sshKeys: z.array(z.string()),
  subscriptionId: z.string().min(1),
});

/** The price of a VPS for the caller's account. Errors: parameter_invalid, servers_not_sold. */
export function priceVps(ctx: ComputeContext, input: Omit<VpsOrder, 'hostname'> & { hostname: string | null }): OfferTerms {
  if (!ctx.providers.datacenter) throw fail('servers_not_sold');
  const hostname = input.hostname?.trim() || `${input.plan}-${randomBase62(6)}`.toLowerCase();
  const order = checkVpsOrder({ ...input, hostname });
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId: accountOf(ctx),
      seller: 'compute',
      title: vpsTitle(order),
      lines: vpsLines(order),
      currency: 'USD',
      fulfil: { ...order, subscriptionId: newId('sub', ctx.clock) },
    },
    NO_TAX,
    ctx.clock,
  );
}

/** Reaction to `order.paid`: begins to build the server, one per order. Orders of other sellers are none of ours. */
export async function beginVps(ctx: ComputeContext, event: LoggedEvent): Promise<void> {
  if (event.data['seller'] !== 'compute' || event.accountId === null) return;
  const { plan, ...terms } = fulfilment.parse(event.data['fulfil']);
  const { em, clock, providers } = ctx;
  const [id, operationId] = [newId('vps', clock), newId('op', clock)];
  const at = clock.now();
  const made = await insertVps(em, {
    ...terms,
    ...{ id, accountId: event.accountId, orderId: event.subject, planCode: plan, createdAt: at },
    loginName: OPERATING_SYSTEMS[terms.os].loginName,
    passwordSealed: seal(newPassword(), providers.sealing, passwordPlace(id)),
  });
  if (!made) return;
  await insertOperation(em, { id: operationId, serverId: id, accountId: event.accountId, command: 'BUILD', at });
  await appendEvents(em, { type: 'compute_vps.changed', at, accountId: event.accountId, subject: id, data: { operationId } });
  await ctx.jobs.enqueue(em, 'compute.operation-continue', { operationId }, { key: operationId });
}

/** 20 characters; Windows wants capital and small letters and digits. */
export function newPassword(): string {
  for (;;) {
    const password = randomBase62(20);
    if (/[A-Z]/.test(password) && /[a-z]/.test(password) && /\d/.test(password)) return password;
  }
}
