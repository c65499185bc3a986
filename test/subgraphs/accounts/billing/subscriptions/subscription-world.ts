// The world of billing, extended by subscriptions: buying them, letting time pass, and reading what became of them.
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import type { OfferLine, OfferSubscription, OfferTerms } from '#commerce/offers.ts';
import { sumOfLines, taxOf } from '#commerce/offers.ts';
import { type BillingWorld, type Person, type PlacedOrder, startBilling } from '../world.ts';
import { orderRows } from '../../../../kit/order-rows.ts';
import { eventsOf, rowOf, rowsOf } from '../../../../kit/tables.ts';

export const LINE: OfferLine = { label: 'VPS Plank, per month', quantity: 1, amountMinor: 1_699 };

export interface SubscriptionRow {
  id: string;
  status: string;
  version: number;
  current_period_start: Date;
  current_period_end: Date;
  failures: number;
  renewal_order_id: string | null;
  processor_id: string | null;
  card_id: string | null;
  end_reason: string | null;
  cancel_at_period_end: boolean;
  interval_count: number;
  lines: OfferLine[];
}

export async function startSubscriptions(environment: Record<string, string> = {}, options: Parameters<typeof startBilling>[1] = {}) {
  const world: BillingWorld = await startBilling(environment, options);
  const run = (name: string) => world.platform.queue.runNow(name);

  /** Offer terms of a subscription, taxed at `taxBasisPoints`. */
  const termsOf = (
    subscription: Partial<OfferSubscription> & { id: string },
    {
      lines = subscription.lines ?? [LINE],
      taxBasisPoints = 0,
      creditMinor = 0,
    }: { lines?: OfferLine[]; taxBasisPoints?: number; creditMinor?: number } = {},
  ): Partial<OfferTerms> => {
    const subtotalMinor = sumOfLines(lines);
    const taxMinor = taxOf(subtotalMinor, taxBasisPoints);
    return {
      seller: 'compute',
      title: 'VPS Plank',
      lines,
      subtotalMinor,
      taxBasisPoints,
      taxMinor,
      totalMinor: subtotalMinor + taxMinor,
      creditMinor,
      subscription: { months: 1, lines: [LINE], ...subscription },
      fulfil: { kind: 'test' },
    };
  };

  const more = {
    termsOf,
    newSubscription: () => newId('sub', world.clock),
    async row(id: string): Promise<SubscriptionRow> {
      const row = await rowOf<SubscriptionRow>(world.query, 'accounts.billing_subscription', { id });
      if (!row) throw new Error(`no subscription ${id}`);
      return row;
    },
    /** Buys a subscription that is delivered and known to the processor. */
    async subscribe(person: Person, { card, ...chosen }: Partial<OfferSubscription> & { card?: string; taxBasisPoints?: number } = {}) {
      const id = newId('sub', world.clock);
      const { taxBasisPoints = 0, ...subscription } = chosen;
      const order = await world.place(person, termsOf({ id, ...subscription }, { taxBasisPoints }));
      if (order.status === 'PENDING') await world.pay(order.id, card);
      await this.rest();
      return { id, order };
    },
    change(
      person: Person,
      id: string,
      subscription: Partial<OfferSubscription>,
      price: Parameters<typeof termsOf>[1] = {},
    ): Promise<PlacedOrder> {
      return world.place(person, termsOf({ id, ...subscription }, price));
    },
    /** Tells, as the seller, that every paid change is made. */
    async adjusted() {
      await orderRows(world.query).adjustPaid(world.clock.now());
      await world.subgraph.reader.drain();
    },
    /** Runs the sweeper and jobs, and delivers webhooks, until nothing changes. */
    async rest() {
      for (let round = 0; round < 3; round++) {
        const { length } = world.sandbox.card.events();
        world.sandbox.card.tick();
        await run('accounts.subscriptions-sweep');
        const moved = await world.settle();
        if (!moved && world.sandbox.card.events().length === length) return;
      }
    },
    /** Moves the clock in strides, and lets the sweeper work after each. */
    async pass(milliseconds: number, stride = 12 * HOUR) {
      for (let left = milliseconds; left > 0; left -= stride) {
        world.clock.advance(Math.min(left, stride));
        await this.rest();
      }
    },
    /** Moves the clock to a few minutes after the end of the subscription's period. */
    async toPeriodEnd(id: string) {
      const { current_period_end: end } = await this.row(id);
      world.clock.set(new Date(end.getTime() + 2 * MINUTE));
      await this.rest();
    },
    orders: (id: string) =>
      rowsOf<{ id: string; kind: string; status: string; total_minor: string; credit_minor: string; checkout_url: string | null }>(
        world.query,
        'accounts.customer_order',
        { subscription_id: id },
        { columns: 'id, kind, status, total_minor, credit_minor, checkout_url', orderBy: 'id' },
      ),
    facts: async (id: string) => (await eventsOf(world.query, id, 'subscription.%')).map(({ type }) => type.slice('subscription.'.length)),
    async subjects(person: Person): Promise<string[]> {
      return (await world.mailed(person.email)).map(({ subject }) => subject);
    },
    day: DAY,
  };
  return { ...world, ...more };
}

export type SubscriptionWorld = Awaited<ReturnType<typeof startSubscriptions>>;
