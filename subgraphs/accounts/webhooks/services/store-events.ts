// The reader of the event log that stores what customers are told: each event in the public API's terms, in the order of the log, and with the end points that
// get it.
import { toGb } from '#platform/data-size.ts';
import type { EventOf, EventType } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Reactions } from '#platform/reactions.ts';
import { formatNumber } from '../../billing/invoices/domain/invoice.ts';
import { invoiceOfOrder } from '../../billing/invoices/entities/invoice.ts';
import { orderWithId, ordersOfSubscription } from '../../billing/orders/entities/order.ts';
import type { WebhooksContext } from '../context.ts';
import { type CustomerData, type CustomerEventType, bodyOf } from '../../../../schema/customer-events.ts';
import { endpointsToNotify } from '../entities/webhook-endpoint.ts';
import { insertEvent, isStored } from '../entities/webhook-event.ts';

type Fact = Pick<EventOf<EventType>, 'at' | 'accountId'>;

/** Stores an event, in the transaction that moves the reader's cursor. An account without an end point gets none. */
async function store<Type extends CustomerEventType>(
  ctx: WebhooksContext,
  { at, accountId }: Fact,
  type: Type,
  subject: string,
  data: CustomerData<Type>,
): Promise<void> {
  const endpoints = accountId === null ? [] : await endpointsToNotify(ctx.em, accountId, at);
  if (accountId === null || endpoints.length === 0) return;
  const id = newId('evt', ctx.clock);
  await insertEvent(ctx.em, { id, accountId, endpointId: null, type, at, subject, body: bodyOf(type, at, data) });
  for (const { id: endpointId, eventTypes, disabledAt, nextTryAt } of endpoints) {
    const isWanted = eventTypes.length === 0 || eventTypes.includes(type);
    // An end point that fails is served when its next try is due.
    if (!isWanted || disabledAt || nextTryAt) continue;
    await ctx.jobs.enqueue(ctx.em, 'accounts.webhook-deliver', { id: endpointId }, { key: endpointId });
  }
}

/** Stores an event whose only data is the plan's id. */
const ofPlan =
  (type: 'residential_plan.paused' | 'residential_plan.resumed' | 'residential_plan.expired') =>
  (ctx: WebhooksContext, event: EventOf<typeof type>) =>
    store(ctx, event, type, event.data.planId, { product_id: event.data.planId });

const ofStatic = (type: 'static_plan.suspended' | 'static_plan.resumed') => (ctx: WebhooksContext, event: EventOf<typeof type>) =>
  store(ctx, event, type, event.subject, { plan_id: event.subject });

const ready = (ctx: WebhooksContext, event: EventOf<'compute_vps.created' | 'compute_dedicated.delivered'>) =>
  store(ctx, event, 'server.ready', event.subject, { server_id: event.subject, order_id: event.data.orderId });

type SubscriptionEvent = EventOf<'subscription.suspended' | 'subscription.resumed' | 'subscription.ended'>;

/** The id of the server that a subscription pays for; undefined when it pays for something else, or nothing was delivered. */
async function serverOf({ em }: WebhooksContext, { data: { seller, orderId } }: SubscriptionEvent): Promise<string | undefined> {
  return seller === 'compute' ? ((await orderWithId(em, orderId))?.resourceId ?? undefined) : undefined;
}

const ofServer =
  (type: 'server.suspended' | 'server.resumed') =>
  async (ctx: WebhooksContext, event: EventOf<'subscription.suspended' | 'subscription.resumed'>): Promise<void> => {
    const server = await serverOf(ctx, event);
    if (server !== undefined) await store(ctx, event, type, server, { server_id: server });
  };

/** No event of its own says that a dedicated server is gone; for a VPS there is one. */
async function dedicatedRemoved(ctx: WebhooksContext, event: EventOf<'subscription.ended'>): Promise<void> {
  const server = await serverOf(ctx, event);
  if (server?.startsWith('ded_')) await store(ctx, event, 'server.removed', server, { server_id: server });
}

