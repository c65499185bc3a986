// A VPS from its price to the beginning of its building.
import { z } from 'zod';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { type OfferSubscription, type OfferTerms, priceOffer } from '#commerce/offers.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { randomBase62, seal } from '#platform/secrets.ts';
import type { ComputeContext } from '../../builder.ts';
import { OPERATING_SYSTEMS, OPERATING_SYSTEM_CODES } from '../../servers/domain/operating-system.ts';
import { EXTRA_IPV4_MAX, type VpsOrder, checkVpsOrder, vpsLines, vpsTitle } from '../domain/vps-order.ts';
import { VPS_PLAN_CODES } from '../domain/vps-plan.ts';
import { insertOperation } from '../../operations/entities/operation.ts';
import { insertVps, updateServer } from '../../servers/entities/server.ts';
import { passwordPlace, userDataPlace } from '../../operations/services/steps.ts';

/** What `priceVps` puts into the signed offer. The subscription's id is drawn here, so that every part that hears of the order knows it. */
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
});

/** The price of a VPS for the caller's account. Errors: parameter_invalid, servers_not_sold. */
export async function priceVps(ctx: ComputeContext, input: Omit<VpsOrder, 'hostname'> & { hostname: string | null }): Promise<OfferTerms> {
  if (!ctx.providers.datacenter) throw fail('servers_not_sold');
  const hostname = input.hostname?.trim() || `${input.plan}-${randomBase62(6)}`.toLowerCase();
  const order = checkVpsOrder({ ...input, hostname });
  const accountId = accountOf(ctx);
  const subscriptionId = newId('sub', ctx.clock);
  const lines = vpsLines(order);
  const { userData, ...chosen } = order;
  if (userData !== null && !ctx.providers.datacenter.terms.snippets)
    throw fail('parameter_invalid', { field: 'userData', reason: 'User data cannot be given here.' });
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId,
      seller: 'compute',
      title: vpsTitle(order),
      lines,
      currency: 'USD',
      subscription: { id: subscriptionId, months: order.months as OfferSubscription['months'], lines },
      fulfil: {
        kind: 'vps',
        ...chosen,
        subscriptionId,
        // It may carry secrets of its own, and the offer goes through other hands.
        userDataSealed: userData === null ? null : seal(userData, ctx.providers.sealing, userDataPlace(subscriptionId)).toString('base64'),
      },
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
  );
}

/** A paid order of a VPS: begins to build the server, one per order. */
export async function beginVps(ctx: ComputeContext, event: EventOf<'order.paid'>): Promise<void> {
  if (event.accountId === null) return;
  const { plan, userDataSealed, ...terms } = fulfilment.parse(event.data.fulfil);
  const { subscription } = event.data;
  const { em, clock, providers } = ctx;
  const [id, operationId] = [newId('vps', clock), newId('op', clock)];
  const at = clock.now();
  const made = await insertVps(em, {
    ...terms,
    id,
    accountId: event.accountId,
    orderId: event.subject,
    planCode: plan,
    createdAt: at,
    loginName: OPERATING_SYSTEMS[terms.os].loginName,
    passwordSealed: seal(newPassword(), providers.sealing, passwordPlace(id)),
    userDataSealed: userDataSealed === null ? null : Buffer.from(userDataSealed, 'base64'),
  });
  if (!made) return;
  if (subscription)
    await updateServer(em, id, {
      subscriptionVersion: subscription.version,
      subscriptionStatus: 'ACTIVE',
      periodStart: subscription.currentPeriodStart,
      periodEnd: subscription.currentPeriodEnd,
    });
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
