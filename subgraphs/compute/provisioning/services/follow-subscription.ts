// What accounts says of a server's subscription: its dates and its version, whether it ends, and what follows for the machine.
import type { EventOf } from '#platform/events.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import type { ProvisioningContext } from '../context.ts';
import { type ServerEvent, statusAfter } from '../../servers/domain/server-lifecycle.ts';
import { type ServerRow, lockServer, lockServerOfSubscription, updateServer } from '../../servers/entities/server.ts';
import { settleServer } from './settle.ts';
import { takeDown } from './take-down.ts';
import { announceChange } from '../../operations/services/server-events.ts';

/** What each fact is to the server's life. A server that was never delivered goes back the way of a failed build. */
function lifeOf(type: string, { status }: ServerRow, reason: string | undefined): ServerEvent | undefined {
  if (type === 'subscription.suspended') return 'retries_exhausted';
  if (type === 'subscription.resumed') return 'paid';
  if (type !== 'subscription.ended') return undefined;
  if (status === 'BUILDING' || status === 'PROVISIONING') return 'refunded';
  return reason === 'UNPAID' ? 'grace_over' : 'period_ended';
}

/** Reaction to every fact of a subscription; those of other sellers are none of ours, and what is older than what is known says nothing. */
export async function followSubscription(ctx: ProvisioningContext, { type, subject, data }: EventOf<SubscriptionFact>): Promise<void> {
  if (data.seller !== 'compute') return;
  const server = await lockServerOfSubscription(ctx.em, subject);
  if (!server) return;
  const { version, status: subscriptionStatus, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd, reason } = data;
  if (server.subscriptionVersion !== null && version < server.subscriptionVersion) return;
  const event = lifeOf(type, server, reason);
  const status = event && statusAfter(server, event);
  await updateServer(ctx.em, server.id, {
    subscriptionVersion: version,
    subscriptionStatus,
    periodStart: currentPeriodStart,
    periodEnd: currentPeriodEnd,
    cancelAtPeriodEnd,
    ...(status && { status }),
    // What its owner had switched off stays off when it is paid again. What is off for its account's sake was noted then.
    ...(status === 'SUSPENDED' && !server.accountSuspended && { runWhenResumed: server.powerState !== 'STOPPED' }),
  });
  await announceChange(ctx, server);
  // Whatever is under way on it has lost its purpose.
  if (type === 'subscription.ended') await takeDown(ctx, server);
  const fresh = await lockServer(ctx.em, server.id);
  if (fresh) await settleServer(ctx, fresh);
}
