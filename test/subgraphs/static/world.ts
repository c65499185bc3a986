// The subgraph static alone on a test database, with inventory and plans in one call each.
import { DAY, systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { appendEvents } from '#platform/events.ts';
import type { HoldWish } from '#platform/holds.ts';
import { openOffer } from '#commerce/offers.ts';
import { createPlan } from '../../../subgraphs/static/plans/services/create-plan.ts';
import { importInventory } from '../../../subgraphs/static/inventory/services/import-inventory.ts';
import { staticProxies } from '../../../subgraphs/static/subgraph.ts';
import type { SubscriptionVerb, Fact } from '../../kit/events.ts';
import { openRoom } from '../../kit/room.ts';
import { eventsOf } from '../../kit/tables.ts';
import { staticTables } from './tables.ts';

/** The data of the events of accounts about a running subscription. */
export interface SubscriptionData {
  version: number;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd?: boolean;
  reason?: 'CANCELLED' | 'UNPAID' | 'NOT_DELIVERED' | 'REFUNDED';
  repricingId?: string;
}

/** The data with its dates as text, as events carry them. */
const inText = (told: SubscriptionData) => ({
  ...told,
  currentPeriodStart: told.currentPeriodStart.toISOString(),
  currentPeriodEnd: told.currentPeriodEnd.toISOString(),
});

export async function startStatic(environment: Record<string, string> = {}) {
  const room = await openRoom(staticProxies, { environment });
  const { platform, subgraph, context } = room;
  let orders = 0;
  /** Appends events of accounts, and runs static's reactions to them. */
  const tell = async (...events: Fact[]) => {
    await appendEvents(context().em, ...events.map((event) => ({ ...event, at: platform.clock.now() })));
    await subgraph.reader.drain();
    await platform.queue.drain();
  };
  return {
    ...room,
    tables: staticTables(room.query),
    tell,
    /** Reads the terms of an offer that the graph gave to the account. */
    open: (token: string, accountId: string) => openOffer(token, accountId, platform.secrets.offers, platform.clock),
    /** Appends an event of accounts about an order for an offer; `order.paid` comes with the subscription. */
    async order(
      type: 'order.placed' | 'order.paid' | 'order.cancelled' | 'order.expired',
      token: string,
      accountId: string,
      orderId = `ord_of_${++orders}`,
      subscription?: SubscriptionData,
      buyer: Partial<HoldWish> = {},
    ) {
      const { seller, fulfil, subscription: sold } = openOffer(token, accountId, platform.secrets.offers, platform.clock);
      const now = platform.clock.now();
      const period = { version: 1, currentPeriodStart: now, currentPeriodEnd: new Date(now.getTime() + 30 * DAY), ...subscription };
      const expiresAt = new Date(now.getTime() + 3_600_000).toISOString();
      const about = { accountId, subject: orderId };
      const order = { seller, fulfil, expiresAt };
      if (type === 'order.placed') {
        const hold = { known: true, from: accountId, method: 'CARD' as const, ...buyer };
        await tell({ type, ...about, data: { ...order, hold } });
      } else if (type === 'order.paid') {
        const { cancelAtPeriodEnd: _, reason: __, ...paid } = inText(period);
        await tell({ type, ...about, data: { ...order, title: 'A plan', subscription: { id: sold?.id ?? '', months: 1, ...paid } } });
      } else await tell({ type, ...about, data: order });
      return { orderId, subscriptionId: sold?.id ?? '' };
    },
    /** The events by which static answered accounts about the stock of an order. */
    async answerTo(orderId: string) {
      const rows = await eventsOf<{ code?: string; reason?: string; until?: string }>(platform.database.query, orderId, 'static_stock.%');
      return rows.map(({ type, data }) => ({ type, ...data }));
    },
    /** Appends an event of accounts about a subscription. */
    subscription: (type: SubscriptionVerb, subscriptionId: string, accountId: string, told: SubscriptionData) =>
      tell({
        type: `subscription.${type}`,
        accountId,
        subject: subscriptionId,
        data: { seller: 'static', orderId: `ord_of_${subscriptionId}`, status: 'ACTIVE', cancelAtPeriodEnd: false, ...inText(told) },
      }),
    /** Adds `count` addresses to a product's stock, from `prefix`.0 on. */
    stock: (productId: string, count: number, prefix: string) =>
      importInventory(
        context(),
        [
          'ip,port,product,location',
          ...Array.from({ length: count }, (_, index) => `${prefix}.${index >> 8}.${index & 255},8000,${productId},Frankfurt`),
        ].join('\n'),
      ),
    /** Makes a plan for a new order, PENDING until something delivers it. */
    plan(accountId: string, productId: string, quantity: number, orderId = `ord_${++orders}`) {
      return createPlan(context(), { orderId, accountId, productId, quantity, subscriptionId: newId('sub', systemClock) });
    },
  };
}

export type StaticWorld = Awaited<ReturnType<typeof startStatic>>;
