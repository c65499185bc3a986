import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { at, createShop, DAY_SECONDS, HOUR_SECONDS } from './card-billing-world.ts';
import type { Shop } from './card-billing-world.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await createShop();
  shop.clock.set(new Date('2026-01-31T12:00:00Z'));
});
afterEach(() => shop.close());

const endOf = ({ items }: Stripe.Subscription): number => items.data[0]?.current_period_end ?? 0;
const read = (subscription: Stripe.Subscription): Promise<Stripe.Subscription> => shop.stripe.subscriptions.retrieve(subscription.id);

describe('a new subscription', () => {
  test.each([
    [1, '2026-02-28T12:00:00Z'],
    [3, '2026-04-30T12:00:00Z'],
    [6, '2026-07-31T12:00:00Z'],
  ])('of %i months is charged at once for the whole period', async (months, end) => {
    const subscription = await shop.subscribe(await shop.customer(), await shop.price(8_499, months));
    expect(subscription).toMatchObject({ status: 'active', currency: 'usd', latest_invoice: expect.stringMatching(/^in_/) });
    expect(endOf(subscription)).toBe(at(end));
    const invoice = await shop.invoiceOf(subscription);
    expect(invoice).toMatchObject({
      status: 'paid',
      billing_reason: 'subscription_create',
      total: 8_499,
      amount_paid: 8_499,
      amount_remaining: 0,
      number: expect.stringMatching(/^[0-9A-Z]{8}-0001$/),
      parent: { subscription_details: { subscription: subscription.id } },
      lines: { data: [{ amount: 8_499, parent: { subscription_item_details: { proration: false } } }] },
    });
    expect(shop.sandbox.card.charges()).toMatchObject([{ amount: 8_499, status: 'succeeded' }]);
  });

  test('has add-ons as items of their own, on one invoice', async () => {
    const [plan, backups] = [await shop.price(5_000), await shop.price(299, 1, 'Backups')];
    const customer = await shop.customer();
    const subscription = await shop.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: plan.id }, { price: backups.id, quantity: 3 }],
      metadata: { order: 'ord_1' },
    });
    const invoice = await shop.invoiceOf(subscription);
    expect(invoice.lines.data.map((line) => line.amount)).toEqual([5_000, 897]);
    expect(invoice.total).toBe(5_897);
    expect(invoice.parent?.subscription_details?.metadata).toEqual({ order: 'ord_1' });
  });

  test('sends its events in order', async () => {
    const [customer, price] = [await shop.customer(), await shop.price(1_000)];
    shop.news();
    await shop.subscribe(customer, price);
    expect(shop.news()).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'payment_intent.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice_payment.paid',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
    ]);
  });

  test('waits for a declined card, and begins when the invoice is paid with another', async () => {
    const customer = await shop.customer('pm_card_chargeCustomerFail');
    const subscription = await shop.subscribe(customer, await shop.price(1_000));
    expect(subscription.status).toBe('incomplete');
    const good = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await shop.stripe.invoices.pay(String(subscription.latest_invoice), { payment_method: good.id });
    expect((await read(subscription)).status).toBe('active');
  });

  test('ends after 23 hours without a payment, its invoice void', async () => {
    const subscription = await shop.subscribe(await shop.customer('pm_card_chargeCustomerFail'), await shop.price(1_000));
    shop.pass(23 * HOUR_SECONDS - 1);
    expect((await read(subscription)).status).toBe('incomplete');
    shop.pass(1);
    expect((await read(subscription)).status).toBe('incomplete_expired');
    expect((await shop.invoiceOf(subscription)).status).toBe('void');
  });

  test('is refused whole under error_if_incomplete', async () => {
    const customer = await shop.customer('pm_card_chargeCustomerFail');
    const refused = shop.subscribe(customer, await shop.price(1_000), { payment_behavior: 'error_if_incomplete' });
    await expect(refused).rejects.toMatchObject({ statusCode: 402, type: 'StripeCardError', code: 'card_declined' });
    expect(shop.sandbox.card.subscriptions()).toEqual([]);
    expect(shop.sandbox.card.charges()).toEqual([]);
  });

  test('under default_incomplete waits for its intent to be confirmed', async () => {
    const subscription = await shop.subscribe(await shop.customer('pm_card_authenticationRequired'), await shop.price(1_000), {
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
    });
    const invoice = subscription.latest_invoice as Stripe.Invoice;
    const intent = String(invoice.payments?.data[0]?.payment.payment_intent);
    expect(invoice.confirmation_secret?.client_secret).toContain(intent);
    expect(await shop.stripe.paymentIntents.confirm(intent)).toMatchObject({ status: 'requires_action' });
    shop.sandbox.card.authenticate(intent);
    expect((await read(subscription)).status).toBe('active');
  });

  test('with an anchor in the future pays per second up to it', async () => {
    const subscription = await shop.subscribe(await shop.customer(), await shop.price(3_100), {
      billing_cycle_anchor: at('2026-02-15T12:00:00Z'),
    });
    // 15 of the 31 days from 15 January to 15 February.
    expect((await shop.invoiceOf(subscription)).total).toBe(1_500);
    expect(endOf(subscription)).toBe(at('2026-02-15T12:00:00Z'));
  });

  test('sent by invoice is due after the given days and charges nothing', async () => {
    const subscription = await shop.subscribe(await shop.customer(), await shop.price(1_000), {
      collection_method: 'send_invoice',
      days_until_due: 7,
    });
    expect(subscription.status).toBe('active');
    shop.pass(HOUR_SECONDS);
    const invoice = await shop.invoiceOf(subscription);
    expect(invoice).toMatchObject({ status: 'open', amount_due: 1_000, due_date: at('2026-02-07T13:00:00Z') });
    await shop.stripe.invoices.pay(invoice.id, { paid_out_of_band: true });
    expect(await shop.invoiceOf(subscription)).toMatchObject({ status: 'paid', amount_paid: 0, amount_paid_off_stripe: 1_000 });
    expect(shop.sandbox.card.charges()).toEqual([]);
  });

  test.each([
    ['an unknown field', { colour: 'red' }, 'parameter_unknown'],
    ['a trial, which the sandbox cannot give', { trial_period_days: 3 }, 'parameter_unknown'],
    ['an anchor in the past', { billing_cycle_anchor: at('2025-01-01T00:00:00Z') }, undefined],
    ['an unknown price', { items: [{ price: 'price_none' }] }, 'resource_missing'],
    ['a card of someone else', { default_payment_method: 'pm_card_visa' }, 'resource_missing'],
  ])('400 for %s', async (_, more, code) => {
    const refused = shop.subscribe(await shop.customer(), await shop.price(1_000), more as Partial<Stripe.SubscriptionCreateParams>);
    await expect(refused).rejects.toMatchObject({ statusCode: 400, code });
    expect(shop.sandbox.card.subscriptions()).toEqual([]);
  });
});

