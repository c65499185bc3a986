import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { CRYPTO_VALID_MS } from '../../../../../subgraphs/accounts/billing/payments/providers/crypto/crypto.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type SubscriptionWorld, startSubscriptions } from '../subscriptions/subscription-world.ts';
import type { Person } from '../world.ts';
import { placeOrder } from '../../../../kit/purchase.ts';

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions();
});
afterAll(() => world.close());

const PLACE = placeOrder('id', 'CRYPTO');
const payCoins = async (orderId: string, amount?: string) => {
  const invoice = await world.checkoutOf(orderId);
  world.sandbox.crypto.pay(invoice, amount === undefined ? {} : { amount });
  world.sandbox.crypto.confirm(invoice);
  await world.rest();
};
const open = ({ viewer }: Person, id: string) =>
  world.ask(viewer, 'mutation ($id: ID!) { orderOpenCheckout(id: $id) { checkoutUrl crypto { state } } }', { id });
const opened = async (person: Person, id: string) =>
  dataOf<{ checkoutUrl: string | null; crypto: { state: string } }>(await open(person, id), 'orderOpenCheckout');
const pass = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  world.sandbox.crypto.tick();
  await world.rest();
};

/** A subscription bought with coins, seven days before its end, whose renewal waits for payment. */
async function withRenewal(email: string) {
  const person = await world.account(email);
  const id = world.newSubscription();
  const { id: first } = dataOf<{ id: string }>(
    await world.ask(person.viewer, PLACE, { offer: world.offer(person.id, world.termsOf({ id })), key: world.newKey() }),
    'orderPlace',
  );
  await payCoins(first);
  await world.pass(24 * DAY + HOUR, 8 * DAY);
  const [, renewal] = await world.orders(id);
  return { person, id, renewal: renewal?.id ?? '' };
}

test('the rate of a renewal is given when its owner wants to pay, for an hour; confirmed coins renew', async () => {
  const { person, id, renewal } = await withRenewal('ada@example.com');
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await world.checkoutOf(renewal)).toBe('');
  const { checkoutUrl } = await opened(person, renewal);
  expect((await opened(person, renewal)).checkoutUrl).toBe(checkoutUrl);
  await payCoins(renewal);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', renewal_order_id: null });
  expect((await world.row(id)).current_period_end.getTime() - world.clock.now().getTime()).toBeGreaterThan(28 * DAY);
  expect(await world.books(renewal)).toEqual({ CRYPTO: 1_699, REVENUE: -1_699 });
  expect(codeOf(await open(person, renewal))).toBe('order_not_pending');
});

test('an hour that passes leaves the renewal waiting: what came is set aside for it, and the next checkout asks for the rest', async () => {
  const { person, id, renewal } = await withRenewal('ben@example.com');
  const { checkoutUrl: first } = await opened(person, renewal);
  await payCoins(renewal, '10');
  const early = await world.checkoutOf(renewal);
  await pass(CRYPTO_VALID_MS);
  const [, waiting] = await world.orders(id);
  expect(waiting).toMatchObject({ status: 'PENDING', checkout_url: null, total_minor: '699' });
  expect(await world.balance(person)).toBe(0);
  const second = await opened(person, renewal);
  expect(second.checkoutUrl).not.toBe(first);
  expect(second.crypto.state).toBe('WAITING');
  // Coins sent to the earlier address still count for their owner.
  world.sandbox.crypto.pay(early, { amount: '3' });
  world.sandbox.crypto.confirm(early);
  await world.rest();
  expect((await world.orders(id))[1]).toMatchObject({ checkout_url: null, total_minor: '399' });
  await opened(person, renewal);
  await payCoins(renewal);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', renewal_order_id: null });
  expect(await world.balance(person)).toBe(0);
});

test('coins for a renewal whose subscription has ended become credit', async () => {
  const { person, id, renewal } = await withRenewal('cleo@example.com');
  await opened(person, renewal);
  const invoice = await world.checkoutOf(renewal);
  world.sandbox.crypto.pay(invoice);
  await world.rest();
  dataOf(await world.ask(person.viewer, `mutation { subscriptionCancel(id: "${id}") { id } }`), 'subscriptionCancel');
  await world.pass(8 * DAY, 2 * DAY);
  world.sandbox.crypto.confirm(invoice);
  await world.rest();
  await world.platform.queue.runNow('accounts.crypto-watch');
  expect(await world.row(id)).toMatchObject({ status: 'CANCELED' });
  expect(await world.balance(person)).toBe(1_699);
});

test('an order of somebody else has no checkout to open', async () => {
  const { renewal } = await withRenewal('dan@example.com');
  expect(codeOf(await open(await world.account('mallory@example.com'), renewal))).toBe('order_not_found');
});
