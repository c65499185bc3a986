// Follows the events of a server's subscription: its dates and version, its end, and what they mean for the machine.
import type { EventOf } from '#platform/events.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import type { ProvisioningContext } from '../context.ts';
import { type ServerEvent, statusAfter, withStatus } from '../../servers/domain/server-lifecycle.ts';
import { type ServerRow, lockServer, lockServerOfSubscription, updateServer } from '../../servers/entities/server.ts';
import { settleServer } from './settle.ts';
import { takeDown } from './take-down.ts';
import { announceChange } from '../../operations/services/server-events.ts';

/** What each event means for the server's status. A server that was never delivered ends like a failed build. */
function lifeOf(type: string, { status }: ServerRow, reason: string | undefined): ServerEvent | undefined {
  if (type === 'subscription.suspended') return 'retries_exhausted';
  if (type === 'subscription.resumed') return 'paid';
  if (type !== 'subscription.ended') return undefined;
  if (status === 'BUILDING' || status === 'PROVISIONING') return 'refunded';
  return reason === 'UNPAID' ? 'grace_over' : 'period_ended';
}

/** Reaction to every event of a subscription. Subscriptions of other sellers are ignored, and so are events with an older version than the known one. */
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
    ...(status && withStatus(status, ctx.clock.now())),
    // A server that its owner had switched off stays off when it is paid again. For a server of a suspended account this was noted before.
    ...(status === 'SUSPENDED' && !server.accountSuspended && { runWhenResumed: server.powerState !== 'STOPPED' }),
  });
  await announceChange(ctx, server);
  // A running operation has lost its purpose.
  if (type === 'subscription.ended') await takeDown(ctx, server);
  const fresh = await lockServer(ctx.em, server.id);
  if (fresh) await settleServer(ctx, fresh);
}
