// Reactions to events of orders. Each event may be delivered more than once; orders of other sellers are ignored.
import { announceAgain } from '#commerce/repricing/reprice.ts';
import { after } from '#platform/clock.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { type Fulfilment, fulfilment } from '../../plans/domain/fulfilment.ts';
import { insertAddition, noteRemoval } from '../../plans/entities/addition.ts';
import { releaseAddresses } from '../../inventory/entities/address.ts';
import { addressIdsToGive } from '../../plans/entities/plan-address.ts';
import { lockPlan } from '../../plans/entities/static-plan.ts';
import { dropHolds, holdOfOrder, extendPaidHold } from '../../inventory/entities/stock-hold.ts';
import type { PlansContext } from '../../plans/context.ts';
import { movePlan } from '../../plans/services/apply-plan-event.ts';
import { REPRICED_PLANS } from '../../plans/services/repriced-plans.ts';
import { createPlan } from '../../plans/services/create-plan.ts';
import { holdForOrder } from '../../inventory/services/hold-stock.ts';

type OrderFact = 'order.placed' | 'order.cancelled' | 'order.expired' | 'order.held' | 'order.paid' | 'order.refunded';

const soldByUs = ({ data, accountId }: EventOf<OrderFact>): Fulfilment | undefined =>
  data.seller === 'static' && accountId !== null ? fulfilment.parse(data.fulfil) : undefined;

/** `order.placed`: where accounts asks for it, holds the ordered addresses until the order is paid or given up. An event tells accounts whether they are held. */
export async function answerPlaced(ctx: PlansContext, event: EventOf<'order.placed'>): Promise<void> {
  const terms = soldByUs(event);
  const { hold: wish, expiresAt } = event.data;
  if (!terms || terms.kind === 'remove' || !wish || event.accountId === null) return;
  const productId = terms.kind === 'plan' ? terms.productId : (await lockPlan(ctx.em, { id: terms.planId }))?.productId;
  if (productId === undefined) return;
  await holdForOrder(ctx, { orderId: event.subject, accountId: event.accountId, productId, quantity: terms.quantity, wish, expiresAt });
}

/** `order.cancelled`, `order.expired`: releases the addresses that were held for the order. */
export async function freeForOrder(
  ctx: PlansContext,
  event: EventOf<'order.cancelled' | 'order.expired' | 'order.refunded'>,
): Promise<void> {
  const id = soldByUs(event) && (await holdOfOrder(ctx.em, event.subject));
  if (id) await dropHolds(ctx.em, [id]);
}

/** `order.held`: the order is paid but must be reviewed by a person before its delivery. Its addresses are held for that time. */
export async function holdForReview(ctx: PlansContext, event: EventOf<'order.held'>): Promise<void> {
  const { holdUntil } = event.data;
  if (soldByUs(event) && holdUntil !== undefined) await extendPaidHold(ctx.em, event.subject, new Date(holdUntil));
}

/** `order.paid`: makes a new plan, or adds addresses to one, or removes some. */
export async function fulfilOrder(ctx: PlansContext, event: EventOf<'order.paid'>): Promise<void> {
  const terms = soldByUs(event);
  if (!terms || event.accountId === null) return;
  const { em, clock, providers, jobs } = ctx;
  const orderId = event.subject;
  const deliverBy = after(clock.now(), providers.deliverWithinMs);
  // The hold is extended until the delivery takes the addresses. An order by bank transfer, or one whose hold has ended, takes free ones.
  const holdId = await extendPaidHold(em, orderId, deliverBy);
  if (terms.kind === 'plan') {
    const { productId, quantity, unitMinor, custom } = terms;
    if (!event.data.subscription) throw new Error(`order ${orderId} of a plan has no subscription`);
    const { id: subscriptionId, version, currentPeriodStart, currentPeriodEnd } = event.data.subscription;
    const billing = { version, periodStart: currentPeriodStart, periodEnd: currentPeriodEnd };
    await createPlan(ctx, { orderId, accountId: event.accountId, subscriptionId, productId, quantity, unitMinor, custom, billing });
  } else if (terms.kind === 'add') {
    const { planId, quantity } = terms;
    const added = await insertAddition(em, { orderId, planId, quantity, holdId, deliverBy }, clock.now());
    if (added) await jobs.enqueue(em, 'static.addition-deliver', { orderId });
  } else await removeAddresses(ctx, orderId, terms);
}

async function removeAddresses(
  ctx: PlansContext,
  orderId: string,
  { planId, addressIds }: Extract<Fulfilment, { kind: 'remove' }>,
): Promise<void> {
  const { em, clock, providers } = ctx;
  const plan = await lockPlan(em, { id: planId });
  if (!plan || !(await noteRemoval(em, { orderId, planId, quantity: addressIds.length }, clock.now()))) return;
  const at = clock.now();
  // If a chosen address has been exchanged since, another one is removed instead.
  const going = await addressIdsToGive(em, planId, addressIds);
  const quantity = await releaseAddresses(em, { planId, at, restsUntil: after(at, providers.restMs), addressIds: going });
  plan.quantity -= quantity;
  const about = { at, accountId: plan.accountId, subject: planId };
  await appendEvents(
    em,
    { type: 'fulfilment.delivered', ...about, data: { orderId } },
    { type: 'static_plan.delivered', ...about, data: { orderId, quantity: -quantity } },
  );
  await announceAgain(ctx, REPRICED_PLANS, planId);
}

/** `order.refunded`: a plan that was never delivered is cancelled, and what was held for the order is released. A delivered plan ends with its subscription. */
export async function forgetRefunded(ctx: PlansContext, event: EventOf<'order.refunded'>): Promise<void> {
  const plan = await lockPlan(ctx.em, { orderId: event.subject });
  if (plan?.status === 'PENDING') await movePlan(ctx, plan, 'refunded');
  if (!plan) await freeForOrder(ctx, event);
}
