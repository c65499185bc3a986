import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { at, createShop, DAY_SECONDS, HOUR_SECONDS } from './card-billing-world.ts';
import type { Shop } from './card-billing-world.ts';
import { prorate } from '../../sandbox/card/billing/period.ts';

let shop: Shop;
let customer: Stripe.Customer;
let [small, large, addOn] = [] as unknown as [Stripe.Price, Stripe.Price, Stripe.Price];
let subscription: Stripe.Subscription;
let itemId: string;
beforeEach(async () => {
  shop = await createShop();
  shop.clock.set('2026-03-01T00:00:00Z');
  customer = await shop.customer();
  small = await shop.price(3_100, 1, 'Plank');
  large = await shop.price(6_200, 1, 'Einstein');
  addOn = await shop.price(299, 1, 'Backups');
  subscription = await shop.subscribe(customer, small);
  itemId = subscription.items.data[0]?.id ?? '';
  // 21 of 31 days are left.
  shop.pass(10 * DAY_SECONDS);
});
afterEach(() => shop.close());

const upgrade = (more: Partial<Stripe.SubscriptionUpdateParams> = {}): Promise<Stripe.Subscription> =>
  shop.stripe.subscriptions.update(subscription.id, { items: [{ id: itemId, price: large.id }], ...more });
const preview = (details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails): Promise<Stripe.Invoice> =>
  shop.stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: details });
const linesOf = (invoice: Stripe.Invoice): [number, string | null][] => invoice.lines.data.map((line) => [line.amount, line.description]);
const priceNow = async (): Promise<string | undefined> =>
  (await shop.stripe.subscriptions.retrieve(subscription.id)).items.data[0]?.price.id;

describe('an upgrade', () => {
  test('with always_invoice charges the difference at once, as the preview says, and keeps the renewal date', async () => {
    const before = await preview({ items: [{ id: itemId, price: large.id }], proration_behavior: 'always_invoice' });
    const after = await upgrade({ proration_behavior: 'always_invoice' });
    const invoice = await shop.invoiceOf(subscription);
    expect(linesOf(invoice)).toEqual([
      [-2_100, 'Unused time on Plank after 11 Mar 2026'],
      [4_200, 'Remaining time on Einstein after 11 Mar 2026'],
    ]);
    expect(linesOf(before)).toEqual(linesOf(invoice));
    expect(invoice).toMatchObject({ total: 2_100, amount_paid: 2_100, status: 'paid', billing_reason: 'subscription_update' });
    expect(before.amount_due).toBe(invoice.amount_paid);
    expect(after.items.data[0]).toMatchObject({ current_period_end: at('2026-04-01T00:00:00Z'), price: { id: large.id } });
  });

  test('with create_prorations waits for the renewal', async () => {
    await upgrade();
    expect((await shop.stripe.invoiceItems.list({ customer: customer.id, pending: true })).data.map(({ amount }) => amount)).toEqual([
      4_200, -2_100,
    ]);
    const renewal = await shop.stripe.invoices.createPreview({ subscription: subscription.id });
    expect(renewal.total).toBe(2_100 + 6_200);
    shop.pass(21 * DAY_SECONDS + HOUR_SECONDS);
    expect(await shop.invoiceOf(subscription)).toMatchObject({ total: 8_300, amount_paid: 8_300, billing_reason: 'subscription_cycle' });
    expect((await shop.stripe.invoiceItems.list({ customer: customer.id, pending: true })).data).toEqual([]);
  });

  test('with none charges nothing until the renewal', async () => {
    await upgrade({ proration_behavior: 'none' });
    expect(shop.sandbox.card.charges()).toHaveLength(1);
    expect((await shop.stripe.invoices.createPreview({ subscription: subscription.id })).total).toBe(6_200);
  });

  test('again within the period gives back what the first one is worth', async () => {
    await upgrade({ proration_behavior: 'always_invoice' });
    shop.pass(7 * DAY_SECONDS);
    const dearest = await shop.price(9_300, 1, 'Broglie');
    await shop.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemId, price: dearest.id }],
      proration_behavior: 'always_invoice',
    });
    expect(linesOf(await shop.invoiceOf(subscription)).map(([amount]) => amount)).toEqual([-2_800, 4_200]);
  });

  test('to a cheaper price leaves credit, which the next invoice uses', async () => {
    await upgrade({ proration_behavior: 'always_invoice' });
    await shop.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemId, price: small.id }],
      proration_behavior: 'always_invoice',
    });
    expect(await shop.invoiceOf(subscription)).toMatchObject({ total: -2_100, amount_due: 0, ending_balance: -2_100 });
    shop.pass(21 * DAY_SECONDS + HOUR_SECONDS);
    expect(await shop.invoiceOf(subscription)).toMatchObject({
      total: 3_100,
      starting_balance: -2_100,
      amount_paid: 1_000,
      ending_balance: 0,
    });
    const statement = await shop.stripe.customers.listBalanceTransactions(customer.id);
    expect(statement.data.map(({ amount, ending_balance }) => [amount, ending_balance])).toEqual([
      [2_100, 0],
      [-2_100, -2_100],
    ]);
  });

  test('with add-ons: one more, then more of it, then none', async () => {
    await shop.stripe.subscriptions.update(subscription.id, {
      items: [{ price: addOn.id, quantity: 2 }],
      proration_behavior: 'always_invoice',
    });
    // 598 × 21 / 31 = 405.096...
    expect(linesOf(await shop.invoiceOf(subscription))).toEqual([[405, 'Remaining time on 2 × Backups after 11 Mar 2026']]);
    const added = (await shop.stripe.subscriptions.retrieve(subscription.id)).items.data[1];
    await shop.stripe.subscriptionItems.update(added?.id ?? '', { quantity: 3, proration_behavior: 'always_invoice' });
    expect(linesOf(await shop.invoiceOf(subscription)).map(([amount]) => amount)).toEqual([-405, 608]);
    await shop.stripe.subscriptionItems.del(added?.id ?? '', { proration_behavior: 'none' });
    expect((await shop.stripe.subscriptions.retrieve(subscription.id)).items.data).toHaveLength(1);
  });

  test('to a longer period begins it now, with the old one given back', async () => {
    const quarter = await shop.price(16_000, 3, 'Einstein');
    const after = await upgrade({ items: [{ id: itemId, price: quarter.id }] });
    expect(linesOf(await shop.invoiceOf(subscription)).map(([amount]) => amount)).toEqual([-2_100, 16_000]);
    expect(after.items.data[0]).toMatchObject({
      current_period_start: at('2026-03-11T00:00:00Z'),
      current_period_end: at('2026-06-11T00:00:00Z'),
    });
  });

  test('is priced as of the time that the shop gives', async () => {
    const when = at('2026-03-16T12:00:00Z');
    const change = { items: [{ id: itemId, price: large.id }], proration_behavior: 'always_invoice' as const, proration_date: when };
    expect((await preview(change)).total).toBe(1_550);
    await upgrade(change);
    expect((await shop.invoiceOf(subscription)).total).toBe(1_550);
  });
});

