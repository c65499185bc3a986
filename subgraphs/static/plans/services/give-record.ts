import { type EventOf, appendEvents } from '#platform/events.ts';
import type { PlansContext } from '../context.ts';
import { addressesOfPlans } from '../entities/plan-address.ts';
import { lockPlan } from '../entities/static-plan.ts';

/** Reaction to `purchase.records_asked`: gives the addresses of a plan whose payment is disputed, and the result of their last check. */
export async function giveRecord(ctx: PlansContext, { accountId, data }: EventOf<'purchase.records_asked'>): Promise<void> {
  const { seller, orderId, disputeId } = data;
  const plan = seller === 'static' ? await lockPlan(ctx.em, { orderId }) : null;
  if (!plan) return;
  const since = (plan.deliveredAt ?? plan.createdAt).toISOString();
  const addresses = await addressesOfPlans(ctx.em, [plan.id]);
  const lines = addresses.map(({ ip, port, location, checkedAt, problem }) => ({
    at: since,
    text: `held ${ip}:${port} in ${location}${checkedAt ? `; checked at ${checkedAt.toISOString()}: ${problem ?? 'works'}` : ''}`,
  }));
  await appendEvents(ctx.em, {
    type: 'fulfilment.recorded',
    at: ctx.clock.now(),
    accountId,
    subject: plan.id,
    data: { orderId, disputeId, title: `Addresses of the plan ${plan.id}, user name ${plan.username}`, lines },
  });
}
