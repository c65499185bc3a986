import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import type { Viewer } from '#platform/identity.ts';
import { OFFER_VALID_MS } from '#commerce/offers.ts';
import { keyOf } from '../../../../kit/platform.ts';
import { type AccountsWorld, codeOf, SECRETS, startAccounts, visitor } from '../../world.ts';
import { checkoutOf, rowOf, rowsOf } from '../../../../kit/tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const PLACE = `mutation ($offer: String!, $idempotencyKey: String!) {
  orderPlace(offer: $offer, method: CARD, idempotencyKey: $idempotencyKey) { id status checkoutUrl total { amountMinor currency } }
}`;
const CANCEL = 'mutation ($id: ID!) { orderCancel(id: $id) { id status checkoutUrl } }';
const ORDER =
  'query ($id: ID!) { order(id: $id) { id status title paidAt fulfilledAt resourceId lines { label quantity amount { amountMinor } } } }';

interface Placed {
  id: string;
  status: string;
  checkoutUrl: string | null;
}

let keys = 0;
const place = (viewer: Viewer, offer: string, idempotencyKey = `key-${String(++keys).padStart(8, '0')}`) =>
  world.ask(viewer, PLACE, { offer, idempotencyKey });
const placed = async (viewer: Viewer & { accountId?: string }): Promise<Placed> =>
  (await place(viewer, world.offer(viewer.accountId ?? ''))).data?.['orderPlace'] as Placed;
const stateOf = async (viewer: Viewer, id: string) => (await world.ask(viewer, ORDER, { id })).data?.['order'] as Record<string, unknown>;
const pay = async (orderId: string, card?: string) => world.sandbox.card.payCheckout(await checkoutOf(world.query, orderId), card);
/** Notices have arrived and been acted on. */
const settle = async () => {
  await world.sandbox.card.deliver();
  await world.platform.queue.drain();
};
const paidEvents = (orderId: string) =>
  rowsOf(world.query, 'platform.event', { type: 'order.paid', subject: orderId }, { columns: 'data' });
const paymentsOf = (orderId: string) =>
  rowsOf(world.query, 'accounts.payment', { order_id: orderId }, { columns: 'amount_minor, processor_id' });

test('a signed offer becomes an order at its price, paid by card, announced to its seller once, with a mail', async () => {
  const { viewer } = await world.account('ada@example.com');
  const order = await placed(viewer);
  expect(order).toMatchObject({ status: 'PENDING', total: { amountMinor: 2_500, currency: 'USD' } });
  expect(order.checkoutUrl).toContain(world.sandbox.urls.card);
  await pay(order.id);
  await settle();
  expect(await stateOf(viewer, order.id)).toMatchObject({
    status: 'PAID',
    title: 'Premium, 5 GB',
    lines: [{ label: 'Premium, 5 GB', quantity: 5, amount: { amountMinor: 2_500 } }],
  });
  expect(await paidEvents(order.id)).toEqual([
    { data: expect.objectContaining({ seller: 'residential', fulfil: { product: 'PREMIUM', bytes: '5000000000' } }) },
  ]);
  expect(await paymentsOf(order.id)).toEqual([{ amount_minor: '2500', processor_id: expect.stringMatching(/^pi_/) }]);
  expect((await world.mailed('ada@example.com')).map((mail) => mail.subject)).toEqual(['Paid: Premium, 5 GB']);
});

test('twenty calls at once with one idempotency key make one order and one checkout', async () => {
  const { id, viewer } = await world.account('bob@example.com');
  const offer = world.offer(id);
  const before = world.sandbox.card.sessions().length;
  const answers = await Promise.all(Array.from({ length: 20 }, () => place(viewer, offer, 'bob-buys-once')));
  const refused = answers.map(codeOf).filter((code) => code !== undefined);
  expect(refused.length).toBeLessThan(20);
  expect(refused).toEqual(refused.map(() => 'idempotency_in_flight'));
  const last = JSON.stringify(await place(viewer, offer, 'bob-buys-once'));
  for (const answer of answers) if (!codeOf(answer)) expect(JSON.stringify(answer)).toBe(last);
  expect(world.sandbox.card.sessions()).toHaveLength(before + 1);
  expect(await rowsOf(world.query, 'accounts.customer_order', { account_id: id })).toHaveLength(1);
});

test('the same key with another offer, and another key with the same offer, are refused', async () => {
  const { id, viewer } = await world.account('cat@example.com');
  const offer = world.offer(id);
  await place(viewer, offer, 'cat-buys-one');
  expect(codeOf(await place(viewer, world.offer(id), 'cat-buys-one'))).toBe('idempotency_conflict');
  expect(codeOf(await place(viewer, offer, 'cat-buys-two'))).toBe('offer_ordered');
  expect(codeOf(await place(viewer, offer, 'short'))).toBe('parameter_invalid');
});

test('an offer that was ordered already answers its owner with its order, which can still be paid, and a stranger with nothing', async () => {
  const { id, viewer } = await world.account('cora@example.com');
  const stranger = await world.account('cyd@example.com');
  const offer = world.offer(id);
  const order = (await place(viewer, offer)).data?.['orderPlace'] as Placed;
  const OPEN = 'mutation ($id: ID!) { orderOpenCheckout(id: $id) { id status checkoutUrl } }';
  const PREVIEW = 'query ($offer: String!) { orderPreview(offer: $offer) { toPay { amountMinor } } }';
  const named = expect.objectContaining({ code: 'offer_ordered', orderId: order.id });
  const extensionsOf = async (answer: ReturnType<typeof place>) => (await answer).errors?.[0]?.extensions;
  expect(await extensionsOf(place(viewer, offer))).toEqual(named);
  expect(await extensionsOf(world.ask(viewer, PREVIEW, { offer }))).toEqual(named);
  // The page may be reopened when the offer is long over, while its order still waits.
  world.clock.advance(OFFER_VALID_MS);
  expect(await extensionsOf(place(viewer, offer))).toEqual(named);
  expect(await extensionsOf(place(stranger.viewer, offer))).toEqual(expect.objectContaining({ code: 'offer_invalid' }));
  expect(await extensionsOf(place(stranger.viewer, offer))).not.toHaveProperty('orderId');
  expect((await world.ask(viewer, OPEN, { id: order.id })).data?.['orderOpenCheckout']).toEqual({
    id: order.id,
    status: 'PENDING',
    checkoutUrl: order.checkoutUrl,
  });
  await pay(order.id);
  await settle();
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
});

test('of two tabs that order one offer at once, the one that comes second is told of the order of the first', async () => {
  const { id, viewer } = await world.account('cleo@example.com');
  const offer = world.offer(id);
  const answers = await Promise.all([place(viewer, offer), place(viewer, offer), place(viewer, offer)]);
  const orders = answers.flatMap(({ data }) => (data?.['orderPlace'] ? [data['orderPlace'] as Placed] : []));
  expect(orders).toHaveLength(1);
  expect(answers.flatMap(({ errors }) => errors?.map(({ extensions }) => extensions?.['orderId']) ?? [])).toEqual([
    orders[0]?.id,
    orders[0]?.id,
  ]);
});

test("an altered offer, another account's, and one that is over are refused", async () => {
  const { id, viewer } = await world.account('dan@example.com');
  const other = await world.account('dora@example.com');
  const offer = world.offer(id);
  const [body = '', signature = ''] = offer.split('.');
  const cheaper = Buffer.from(Buffer.from(body, 'base64url').toString().replaceAll('2500', '0100')).toString('base64url');
  expect(codeOf(await place(viewer, `${cheaper}.${signature}`))).toBe('offer_invalid');
  expect(codeOf(await place(viewer, 'nonsense'))).toBe('offer_invalid');
  expect(codeOf(await place(other.viewer, offer))).toBe('offer_invalid');
  world.clock.advance(OFFER_VALID_MS);
  expect(codeOf(await place(viewer, offer))).toBe('offer_expired');
});

test("orders need a person: no key and no stranger places one, and another account's is not found", async () => {
  const { id, viewer } = await world.account('eve@example.com');
  const other = await world.account('fay@example.com');
  expect(codeOf(await place(keyOf(id), world.offer(id)))).toBe('forbidden');
  expect(codeOf(await place(visitor(), world.offer(id)))).toBe('session_invalid');
  const order = await placed(viewer);
  expect(await stateOf(other.viewer, order.id)).toBeNull();
  expect(codeOf(await world.ask(other.viewer, CANCEL, { id: order.id }))).toBe('order_not_found');
});

test('a declined card leaves the order waiting, and the next card pays it', async () => {
  const { viewer } = await world.account('gil@example.com');
  const order = await placed(viewer);
  expect(await pay(order.id, '4000000000000002')).toMatchObject({ outcome: 'declined' });
  await settle();
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PENDING' });
  await pay(order.id);
  await settle();
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
});

test('notices that come twice, late, out of order and with forged copies pay an order once', async () => {
  const faults = world.sandbox.card.faults.webhooks;
  Object.assign(faults, { duplicate: 1, delay: 0.5, reorder: 0.5, forge: 1 });
  const { viewer } = await world.account('hal@example.com');
  const orders = await Promise.all(Array.from({ length: 3 }, () => placed(viewer)));
  for (const { id } of orders) await pay(id);
  await settle();
  Object.assign(faults, { duplicate: 0, delay: 0, reorder: 0, forge: 0 });
  for (const { id } of orders) {
    expect(await stateOf(viewer, id)).toMatchObject({ status: 'PAID' });
    expect(await paidEvents(id)).toHaveLength(1);
    expect(await paymentsOf(id)).toHaveLength(1);
  }
  expect(
    world.sandbox.card
      .attempts()
      .filter((attempt) => attempt.forged)
      .map((attempt) => attempt.status),
  ).toEqual(expect.arrayContaining([400]));
  expect(world.sandbox.card.attempts().some((attempt) => attempt.forged && attempt.status === 200)).toBe(false);
});

test('a notice is stored once however often it is delivered, and refused when it is old, from the future, altered or of another secret', async () => {
  const { viewer } = await world.account('ida@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await settle();
  const event = world.sandbox.card.events().at(-1);
  const payload = JSON.stringify(event, null, 2);
  const seconds = Math.floor(world.clock.now().getTime() / 1_000);
  const send = async (timestamp: number, more: { secret?: string; body?: string } = {}) => {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: more.secret ?? SECRETS.webhookSecret, timestamp });
    const answer = await fetch(`${world.url}/webhooks/card`, {
      method: 'POST',
      body: more.body ?? payload,
      headers: { 'stripe-signature': signature },
    });
    return { status: answer.status, ...((await answer.json()) as { stored?: boolean; code?: string }) };
  };
  const stored = await rowsOf(world.query, 'accounts.inbox', {}, { columns: 'notice_id' });
  expect(await send(seconds)).toEqual({ status: 200, stored: false });
  expect(await send(seconds - 300)).toEqual({ status: 200, stored: false });
  expect(await send(seconds + 300)).toEqual({ status: 200, stored: false });
  for (const attempt of [
    send(seconds - 301),
    send(seconds + 301),
    send(seconds, { secret: 'whsec_other' }),
    send(seconds, { body: payload.replace('2500', '0100') }),
    send(seconds, { body: '' }),
  ])
    expect(await attempt).toMatchObject({ status: 400, code: 'signature_invalid' });
  expect(await rowsOf(world.query, 'accounts.inbox', {}, { columns: 'notice_id' })).toEqual(stored);
  expect(await paidEvents(order.id)).toHaveLength(1);
});

test('a payment whose notice never comes is found by asking', async () => {
  world.sandbox.card.faults.webhooks.drop = 1;
  const { viewer } = await world.account('jan@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await settle();
  world.sandbox.card.faults.webhooks.drop = 0;
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PENDING' });
  world.clock.advance(3 * MINUTE);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await paidEvents(order.id)).toHaveLength(1);
});

test('it is found in its turn, however many others wait that the processor knows nothing of', async () => {
  world.sandbox.card.faults.webhooks.drop = 1;
  const { viewer } = await world.account('jin@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await settle();
  world.sandbox.card.faults.webhooks.drop = 0;
  await world.query(
    `insert into accounts.customer_order select (jsonb_populate_record(o, jsonb_build_object(
       'id', o.id || n, 'offer_id', o.offer_id || n, 'idempotency_key', o.idempotency_key || n, 'checkout_id', 'cs_unknown_' || n,
       'placed_at', o.placed_at - interval '1 minute'))).* from accounts.customer_order o, generate_series(1, 250) n where o.id = $1`,
    [order.id],
  );
  world.clock.advance(3 * MINUTE);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PENDING' });
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
  await world.query(`delete from accounts.customer_order where checkout_id like 'cs_unknown_%'`);
});

test('an order that is not paid in time expires, and its checkout with it', async () => {
  const { viewer } = await world.account('kim@example.com');
  const order = await placed(viewer);
  world.clock.advance(36 * MINUTE);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  await settle();
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'EXPIRED' });
  const checkout = await checkoutOf(world.query, order.id);
  expect(world.sandbox.card.sessions().find(({ id }) => id === checkout)?.status).toBe('expired');
});

test('a cancelled order closes its checkout', async () => {
  const { viewer } = await world.account('lea@example.com');
  const order = await placed(viewer);
  expect(await world.ask(viewer, CANCEL, { id: order.id })).toEqual({
    data: { orderCancel: { id: order.id, status: 'CANCELLED', checkoutUrl: null } },
  });
  await settle();
  const checkout = await checkoutOf(world.query, order.id);
  expect(world.sandbox.card.sessions().find(({ id }) => id === checkout)?.status).toBe('expired');
  expect(codeOf(await world.ask(viewer, CANCEL, { id: order.id }))).toBe('order_not_pending');
});

test('an order that was cancelled while its payment was under way is paid and delivered, not kept for nothing', async () => {
  world.sandbox.card.faults.webhooks.reorder = 0;
  const { viewer } = await world.account('max@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await world.ask(viewer, CANCEL, { id: order.id });
  await settle();
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
  expect(await paidEvents(order.id)).toHaveLength(1);
});

test('a payment after a cancellation whose notice never comes is found by asking', async () => {
  world.sandbox.card.faults.webhooks.drop = 1;
  const { viewer } = await world.account('moe@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await world.ask(viewer, CANCEL, { id: order.id });
  await settle();
  world.sandbox.card.faults.webhooks.drop = 0;
  world.clock.advance(3 * MINUTE);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
});

test("the seller's delivery fulfils the order, once, and names what was delivered", async () => {
  const { id, viewer } = await world.account('ned@example.com');
  const order = await placed(viewer);
  const delivered = (subject: string) =>
    appendEvents(world.context().em, {
      type: 'residential_plan.created',
      at: world.clock.now(),
      accountId: id,
      subject,
      data: { orderId: order.id, planId: subject, product: 'PREMIUM', bytes: '5000000000' },
    });
  await delivered('plan_too_early');
  await world.subgraph.reader.drain();
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PENDING' });
  await pay(order.id);
  await settle();
  await delivered('plan_1');
  await delivered('plan_2');
  await world.subgraph.reader.drain();
  expect(await stateOf(viewer, order.id)).toMatchObject({
    status: 'FULFILLED',
    resourceId: 'plan_1',
    fulfilledAt: world.clock.now().toISOString(),
  });
});

test('a processor that answers with trouble delays the checkout; the next look opens it', async () => {
  const { viewer } = await world.account('pia@example.com');
  const { api } = world.sandbox.card.faults;
  const on = 'POST /v1/checkout/sessions';
  api.next.push({ fault: 'error_before_effect', on }, { fault: 'error_before_effect', on }, { fault: 'error_before_effect', on });
  const refused = await place(viewer, world.offer(viewer.kind === 'session' ? viewer.accountId : ''), 'pia-buys-once');
  expect(codeOf(refused)).toBe('vendor_unavailable');
  const row = await rowOf<{ id: string }>(world.query, 'accounts.customer_order', { idempotency_key: 'pia-buys-once' });
  world.clock.advance(3 * MINUTE);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await checkoutOf(world.query, row?.id ?? '')).toMatch(/^cs_/);
});

test('an open page hears of every change of its order', async () => {
  const { viewer } = await world.account('quy@example.com');
  const order = await placed(viewer);
  const query = 'subscription ($id: ID!) { orderChanged(id: $id) { status } }';
  const stream = await world.source.subscribe({ query, variables: { id: order.id } }, viewer);
  if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream));
  const states = stream[Symbol.asyncIterator]();
  const nextStatus = async () => ((await states.next()).value as { data: { orderChanged: { status: string } } }).data.orderChanged.status;
  expect(await nextStatus()).toBe('PENDING');
  await pay(order.id);
  let status = 'PENDING';
  while (status === 'PENDING') status = await nextStatus();
  expect(status).toBe('PAID');
  await states.return?.();
  const stranger = await world.account('rob@example.com');
  const refused = await world.source.subscribe({ query, variables: { id: order.id } }, stranger.viewer);
  expect(Symbol.asyncIterator in refused ? undefined : codeOf(refused)).toBe('order_not_found');
});