describe('a renewal', () => {
  test('is a draft for an hour after the period has ended, then it is charged', async () => {
    const subscription = await shop.subscribe(await shop.customer(), await shop.price(1_000));
    shop.pass(at('2026-02-28T12:00:00Z') - at('2026-01-31T12:00:00Z'));
    expect(endOf(await read(subscription))).toBe(at('2026-03-31T12:00:00Z'));
    expect(await shop.invoiceOf(subscription)).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle', attempted: false });
    shop.pass(HOUR_SECONDS);
    expect(await shop.invoiceOf(subscription)).toMatchObject({ status: 'paid', total: 1_000, attempt_count: 1 });
  });

  test('happens for every period that the clock has passed, each as of its own time', async () => {
    const subscription = await shop.subscribe(await shop.customer(), await shop.price(1_000));
    shop.pass(at('2026-07-01T00:00:00Z') - at('2026-01-31T12:00:00Z'));
    const invoices = await shop.stripe.invoices.list({ subscription: subscription.id, limit: 100 });
    expect(invoices.data.map(({ created, status }) => [new Date(created * 1000).toISOString(), status])).toEqual(
      ['2026-06-30', '2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31'].map((day) => [`${day}T12:00:00.000Z`, 'paid']),
    );
    expect(endOf(await read(subscription))).toBe(at('2026-07-31T12:00:00Z'));
  });

  test('that fails leaves the subscription past due and is not tried again by itself', async () => {
    const customer = await shop.customer();
    const subscription = await shop.subscribe(customer, await shop.price(1_000));
    const card = String(customer.invoice_settings.default_payment_method);
    shop.sandbox.card.behave(card, '4000000000000341');
    shop.news();
    shop.pass(28 * DAY_SECONDS + HOUR_SECONDS);
    const invoice = await shop.invoiceOf(subscription);
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 1, next_payment_attempt: null, amount_remaining: 1_000 });
    expect((await read(subscription)).status).toBe('past_due');
    expect(shop.news()).toEqual([
      'invoice.upcoming',
      'customer.subscription.updated',
      'invoice.created',
      'payment_intent.created',
      'invoice.finalized',
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.payment_failed',
      'customer.subscription.updated',
    ]);
    shop.pass(7 * DAY_SECONDS);
    expect((await shop.invoiceOf(subscription)).attempt_count).toBe(1);

    await expect(shop.stripe.invoices.pay(invoice.id)).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' });
    expect((await shop.invoiceOf(subscription)).attempt_count).toBe(2);
    shop.sandbox.card.behave(card, '4242424242424242');
    expect(await shop.stripe.invoices.pay(invoice.id)).toMatchObject({ status: 'paid', attempt_count: 3 });
    expect((await read(subscription)).status).toBe('active');
  });

  test.each(['void', 'uncollectible'] as const)('whose invoice is %s is no longer past due', async (how) => {
    const customer = await shop.customer();
    const subscription = await shop.subscribe(customer, await shop.price(1_000));
    shop.sandbox.card.behave(String(customer.invoice_settings.default_payment_method), '4000000000000341');
    shop.pass(28 * DAY_SECONDS + HOUR_SECONDS);
    const { id } = await shop.invoiceOf(subscription);
    await (how === 'void' ? shop.stripe.invoices.voidInvoice(id) : shop.stripe.invoices.markUncollectible(id));
    expect((await read(subscription)).status).toBe('active');
  });

  test('that needs the customer’s confirmation waits on the intent', async () => {
    const subscription = await shop.subscribe(await shop.customer(), await shop.price(1_000));
    const card = String(
      ((await shop.stripe.customers.retrieve(String(subscription.customer))) as Stripe.Customer).invoice_settings.default_payment_method,
    );
    shop.sandbox.card.behave(card, '4000002760003184');
    shop.pass(28 * DAY_SECONDS + HOUR_SECONDS);
    const invoice = await shop.invoiceOf(subscription);
    const intent = String(invoice.payments?.data[0]?.payment.payment_intent);
    expect(await shop.stripe.paymentIntents.retrieve(intent)).toMatchObject({ status: 'requires_action' });
    expect(shop.news()).toContain('invoice.payment_action_required');
    shop.sandbox.card.authenticate(intent, false);
    expect((await read(subscription)).status).toBe('past_due');
    await expect(shop.stripe.invoices.pay(invoice.id)).rejects.toMatchObject({ code: 'invoice_payment_intent_requires_action' });
    shop.sandbox.card.authenticate(intent);
    expect((await read(subscription)).status).toBe('active');
  });

  test('needs no customer for a card that was set up, and does for one that always asks', async () => {
    const customer = await shop.customer('pm_card_authenticationRequiredOnSetup');
    const setup = await shop.stripe.setupIntents.create({
      customer: customer.id,
      payment_method: String(customer.invoice_settings.default_payment_method),
      confirm: true,
      return_url: 'http://shop.test/back',
    });
    expect(setup.status).toBe('requires_action');
    shop.sandbox.card.authenticate(setup.id);
    const subscription = await shop.subscribe(customer, await shop.price(1_000), { off_session: true });
    expect(subscription.status).toBe('active');
  });
});

