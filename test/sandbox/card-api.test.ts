import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { clientOf, createWorld, premiumCheckout, SECRETS } from './world.ts';
import type { World } from './world.ts';

let world: World;
let stripe: Stripe;
beforeAll(async () => {
  world = await createWorld();
  stripe = world.stripe;
});
afterAll(() => world.close());

/** A raw request, without the library. */
const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${world.sandbox.urls.card}${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${SECRETS.cardApiKey}`, 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

describe('the API answers the library', () => {
  test('the account of the key can be read, which is how the product checks its configuration', async () => {
    const account = await stripe.accounts.retrieveCurrent();
    expect(account).toMatchObject({ object: 'account', charges_enabled: true });
    expect(account.lastResponse.requestId).toMatch(/^req_\w{14}$/);
    expect(account.lastResponse.apiVersion).toBe(Stripe.API_VERSION);
  });

  test('401 with a wrong key, of which the message shows only the beginning and the end', async () => {
    const refused = clientOf(world.sandbox, 'sk_test_anotherSecretKey').accounts.retrieveCurrent();
    await expect(refused).rejects.toMatchObject({ statusCode: 401, type: 'StripeAuthenticationError' });
    await expect(refused).rejects.not.toThrow(/anotherSecret/);
  });

  test('404 for a URL that the sandbox does not have', async () => {
    await expect(stripe.topups.list()).rejects.toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' });
  });

  test('a customer is created, found by e-mail, changed', async () => {
    const created = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada', metadata: { account: 'acct_1', note: 'x' } });
    expect(created.id).toMatch(/^cus_\w{14}$/);
    expect((await stripe.customers.list({ email: 'ada@example.com' })).data.map((customer) => customer.id)).toEqual([created.id]);

    await stripe.customers.update(created.id, { name: '', metadata: { note: '' } });
    const changed = await stripe.customers.retrieve(created.id);
    expect(changed).toMatchObject({ name: null, email: 'ada@example.com', metadata: { account: 'acct_1' } });
    expect((await stripe.events.list({ type: 'customer.updated' })).data[0]?.data.previous_attributes).toMatchObject({ name: 'Ada' });
  });

  test('lists page through everything once, newest first', async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) made.push((await stripe.customers.create({ email: 'pages@example.com' })).id);
    const seen: string[] = [];
    for await (const customer of stripe.customers.list({ email: 'pages@example.com', limit: 2 })) seen.push(customer.id);
    expect(seen).toEqual(made.toReversed());
    const back = await stripe.customers.list({ email: 'pages@example.com', limit: 2, ending_before: made[0] ?? '' });
    expect(back.data.map((customer) => customer.id)).toEqual([made[2], made[1]]);
  });

  test('a session shows its line items when asked to, and never before', async () => {
    const created = await stripe.checkout.sessions.create(premiumCheckout({ customer_email: 'ada@example.com' }));
    expect(created).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 2500, currency: 'usd', payment_intent: null });
    expect(created.id).toMatch(/^cs_test_\w{58}$/);
    expect(created.line_items).toBeUndefined();
    const read = await stripe.checkout.sessions.retrieve(created.id, { expand: ['line_items', 'line_items.data.price.product'] });
    expect(read.line_items?.data[0]).toMatchObject({ description: 'Premium, 5 GB', amount_total: 2500, quantity: 1 });
    expect(read.line_items?.data[0]?.price?.product).toMatchObject({ object: 'product', name: 'Premium, 5 GB' });
    expect((await stripe.checkout.sessions.listLineItems(created.id)).data).toHaveLength(1);
  });

  test('a session is expired by hand once, and by its time', async () => {
    const first = await stripe.checkout.sessions.create(premiumCheckout());
    expect(await stripe.checkout.sessions.expire(first.id)).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(first.id)).rejects.toThrow(/status of `expired`/);

    const now = Math.floor(world.clock.now().getTime() / 1000);
    const second = await stripe.checkout.sessions.create(premiumCheckout({ expires_at: now + 30 * 60 }));
    world.clock.advance(HOUR);
    expect(await stripe.checkout.sessions.retrieve(second.id)).toMatchObject({ status: 'expired' });
    const events = await stripe.events.list({ type: 'checkout.session.expired' });
    expect(events.data.map((event) => (event.data.object as Stripe.Checkout.Session).id)).toEqual([second.id, first.id]);
  });

  test('a payment is refunded in parts, and never beyond what was paid', async () => {
    const session = await stripe.checkout.sessions.create(premiumCheckout());
    world.sandbox.card.payCheckout(session.id);
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
    const intent = payment_intent as Stripe.PaymentIntent;
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 2500, metadata: { order: 'ord_1' } });
    expect(intent.latest_charge).toMatchObject({ object: 'charge', paid: true });

    const part = await stripe.refunds.create({ payment_intent: intent.id, amount: 1000, reason: 'requested_by_customer' });
    expect(part).toMatchObject({ status: 'succeeded', amount: 1000 });
    await expect(stripe.refunds.create({ payment_intent: intent.id, amount: 1501 })).rejects.toThrow(/greater than unrefunded amount/);
    await stripe.refunds.create({ payment_intent: intent.id });
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({ code: 'charge_already_refunded' });
    const charge = await stripe.charges.retrieve((intent.latest_charge as Stripe.Charge).id, { expand: ['refunds'] });
    expect(charge).toMatchObject({ refunded: true, amount_refunded: 2500 });
    expect(charge.refunds?.data.map((refund) => refund.amount)).toEqual([1500, 1000]);
  });
});

describe('the API is strict', () => {
  const line = {
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '2500',
    'line_items[0][quantity]': '1',
  };
  const session = {
    mode: 'payment',
    success_url: 'http://shop.test/',
    ...line,
    'line_items[0][price_data][product_data][name]': 'Premium',
  };

  test.each([
    ['an unknown field', { ...session, colour: 'red' }, 'parameter_unknown', 'colour'],
    [
      'a misspelt nested field',
      { ...session, 'line_items[0][price_data][product_data][nam]': 'x' },
      'parameter_unknown',
      'line_items[0][price_data][product_data][nam]',
    ],
    [
      'a field of an older version of the API',
      { ...session, 'payment_method_types[0]': 'card' },
      'parameter_unknown',
      'payment_method_types',
    ],
    ['a missing field', { ...session, success_url: undefined }, 'parameter_missing', 'success_url'],
    [
      'a missing nested field',
      { mode: 'payment', success_url: 'http://shop.test/', ...line },
      'parameter_missing',
      'line_items[0][price_data][product_data]',
    ],
    [
      'a number with a fraction',
      { ...session, 'line_items[0][price_data][unit_amount]': '2500.5' },
      'parameter_invalid_integer',
      'line_items[0][price_data][unit_amount]',
    ],
    ['an empty text', { ...session, client_reference_id: '' }, 'parameter_invalid_empty', 'client_reference_id'],
    ['an address that is no URL', { ...session, success_url: '/orders' }, 'url_invalid', 'success_url'],
    ['an unknown customer', { ...session, customer: 'cus_none' }, 'resource_missing', 'customer'],
    ['less than 50 cents', { ...session, 'line_items[0][price_data][unit_amount]': '49' }, 'amount_too_small', 'line_items'],
    ['a name of JavaScript', { ...session, '__proto__[x]': '1' }, 'parameter_unknown', '__proto__'],
  ])('400 for %s, and nothing is created', async (_, fields, code, param) => {
    const before = world.sandbox.card.sessions().length;
    const body = new URLSearchParams(
      Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ).toString();
    const answer = await post('/v1/checkout/sessions', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error', code, param } });
    expect(world.sandbox.card.sessions()).toHaveLength(before);
  });

  test('404 for a missing object, also for one named like a property of every object', async () => {
    for (const id of ['cus_none', 'constructor']) {
      await expect(stripe.customers.retrieve(id)).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
    }
  });

  test('400 for what cannot be expanded', async () => {
    const { id } = await stripe.customers.create({});
    await expect(stripe.customers.retrieve(id, { expand: ['secrets'] })).rejects.toThrow(/cannot be expanded/);
  });
});

describe('an idempotency key', () => {
  test('gives the same answer again, byte for byte, and one effect', async () => {
    const [first, second] = [
      await post('/v1/customers', 'email=once%40example.com', { 'idempotency-key': 'k1' }),
      await post('/v1/customers', 'email=once%40example.com', { 'idempotency-key': 'k1' }),
    ];
    expect(await second.text()).toBe(await first.text());
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'));
    expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1);
  });

  test('400 for the same key with another body or at another endpoint', async () => {
    await stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'k2' });
    const other = stripe.customers.create({ email: 'b@example.com' }, { idempotencyKey: 'k2' });
    await expect(other).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
    await expect(stripe.refunds.create({ charge: 'ch_1' }, { idempotencyKey: 'k2' })).rejects.toThrow(/same endpoint/);
  });

  test('409 while the first request is in flight', async () => {
    const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const until = (): Promise<void> => {
      arrived.resolve();
      return gate.promise;
    };
    world.sandbox.card.faults.api.next.push({ fault: 'held', until, on: 'POST /v1/customers' });
    const first = stripe.customers.create({ email: 'held@example.com' }, { idempotencyKey: 'k3' });
    await arrived.promise;
    await expect(stripe.customers.create({ email: 'held@example.com' }, { idempotencyKey: 'k3' })).rejects.toMatchObject({
      statusCode: 409,
    });
    gate.resolve();
    expect((await first).email).toBe('held@example.com');
  });

  test('is not used up by a request that was refused before it began', async () => {
    await expect(stripe.customers.create({ email: 'nobody' }, { idempotencyKey: 'k4' })).rejects.toMatchObject({ statusCode: 400 });
    expect(await stripe.customers.create({ email: 'some@example.com' }, { idempotencyKey: 'k4' })).toMatchObject({
      email: 'some@example.com',
    });
  });

  test('is forgotten after 24 hours', async () => {
    const first = await stripe.customers.create({ email: 'old@example.com' }, { idempotencyKey: 'k5' });
    world.clock.advance(DAY + HOUR);
    expect((await stripe.customers.create({ email: 'old@example.com' }, { idempotencyKey: 'k5' })).id).not.toBe(first.id);
  });
});

describe('a fault of the API', () => {
  const create = (key: string, retries = 0): Promise<Stripe.Customer> =>
    stripe.customers.create({ email: `${key}@example.com` }, { idempotencyKey: key, maxNetworkRetries: retries });
  const countOf = async (key: string): Promise<number> => (await stripe.customers.list({ email: `${key}@example.com` })).data.length;
  const plan = (fault: 'rate_limited' | 'error_before_effect' | 'error_after_effect' | 'lost_answer' | 'no_answer'): void => {
    world.sandbox.card.faults.api.next.push({ fault, on: 'POST /v1/customers' });
  };

  test('429 happens before anything else, and a repeat succeeds', async () => {
    plan('rate_limited');
    await expect(create('f1')).rejects.toMatchObject({ statusCode: 429, type: 'StripeRateLimitError' });
    await create('f1');
    expect(await countOf('f1')).toBe(1);
  });

  test('500 before the effect leaves nothing, and a repeat runs', async () => {
    plan('error_before_effect');
    await expect(create('f2')).rejects.toMatchObject({ statusCode: 500 });
    expect(await countOf('f2')).toBe(0);
    await create('f2');
    expect(await countOf('f2')).toBe(1);
  });

  test('500 after the effect is the answer to every repeat, so that only a look-up finds the effect', async () => {
    plan('error_after_effect');
    await expect(create('f3')).rejects.toMatchObject({ statusCode: 500 });
    await expect(create('f3')).rejects.toMatchObject({
      statusCode: 500,
      headers: { 'idempotent-replayed': 'true', 'stripe-should-retry': 'false' },
    });
    expect(await countOf('f3')).toBe(1);
  });

  test('a lost answer is found again by the library with the same key', async () => {
    plan('lost_answer');
    expect(await create('f4', 1)).toMatchObject({ email: 'f4@example.com' });
    expect(await countOf('f4')).toBe(1);
  });

  test('an answer that never comes leaves the effect behind', async () => {
    plan('no_answer');
    const impatient = stripe.customers.create({ email: 'f5@example.com' }, { idempotencyKey: 'f5', timeout: 50 });
    await expect(impatient).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await create('f5')).toMatchObject({ email: 'f5@example.com' });
    expect(await countOf('f5')).toBe(1);
  });
});
