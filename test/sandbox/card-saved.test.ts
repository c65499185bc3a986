import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createShop, DAY_SECONDS, HOUR_SECONDS } from './card-billing-world.ts';
import type { Shop } from './card-billing-world.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await createShop();
});
afterEach(() => shop.close());

const URLS = { success_url: 'http://shop.test/done?s={CHECKOUT_SESSION_ID}', cancel_url: 'http://shop.test/back' };
const form = (number: string): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  body: new URLSearchParams({ action: 'pay', number, expiry: '12/30', cvc: '123', email: 'eve@example.com' }),
});

describe('checkout in setup mode', () => {
  const open = async (customer: Stripe.Customer): Promise<Stripe.Checkout.Session> =>
    shop.stripe.checkout.sessions.create({
      mode: 'setup',
      currency: 'usd',
      customer: customer.id,
      setup_intent_data: { metadata: { account: 'acct_1' } },
      ...URLS,
    });

  test('saves the card with the customer, charges nothing, and sends the customer back', async () => {
    const customer = await shop.stripe.customers.create({ email: 'ada@example.com' });
    const session = await open(customer);
    expect(session).toMatchObject({ payment_status: 'no_payment_required', amount_total: null });
    const page = await (await fetch(session.url ?? '')).text();
    expect(page).toContain('Save card');
    const answer = await fetch(session.url ?? '', form('4242424242424242'));
    expect(answer.headers.get('location')).toBe(`http://shop.test/done?s=${session.id}`);
    const [card] = (await shop.stripe.customers.listPaymentMethods(customer.id)).data;
    expect(card?.card).toMatchObject({ last4: '4242', brand: 'visa' });
    expect(await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['setup_intent'] })).toMatchObject({
      status: 'complete',
      setup_intent: { status: 'succeeded', payment_method: card?.id, metadata: { account: 'acct_1' } },
    });
    expect(shop.news()).toEqual([
      'customer.created',
      'setup_intent.created',
      'payment_method.attached',
      'setup_intent.succeeded',
      'checkout.session.completed',
    ]);
    expect(shop.sandbox.card.charges()).toEqual([]);
  });

  test('says why a card is refused and stays open for another', async () => {
    const session = await open(await shop.customer());
    const refused = await fetch(session.url ?? '', form('4000000000009995'));
    expect(refused.status).toBe(402);
    expect(await refused.text()).toContain('Your card has insufficient funds.');
    expect(shop.sandbox.card.payCheckout(session.id)).toMatchObject({ outcome: 'paid' });
  });
});

describe('checkout in subscription mode', () => {
  test('charges the first period and keeps the card for the renewals', async () => {
    const [plan, addOn] = [await shop.price(8_499, 3), await shop.price(897, 3, 'Backups')];
    const session = await shop.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [
        { price: plan.id, quantity: 1 },
        { price: addOn.id, quantity: 1 },
        { price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Set-up' } }, quantity: 1 },
      ],
      subscription_data: { metadata: { order: 'ord_9' } },
      ...URLS,
    });
    expect(session.amount_total).toBe(9_896);
    expect(await (await fetch(session.url ?? '')).text()).toContain('Einstein, every 3 months');
    await fetch(session.url ?? '', form('4242424242424242'));
    const done = await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'invoice'] });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      payment_intent: null,
      customer: expect.stringMatching(/^cus_/),
      subscription: { status: 'active', metadata: { order: 'ord_9' }, default_payment_method: expect.stringMatching(/^pm_/) },
      invoice: { status: 'paid', amount_paid: 9_896 },
    });
    shop.pass(93 * DAY_SECONDS);
    expect(await shop.invoiceOf(done.subscription as Stripe.Subscription)).toMatchObject({ status: 'paid', total: 9_396 });
  });

  test('begins nothing for a declined card, and renews a card that had to be confirmed without the customer', async () => {
    const price = await shop.price(1_000);
    const session = await shop.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: price.id, quantity: 1 }],
      ...URLS,
    });
    expect(shop.sandbox.card.payCheckout(session.id, '4000000000000002')).toMatchObject({ outcome: 'declined' });
    expect(shop.sandbox.card.subscriptions()).toEqual([]);
    expect(shop.sandbox.card.payCheckout(session.id, '4000002500003155')).toMatchObject({ outcome: 'paid' });
    const [subscription] = shop.sandbox.card.subscriptions();
    shop.pass(32 * DAY_SECONDS);
    expect(await shop.invoiceOf(subscription as Stripe.Subscription)).toMatchObject({
      status: 'paid',
      billing_reason: 'subscription_cycle',
    });
  });

  test.each([
    ['subscription', { price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Once' } }, quantity: 1 }, /recurring price/],
    [
      'payment',
      {
        price_data: { currency: 'usd', unit_amount: 500, recurring: { interval: 'month' }, product_data: { name: 'Monthly' } },
        quantity: 1,
      },
      /one-time/,
    ],
    ['setup', { price: 'price_none', quantity: 1 }, /setup/],
  ] as const)('400 for a line that does not fit the mode %s', async (mode, line, message) => {
    await expect(shop.stripe.checkout.sessions.create({ mode, line_items: [line], ...URLS })).rejects.toThrow(message);
  });
});