/** Stores `invoice.paid` once per invoice: support may have an order delivered again. An order that costs nothing has no invoice. */
async function paid(ctx: WebhooksContext, event: Fact, orderId: string): Promise<void> {
  const { accountId } = event;
  const invoice = await invoiceOfOrder(ctx.em, orderId);
  if (!invoice || accountId === null || (await isStored(ctx.em, { accountId, type: 'invoice.paid', subject: invoice.id }))) return;
  await store(ctx, event, 'invoice.paid', invoice.id, {
    invoice_id: invoice.id,
    number: formatNumber(invoice),
    order_id: orderId,
    total: invoice.totalMinor,
    currency: invoice.currency,
  });
}

async function renewalPaid(ctx: WebhooksContext, event: EventOf<'subscription.renewed'>): Promise<void> {
  const orders = await ordersOfSubscription(ctx.em, event.subject);
  const end = event.data.currentPeriodEnd.getTime();
  const renewal = orders.find(({ kind, paidAt, periodEnd }) => kind === 'RENEWAL' && paidAt && periodEnd?.getTime() === end);
  if (renewal) await paid(ctx, event, renewal.id);
}

/** Events of the log -> what is stored for customers. */
export const customerReactions: Reactions<WebhooksContext> = {
  'residential_plan.balance_low': (ctx, event) =>
    store(ctx, event, 'residential_plan.balance_low', event.data.planId, {
      product_id: event.data.planId,
      title: event.data.title,
      percent: event.data.percent,
      ...(event.data.leftBytes !== undefined && { left_gb: toGb(BigInt(event.data.leftBytes)) }),
    }),
  'residential_plan.balance_resolved': (ctx, event) =>
    store(ctx, event, 'residential_plan.balance_resolved', event.data.planId, {
      product_id: event.data.planId,
      percent: event.data.percent,
      new_product_id: event.data.newPlanId ?? null,
    }),
  'residential_plan.paused': ofPlan('residential_plan.paused'),
  'residential_plan.resumed': ofPlan('residential_plan.resumed'),
  'residential_plan.expired': ofPlan('residential_plan.expired'),
  'residential_plan.ends_soon': (ctx, event) =>
    store(ctx, event, 'residential_plan.ends_soon', event.data.planId, {
      product_id: event.data.planId,
      title: event.data.title,
      days: event.data.days,
      left_gb: toGb(BigInt(event.data.leftBytes)),
      valid_until: event.data.validUntil,
    }),
  'residential_plan.lapsed': (ctx, event) =>
    store(ctx, event, 'residential_plan.lapsed', event.data.planId, {
      product_id: event.data.planId,
      title: event.data.title,
      lapsed_gb: toGb(BigInt(event.data.bytes)),
      valid_until: event.data.validUntil,
    }),
  'residential_plan.reset': (ctx, event) =>
    store(ctx, event, 'residential_plan.reset', event.data.planId, {
      product_id: event.data.planId,
      by: event.data.by === undefined ? 'owner' : 'support',
    }),
  'static_plan.delivered': (ctx, event) =>
    store(ctx, event, 'static_plan.delivered', event.subject, {
      plan_id: event.subject,
      order_id: event.data.orderId,
      quantity: event.data.quantity,
    }),
  'static_plan.replaced': (ctx, event) =>
    store(ctx, event, 'static_plan.address_replaced', event.subject, {
      plan_id: event.subject,
      asked_by: ({ OWNER: 'owner', SUPPORT: 'support', PLATFORM: 'platform' } as const)[event.data.askedBy],
      reason: event.data.reason,
      addresses: event.data.pairs,
    }),
  'static_plan.suspended': ofStatic('static_plan.suspended'),
  'static_plan.resumed': ofStatic('static_plan.resumed'),
  'compute_vps.created': ready,
  'compute_dedicated.delivered': ready,
  'compute_vps.deleted': (ctx, event) => store(ctx, event, 'server.removed', event.subject, { server_id: event.subject }),
  'subscription.suspended': ofServer('server.suspended'),
  'subscription.resumed': ofServer('server.resumed'),
  'subscription.ended': dedicatedRemoved,
  'order.fulfilled': (ctx, event) =>
    store(ctx, event, 'order.fulfilled', event.subject, { order_id: event.subject, resource_id: event.data.resourceId }),
  'order.paid': (ctx, event) => paid(ctx, event, event.subject),
  'subscription.renewed': renewalPaid,
  'subscription.past_due': (ctx, event) =>
    store(ctx, event, 'invoice.failed', event.subject, { subscription_id: event.subject, order_id: event.data.orderId }),
};