describe('the end', () => {
  test('at the end of the period can be planned and taken back', async () => {
    const subscription = await shop.subscribe(await shop.customer(), await shop.price(1_000));
    const planned = await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(planned).toMatchObject({ cancel_at_period_end: true, cancel_at: endOf(subscription), status: 'active' });
    const back = await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    expect(back).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
    shop.pass(28 * DAY_SECONDS + HOUR_SECONDS);
    expect((await read(subscription)).status).toBe('active');
  });

  test('comes when the clock passes it, and nothing more is charged', async () => {
    const subscription = await shop.subscribe(await shop.customer(), await shop.price(1_000));
    await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    shop.news();
    shop.pass(90 * DAY_SECONDS);
    expect(await read(subscription)).toMatchObject({ status: 'canceled', ended_at: endOf(subscription) });
    expect(shop.news()).toEqual(['customer.subscription.deleted']);
    expect(shop.sandbox.card.charges()).toHaveLength(1);
    await expect(shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  test('at once gives back the rest as credit, to the cent, on request', async () => {
    const customer = await shop.customer();
    const subscription = await shop.subscribe(customer, await shop.price(2_800));
    shop.pass(7 * DAY_SECONDS);
    await shop.stripe.subscriptions.cancel(subscription.id, { prorate: true, invoice_now: true });
    expect(await shop.invoiceOf(subscription)).toMatchObject({ status: 'paid', total: -2_100, amount_due: 0 });
    expect(await shop.stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -2_100 });
    expect((await read(subscription)).status).toBe('canceled');
  });
});

test('a subscription can be found by customer, status, and end of period', async () => {
  const customer = await shop.customer();
  const subscription = await shop.subscribe(customer, await shop.price(1_000));
  const found = async (params: Stripe.SubscriptionListParams): Promise<string[]> =>
    (await shop.stripe.subscriptions.list(params)).data.map(({ id }) => id);
  expect(await found({ customer: customer.id })).toEqual([subscription.id]);
  expect(await found({ status: 'past_due' })).toEqual([]);
  expect(await found({ current_period_end: { lte: endOf(subscription) } })).toEqual([subscription.id]);
  await shop.stripe.subscriptions.cancel(subscription.id);
  expect(await found({ customer: customer.id })).toEqual([]);
  expect(await found({ customer: customer.id, status: 'all' })).toEqual([subscription.id]);
});
