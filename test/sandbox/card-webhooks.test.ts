import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWorld, premiumCheckout, SECRETS } from './world.ts';
import type { World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const buy = async (): Promise<string> => {
  const { id } = await world.stripe.checkout.sessions.create(premiumCheckout());
  world.sandbox.card.payCheckout(id);
  return id;
};
/** The events that arrived. The processor's own library checks their signatures and throws for a forged one. */
const verified = (): Stripe.Event[] =>
  world.receiver.received.map(({ body, headers }) =>
    Stripe.webhooks.constructEvent(
      body,
      headers['stripe-signature'] ?? '',
      SECRETS.webhookSecret,
      300,
      undefined,
      world.clock.now().getTime(),
    ),
  );
const typesOf = (events: Stripe.Event[]): string[] => events.map((event) => event.type);

const PAID = ['charge.succeeded', 'checkout.session.completed', 'payment_intent.created', 'payment_intent.succeeded'];

test('a payment sends signed events that contain the object as of that time', async () => {
  const id = await buy();
  await world.sandbox.card.idle();
  expect(world.receiver.received.every((one) => one.path === '/webhooks/card')).toBe(true);
  expect(typesOf(verified()).toSorted()).toEqual(PAID);
  const completed = verified().find((event) => event.type === 'checkout.session.completed');
  expect(completed).toMatchObject({
    id: expect.stringMatching(/^evt_\w{24}$/),
    data: { object: { id, payment_status: 'paid', metadata: { order: 'ord_1' } } },
  });
  expect(await world.stripe.events.retrieve(completed?.id ?? '')).toMatchObject({ pending_webhooks: 0 });
});

test('a decline and a refund send events, too', async () => {
  const { id } = await world.stripe.checkout.sessions.create(premiumCheckout());
  world.sandbox.card.payCheckout(id, '4000000000000002');
  world.sandbox.card.payCheckout(id);
  const { payment_intent } = await world.stripe.checkout.sessions.retrieve(id);
  await world.stripe.refunds.create({ payment_intent: String(payment_intent) }, { idempotencyKey: 'refund' });
  await world.sandbox.card.idle();
  expect(typesOf(verified()).toSorted()).toEqual(
    [...PAID, 'charge.failed', 'charge.refunded', 'payment_intent.payment_failed', 'refund.created'].toSorted(),
  );
  expect(verified().find((event) => event.type === 'charge.refunded')?.request).toMatchObject({ idempotency_key: 'refund' });
});

test('a refused event comes again until it is accepted, under the same id', async () => {
  world.receiver.answers.push(500, 503, 301, 404);
  await buy();
  await world.sandbox.card.deliver();
  const ids = verified().map((event) => event.id);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toHaveLength(8);
});

test('an event is given up after its last attempt and can be sent again by hand', async () => {
  await world.close();
  world = await createWorld({ retry: { firstMs: 1, maxMs: 1, attempts: 3 } });
  world.receiver.judge = () => 500;
  await buy();
  await world.sandbox.card.deliver();
  expect(world.receiver.received).toHaveLength(12);
  const undelivered = await world.stripe.events.list({ delivery_success: false });
  expect(undelivered.data).toHaveLength(4);

  world.receiver.judge = null;
  await world.sandbox.card.redeliver(undelivered.data[0]?.id ?? '');
  expect((await world.stripe.events.list({ delivery_success: false })).data).toHaveLength(3);
});

test('the checkout page does not wait for the webhooks', async () => {
  const { receiver } = world;
  const up = receiver.url;
  receiver.url = 'http://127.0.0.1:1';
  const { id, url } = await world.stripe.checkout.sessions.create(premiumCheckout({ customer_email: 'a@example.com' }));
  const form = new URLSearchParams({ action: 'pay', number: '4242424242424242', expiry: '12/30', cvc: '123' });
  const answer = await fetch(url ?? '', { method: 'POST', body: form, redirect: 'manual' });
  expect(answer.headers.get('location')).toContain(id);
  expect(receiver.received).toEqual([]);
  receiver.url = up;
  await world.sandbox.card.deliver();
  expect(typesOf(verified()).toSorted()).toEqual(PAID);
});

describe('faults', () => {
  test('a dropped event never arrives, but is in the list of events', async () => {
    world.sandbox.card.faults.webhooks.drop = 1;
    await buy();
    await world.sandbox.card.deliver();
    expect(world.receiver.received).toEqual([]);
    expect(typesOf((await world.stripe.events.list({ types: ['checkout.session.completed'] })).data)).toEqual([
      'checkout.session.completed',
    ]);
  });

  test('a duplicated event arrives twice under one id', async () => {
    world.sandbox.card.faults.webhooks.duplicate = 1;
    await buy();
    await world.sandbox.card.deliver();
    const ids = verified().map((event) => event.id);
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(4);
  });

  test('a reordered event arrives after the one that followed it', async () => {
    const { webhooks } = world.sandbox.card.faults;
    webhooks.reorder = 1;
    const first = await world.stripe.customers.create({ email: 'first@example.com' });
    webhooks.reorder = 0;
    const second = await world.stripe.customers.create({ email: 'second@example.com' });
    await world.sandbox.card.deliver();
    expect(verified().map((event) => (event.data.object as Stripe.Customer).id)).toEqual([second.id, first.id]);
  });

  test('a delayed event waits, and is hurried by deliver', async () => {
    Object.assign(world.sandbox.card.faults.webhooks, { delay: 1, delayMs: 600_000 });
    await world.stripe.customers.create({});
    expect(world.receiver.received).toEqual([]);
    await world.sandbox.card.deliver();
    expect(typesOf(verified())).toEqual(['customer.created']);
  });

  test('a forged copy comes first under a wrong signature, and is in the log whatever it was answered', async () => {
    world.sandbox.card.faults.webhooks.forge = 1;
    await world.stripe.customers.create({});
    await world.sandbox.card.idle();
    expect(() => verified()).toThrow(/signature/);
    expect(world.sandbox.card.attempts().map(({ forged, status }) => ({ forged, status }))).toEqual([
      { forged: true, status: 200 },
      { forged: false, status: 200 },
    ]);
  });

  test('the same seed hits the same events', async () => {
    const fates = async (seed: number): Promise<boolean[]> => {
      const one = await createWorld({ seed });
      one.sandbox.card.faults.webhooks.drop = 0.5;
      const ids: string[] = [];
      for (let index = 0; index < 20; index += 1) ids.push((await one.stripe.customers.create({})).id);
      await one.sandbox.card.deliver();
      const arrived = new Set(
        one.receiver.received.map(({ body }) => ((JSON.parse(body) as Stripe.Event).data.object as Stripe.Customer).id),
      );
      await one.close();
      return ids.map((id) => arrived.has(id));
    };
    const [first, again, other] = [await fates(7), await fates(7), await fates(8)];
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
    expect(new Set(first)).toEqual(new Set([true, false]));
  });
});
