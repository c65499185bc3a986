// How we learn that an order was paid: by webhook, by asking the processor, and also when the order was cancelled meanwhile.
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { codeOf, SECRETS } from '../../world.ts';
import { orderRows } from '../../../../kit/order-rows.ts';
import { checkoutOf, rowsOf } from '../../../../kit/tables.ts';
import { openCardOrders, world, CANCEL, placed, stateOf, pay, settle, paidEvents, paymentsOf } from '../orders/card-orders.ts';
import { setFaults } from '../../../../kit/faults.ts';

openCardOrders();

test('notices that come twice, late, out of order and with forged copies pay an order once', async () => {
  const undo = setFaults(world.sandbox.card.faults.webhooks, { duplicate: 1, delay: 0.5, reorder: 0.5, forge: 1 });
  const { viewer } = await world.account('hal@example.com');
  const orders = await Promise.all(Array.from({ length: 3 }, () => placed(viewer)));
  for (const { id } of orders) await pay(id);
  await settle();
  undo();
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
  const undo = setFaults(world.sandbox.card.faults.webhooks, { drop: 1 });
  const { viewer } = await world.account('jan@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await settle();
  undo();
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PENDING' });
  world.clock.advance(3 * MINUTE);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await paidEvents(order.id)).toHaveLength(1);
});

test('it is found in its turn, however many others wait that the processor knows nothing of', async () => {
  const undo = setFaults(world.sandbox.card.faults.webhooks, { drop: 1 });
  const { viewer } = await world.account('jin@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await settle();
  undo();
  await orderRows(world.query).addUnknown(order.id, 250);
  world.clock.advance(3 * MINUTE);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PENDING' });
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
  await orderRows(world.query).removeUnknown();
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
  const { viewer } = await world.account('max@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await world.ask(viewer, CANCEL, { id: order.id });
  await settle();
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
  expect(await paidEvents(order.id)).toHaveLength(1);
});

test('a payment after a cancellation whose notice never comes is found by asking', async () => {
  const undo = setFaults(world.sandbox.card.faults.webhooks, { drop: 1 });
  const { viewer } = await world.account('moe@example.com');
  const order = await placed(viewer);
  await pay(order.id);
  await world.ask(viewer, CANCEL, { id: order.id });
  await settle();
  undo();
  world.clock.advance(3 * MINUTE);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await stateOf(viewer, order.id)).toMatchObject({ status: 'PAID' });
});
