import type { EventOf } from '#platform/events.ts';
import type { FreezeFact } from '#commerce/purchase-freeze.ts';
import type { ProvisioningContext } from '../context.ts';
import { announceChange } from '../../operations/services/server-events.ts';
import { lockServer, lockServerOfSubscription, markFrozen } from '../../servers/entities/server.ts';
import { settleServer } from './settle.ts';

/** Reaction to `purchase.frozen` and `purchase.thawed`: a server whose payment is disputed is switched off and keeps its data; afterwards it is as it was before. */
export async function followFreeze(ctx: ProvisioningContext, { type, data }: EventOf<FreezeFact>): Promise<void> {
  if (data.seller !== 'compute' || !data.subscriptionId) return;
  const server = await lockServerOfSubscription(ctx.em, data.subscriptionId);
  if (!server || !(await markFrozen(ctx.em, server.id, type === 'purchase.frozen'))) return;
  await announceChange(ctx, server);
  const fresh = await lockServer(ctx.em, server.id);
  if (fresh) await settleServer(ctx, fresh);
}
