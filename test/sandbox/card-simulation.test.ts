// Months of random billing; after every step the processor's books must be consistent. A failure prints its seed.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createShop, DAY_SECONDS } from './card-billing-world.ts';
import type { Shop } from './card-billing-world.ts';
import { createRandom } from '../../sandbox/random.ts';
import type { Random } from '../../sandbox/random.ts';

const CARDS = ['4242424242424242', '4000000000000341', '4000000000009995', '4000002760003184'];
const STEPS = 60;

interface Market {
  shop: Shop;
  random: Random;
  customer: Stripe.Customer;
  prices: Stripe.Price[];
  rates: Stripe.TaxRate[];
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random.below(items.length)] as Item;
const live = ({ shop }: Market): Stripe.Subscription[] =>
  shop.sandbox.card.subscriptions().filter(({ status }) => status === 'active' || status === 'past_due');
/** Ignores refusals by the bank; throws any other error. */
const tolerate = async (work: Promise<unknown>): Promise<void> => {
  await work.catch((error: Stripe.errors.StripeError) => {
    if (error.statusCode !== 402) throw error;
  });
};

type Step = (market: Market) => Promise<void>;
const STEPS_BY_NAME: Record<string, Step> = {
  async subscribe({ shop, random, customer, prices, rates }) {
    await tolerate(
      shop.subscribe(customer, pick(random, prices), {
        ...(random.chance(0.5) && { default_tax_rates: [pick(random, rates).id] }),
        payment_behavior: pick(random, ['allow_incomplete', 'error_if_incomplete'] as const),
      }),
    );
  },
  async change(market) {
    const { shop, random, prices } = market;
    const subscription = pick(random, live(market));
    if (!subscription || subscription.pending_update) return;
    const item = pick(random, subscription.items.data);
    const rhythm = item.price.recurring?.interval_count;
    const price = pick(
      random,
      prices.filter((one) => subscription.items.data.length === 1 || one.recurring?.interval_count === rhythm),
    );
    const details = {
      items: [{ id: item.id, price: price.id, quantity: 1 + random.below(3) }],
      proration_behavior: pick(random, ['always_invoice', 'create_prorations', 'none'] as const),
    };
    const preview = await shop.stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: details });
    const before = shop.sandbox.card.invoices().length;
    const behavior = pick(random, ['allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete'] as const);
    await tolerate(shop.stripe.subscriptions.update(subscription.id, { ...details, payment_behavior: behavior }));
    const made = shop.sandbox.card.invoices()[before];
    if (made) expect([made.total, made.amount_due]).toEqual([preview.total, preview.amount_due]);
  },
  async addOn(market) {
    const { shop, random, prices } = market;
    const subscription = pick(random, live(market));
    if (!subscription || subscription.pending_update || subscription.items.data.length > 3) return;
    const rhythm = subscription.items.data[0]?.price.recurring?.interval_count;
    const price = pick(
      random,
      prices.filter((one) => one.recurring?.interval_count === rhythm),
    );
    await tolerate(
      shop.stripe.subscriptions.update(subscription.id, { items: [{ price: price.id }], proration_behavior: 'always_invoice' }),
    );
  },
  async cancel(market) {
    const subscription = pick(market.random, live(market));
    if (!subscription) return;
    if (market.random.chance(0.5)) {
      await market.shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: !subscription.cancel_at_period_end });
    } else if (market.random.chance(0.3)) {
      await market.shop.stripe.subscriptions.cancel(subscription.id, { prorate: true, invoice_now: market.random.chance(0.5) });
    }
  },
  async payOpen({ shop, random }) {
    const open = pick(
      random,
      shop.sandbox.card.invoices().filter(({ status }) => status === 'open'),
    );
    if (open) await tolerate(shop.stripe.invoices.pay(open.id));
  },
  async credit({ shop, random }) {
    const paid = pick(
      random,
      shop.sandbox.card.invoices().filter(({ status, amount_paid }) => status === 'paid' && amount_paid > 0),
    );
    if (!paid) return;
    const left = paid.total - paid.post_payment_credit_notes_amount - paid.pre_payment_credit_notes_amount;
    const refundable = paid.amount_paid - paid.post_payment_credit_notes_amount;
    if (left < 1 || refundable < 1) return;
    const amount = 1 + random.below(Math.min(left, refundable));
    const refund = random.below(amount + 1);
    await shop.stripe.creditNotes.create({ invoice: paid.id, amount, refund_amount: refund, credit_amount: amount - refund });
  },
  async giveUp({ shop, random }) {
    const open = pick(
      random,
      shop.sandbox.card.invoices().filter(({ status }) => status === 'open'),
    );
    if (open && random.chance(0.3)) await shop.stripe.invoices.voidInvoice(open.id);
  },
  async turn({ shop, random, customer }) {
    shop.sandbox.card.behave(String(customer.invoice_settings.default_payment_method), pick(random, CARDS));
  },
  async wait({ shop, random }) {
    shop.pass(1 + random.below(20 * DAY_SECONDS));
  },
};