describe('an upgrade whose payment fails', () => {
  const card = (): string => String(customer.invoice_settings.default_payment_method);
  beforeEach(() => shop.sandbox.card.behave(card(), '4000000000000341'));

  test('takes effect under allow_incomplete, and the subscription is past due', async () => {
    expect(await upgrade({ proration_behavior: 'always_invoice' })).toMatchObject({ status: 'past_due' });
    expect(await priceNow()).toBe(large.id);
  });

  test('is refused whole under error_if_incomplete', async () => {
    const refused = upgrade({ proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' });
    await expect(refused).rejects.toMatchObject({ statusCode: 402 });
    expect(await priceNow()).toBe(small.id);
    expect((await shop.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1);
  });

  test('waits under pending_if_incomplete, and takes effect when it is paid', async () => {
    const waiting = await upgrade({ proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' });
    expect(waiting).toMatchObject({ status: 'active', pending_update: { subscription_items: [{ price: { id: large.id } }] } });
    expect(await priceNow()).toBe(small.id);
    shop.sandbox.card.behave(card(), '4242424242424242');
    await shop.stripe.invoices.pay(String(waiting.latest_invoice));
    expect(await priceNow()).toBe(large.id);
    expect(shop.news()).toContain('customer.subscription.pending_update_applied');
  });

  test('is dropped after 23 hours under pending_if_incomplete, its invoice void', async () => {
    await upgrade({ proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' });
    shop.pass(23 * HOUR_SECONDS);
    expect(await shop.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ pending_update: null });
    expect(await priceNow()).toBe(small.id);
    expect((await shop.invoiceOf(subscription)).status).toBe('void');
  });
});

test('the preview of a new subscription creates nothing', async () => {
  const seen = await shop.stripe.invoices.createPreview({
    customer: customer.id,
    subscription_details: { items: [{ price: large.id }, { price: addOn.id, quantity: 2 }] },
  });
  expect(seen).toMatchObject({ total: 6_798, amount_due: 6_798, status: 'draft' });
  expect(shop.sandbox.card.subscriptions()).toHaveLength(1);
});

test.each([
  [100, 1, 3, 33],
  [100, 2, 3, 67],
  [5, 1, 2, 3],
  [-5, 1, 2, -3],
  [99_999_999, 15_552_000, 15_552_001, 99_999_993],
  [0, 1, 2, 0],
])('the part of %i cents for %i of %i seconds is %i', (amount, left, whole, part) => {
  expect(prorate(amount, left, whole)).toBe(part);
});