test('a payment can save its card for later', async () => {
  const session = await shop.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price_data: { currency: 'usd', unit_amount: 2_500, product_data: { name: 'Premium' } }, quantity: 1 }],
    payment_intent_data: { setup_future_usage: 'off_session' },
    ...URLS,
  });
  shop.sandbox.card.payCheckout(session.id, '4000002500003155');
  const { customer } = await shop.stripe.checkout.sessions.retrieve(session.id);
  const [card] = (await shop.stripe.paymentMethods.list({ customer: String(customer) })).data;
  const again = await shop.stripe.paymentIntents.create({
    amount: 900,
    currency: 'usd',
    customer: String(customer),
    payment_method: card?.id ?? '',
    off_session: true,
    confirm: true,
  });
  expect(again.status).toBe('succeeded');
});

describe('a payment intent', () => {
  const charge = (customer: Stripe.Customer, more: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> =>
    shop.stripe.paymentIntents.create({
      amount: 1_000,
      currency: 'usd',
      customer: customer.id,
      payment_method: String(customer.invoice_settings.default_payment_method),
      confirm: true,
      off_session: true,
      ...more,
    });

  test('charges a saved card while the customer is away', async () => {
    expect(await charge(await shop.customer())).toMatchObject({ status: 'succeeded', amount_received: 1_000 });
  });

  test.each([
    ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
    ['pm_card_authenticationRequired', 'authentication_required', 'authentication_required'],
    ['pm_card_authenticationRequiredOnSetup', 'authentication_required', 'authentication_required'],
  ])('402 for %s, with the intent as it is', async (token, code, declineCode) => {
    const error = await charge(await shop.customer(token)).catch((caught: unknown) => caught as Stripe.errors.StripeCardError);
    expect(error).toMatchObject({
      statusCode: 402,
      code,
      decline_code: declineCode,
      payment_intent: { status: 'requires_payment_method' },
    });
  });

  test('with the customer present waits for the bank, and succeeds or fails', async () => {
    const customer = await shop.customer('pm_card_authenticationRequired');
    const waiting = await charge(customer, { off_session: false, return_url: 'http://shop.test/back' });
    const { url = '' } = waiting.next_action?.redirect_to_url ?? {};
    const answer = await fetch(url ?? '', { method: 'POST', redirect: 'manual', body: new URLSearchParams({ outcome: 'complete' }) });
    expect(answer.headers.get('location')).toBe(`http://shop.test/back?payment_intent=${waiting.id}&redirect_status=succeeded`);
    const failed = await charge(customer, { off_session: false, return_url: 'http://shop.test/back' });
    shop.sandbox.card.authenticate(failed.id, false);
    expect(await shop.stripe.paymentIntents.retrieve(failed.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
  });

  test('can be prepared, changed, canceled, and is then closed', async () => {
    const customer = await shop.customer();
    const intent = await charge(customer, { confirm: false, off_session: undefined as unknown as boolean });
    expect(intent.status).toBe('requires_confirmation');
    expect(await shop.stripe.paymentIntents.update(intent.id, { amount: 1_200 })).toMatchObject({ amount: 1_200 });
    expect(await shop.stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' })).toMatchObject({ status: 'canceled' });
    await expect(shop.stripe.paymentIntents.confirm(intent.id)).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  test('cannot charge a card of someone else', async () => {
    const [owner, other] = [await shop.customer(), await shop.customer()];
    const refused = charge(other, { payment_method: String(owner.invoice_settings.default_payment_method) });
    await expect(refused).rejects.toMatchObject({ statusCode: 400, param: 'payment_method' });
    expect(shop.sandbox.card.charges()).toEqual([]);
  });
});

describe('a payment method', () => {
  test.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
  ])('%s cannot be saved', async (token, code, declineCode) => {
    const { id } = await shop.stripe.customers.create({});
    await expect(shop.stripe.paymentMethods.attach(token, { customer: id })).rejects.toMatchObject({
      statusCode: 402,
      code,
      decline_code: declineCode,
    });
    expect((await shop.stripe.paymentMethods.list({ customer: id })).data).toEqual([]);
  });

  test('is made from a number, changed, made the default, and taken away', async () => {
    const customer = await shop.stripe.customers.create({});
    const made = await shop.stripe.paymentMethods.create({
      type: 'card',
      card: { number: '5555555555554444', exp_month: 3, exp_year: 2031, cvc: '123' },
      billing_details: { name: 'Ada' },
    });
    await shop.stripe.paymentMethods.attach(made.id, { customer: customer.id });
    expect(await shop.stripe.paymentMethods.update(made.id, { card: { exp_year: 2033 } })).toMatchObject({
      card: { exp_year: 2033, last4: '4444', brand: 'mastercard' },
      billing_details: { name: 'Ada' },
    });
    await shop.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: made.id } });
    const subscription = await shop.subscribe(customer, await shop.price(1_000));
    expect(subscription.status).toBe('active');
    await shop.stripe.paymentMethods.detach(made.id);
    expect(await shop.stripe.customers.retrieve(customer.id)).toMatchObject({ invoice_settings: { default_payment_method: null } });
    shop.pass(32 * DAY_SECONDS + HOUR_SECONDS);
    expect(await shop.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'past_due' });
  });
});

test('a setup intent that the bank refuses says so, and another card passes', async () => {
  const customer = await shop.stripe.customers.create({});
  const setup = await shop.stripe.setupIntents.create({ customer: customer.id, metadata: { account: 'acct_1' } });
  const refused = shop.stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa_chargeDeclined' });
  await expect(refused).rejects.toMatchObject({ statusCode: 402, setup_intent: { last_setup_error: { decline_code: 'generic_decline' } } });
  expect(await shop.stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' })).toMatchObject({ status: 'succeeded' });
  expect((await shop.stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(1);
});