function check({ shop }: Market, invoiceOf: Map<string, string>): void {
  const { card } = shop.sandbox;
  const now = Math.floor(shop.clock.now().getTime() / 1000);
  for (const invoice of card.invoices()) {
    const taxes = (invoice.total_taxes ?? []).filter((tax) => tax.tax_behavior === 'exclusive').reduce((sum, tax) => sum + tax.amount, 0);
    const lines = invoice.lines.data.reduce((sum, line) => sum + line.amount, 0);
    expect([invoice.subtotal, invoice.total]).toEqual([lines, lines + taxes]);
    const shares = invoice.lines.data.flatMap((line) => line.taxes ?? []).reduce((sum, tax) => sum + tax.amount, 0);
    expect(shares).toBe((invoice.total_taxes ?? []).reduce((sum, tax) => sum + tax.amount, 0));
    expect(invoice.amount_due).toBeGreaterThanOrEqual(0);
    if (invoice.status === 'draft' || invoice.status === 'void') continue;
    expect(invoice.starting_balance + invoice.total).toBe(invoice.amount_due + (invoice.ending_balance ?? 0));
    expect(invoice.amount_paid + invoice.amount_remaining).toBe(invoice.amount_due);
    const charged = card
      .charges()
      .filter((charge) => charge.status === 'succeeded' && invoiceOf.get(String(charge.payment_intent)) === invoice.id)
      .map(({ amount }) => amount);
    expect(charged).toEqual(invoice.amount_paid > 0 ? [invoice.amount_paid] : []);
  }
  for (const subscription of card.subscriptions()) {
    if (subscription.status !== 'active' && subscription.status !== 'past_due') continue;
    const latest = card.invoices().find(({ id }) => id === subscription.latest_invoice);
    if (!subscription.pending_update && latest?.status !== 'draft')
      expect(subscription.status === 'past_due').toBe(latest?.status === 'open');
    for (const item of subscription.items.data) {
      expect(item.current_period_start).toBeLessThanOrEqual(now);
      expect(item.current_period_end).toBeGreaterThan(now);
    }
  }
}

test.each([1, 2, 3, 4, 5, 6])('the books stay in order over months of random billing, seed %i', async (seed) => {
  const shop = await createShop();
  shop.clock.set('2026-01-31T09:00:00Z');
  const random = createRandom(seed);
  try {
    const customer = await shop.customer();
    const prices = await Promise.all([
      shop.price(2_833, 1, 'Plank'),
      shop.price(8_499, 3, 'Plank'),
      shop.price(16_998, 6, 'Plank'),
      shop.price(4_999, 1, 'Einstein'),
      shop.price(14_250, 3, 'Einstein'),
      shop.price(299, 1, 'Backups'),
    ]);
    const rates = await Promise.all(
      [19, 8.875].map((percentage) => shop.stripe.taxRates.create({ display_name: 'Tax', percentage, inclusive: false })),
    );
    const market: Market = { shop, random, customer, prices, rates };
    await shop.subscribe(customer, prices[0] as Stripe.Price);
    // Time steps and new customers are more frequent than the other steps.
    const names = [...Object.keys(STEPS_BY_NAME), 'subscribe', 'wait', 'wait'];
    for (let step = 0; step < STEPS; step += 1) {
      const name = pick(random, names);
      await STEPS_BY_NAME[name]?.(market);
      shop.sandbox.card.tick();
      const entries = await shop.stripe.customers.listBalanceTransactions(customer.id, { limit: 100 }).autoPagingToArray({ limit: 1_000 });
      const payments = await shop.stripe.invoicePayments.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
      const { balance } = (await shop.stripe.customers.retrieve(customer.id)) as Stripe.Customer;
      try {
        expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
        check(market, new Map(payments.map((one) => [String(one.payment.payment_intent), String(one.invoice)])));
      } catch (cause) {
        throw new Error(`seed ${seed}, step ${step}: ${name}: ${String(cause)}`, { cause });
      }
    }
  } finally {
    await shop.close();
  }
});
