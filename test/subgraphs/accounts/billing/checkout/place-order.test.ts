// From a signed offer to a paid and delivered order.
import { expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { OFFER_VALID_MS } from '#commerce/offers.ts';
import { keyOf } from '../../../../kit/platform.ts';
import { codeOf, visitor } from '../../world.ts';
import { checkoutOf, rowOf, rowsOf } from '../../../../kit/tables.ts';
import {
  openCardOrders,
  world,
  CANCEL,
  type Placed,
  place,
  placed,
  stateOf,
  pay,
  settle,
  paidEvents,
  paymentsOf,
} from '../orders/card-orders.ts';
import { planFaults } from '../../../../kit/faults.ts';

openCardOrders();

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
  // The checkout page may be opened again after the offer has expired, while the order still waits.
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
  planFaults(api.next, { fault: 'error_before_effect', on }, { fault: 'error_before_effect', on }, { fault: 'error_before_effect', on });
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
