// A subscription changes its payment method: between all methods that can renew, also while a renewal waits.
import { expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { expectInvariants } from '../invariants.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';
import { withDesk } from '../with-desk.ts';
import type { Person } from '../world.ts';

const { world, desk } = await withDesk(startSubscriptions());
let people = 0;
const someone = () => world.account(`switches${++people}@example.com`);
const SET =
  'mutation ($id: ID!, $method: PaymentMethod!, $cardId: ID) { subscriptionSetMethod(id: $id, method: $method, cardId: $cardId) { method card { id } } }';
const set = ({ viewer }: Person, id: string, method: string, cardId?: string) => world.ask(viewer, SET, { id, method, cardId });
const renewalOf = async (id: string) => (await world.orders(id)).at(-1);
const payCoins = async (person: Person, orderId: string) => {
  await world.ask(person.viewer, 'mutation ($id: ID!) { orderOpenCheckout(id: $id) { id } }', { id: orderId });
  const checkout = await world.checkoutOf(orderId);
  world.sandbox.crypto.pay(checkout);
  world.sandbox.crypto.confirm(checkout);
  await world.rest();
};

test('from card to coins and back: each renewal is asked for the way that is chosen, and the processor follows', async () => {
  const ada = await someone();
  const { id } = await world.subscribe(ada);
  const { card_id: card } = await world.row(id);
  expect(dataOf(await set(ada, id, 'CRYPTO'), 'subscriptionSetMethod')).toEqual({ method: 'CRYPTO', card: null });
  await world.rest();
  const atProcessor = () =>
    world.sandbox.card.subscriptions().filter(({ metadata, status }) => metadata['subscription_id'] === id && status === 'active').length;
  expect(atProcessor()).toBe(0);
  await world.pass(26 * DAY, 13 * DAY);
  const renewal = await renewalOf(id);
  expect(renewal).toMatchObject({ kind: 'RENEWAL', status: 'PENDING' });
  await payCoins(ada, renewal?.id ?? '');
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', renewal_order_id: null });
  dataOf(await set(ada, id, 'CARD', card ?? ''), 'subscriptionSetMethod');
  await world.rest();
  expect(atProcessor()).toBe(1);
  await world.toPeriodEnd(id);
  expect(await renewalOf(id)).toMatchObject({ status: 'FULFILLED' });
  expect(await world.books((await renewalOf(id))?.id ?? '')).toEqual({ PROCESSOR: 1_699, REVENUE: -1_699 });
  await expectInvariants(world, 'switched');
});

test('a renewal that its card could not pay is paid with coins, and nobody can pay the charge any more', async () => {
  const ben = await someone();
  const { id } = await world.subscribe(ben);
  world.sandbox.card.behave((await world.row(id)).card_id ?? '', '4000000000000341');
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE' });
  dataOf(await set(ben, id, 'CRYPTO'), 'subscriptionSetMethod');
  await world.rest();
  expect(world.sandbox.card.invoices().filter(({ status }) => status === 'open')).toEqual([]);
  await payCoins(ben, (await renewalOf(id))?.id ?? '');
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', failures: 0 });
  await expectInvariants(world, 'from card to coins');
});

test('a renewal that is asked for by transfer can be left to a card, which is charged when the period begins', async () => {
  const cleo = await someone();
  const lines = [{ label: 'Servers', quantity: 1, amountMinor: 120_000 }];
  const { id } = await world.subscribe(cleo, { lines });
  const { card_id: card } = await world.row(id);
  dataOf(await set(cleo, id, 'BANK_TRANSFER'), 'subscriptionSetMethod');
  await world.pass(26 * DAY, 13 * DAY);
  const mail = (await world.mailed(cleo.email)).find(({ subject }) => subject.startsWith('How to transfer 1200.00 USD'));
  expect(mail).toBeDefined();
  dataOf(await set(cleo, id, 'CARD', card ?? ''), 'subscriptionSetMethod');
  await world.rest();
  expect(await renewalOf(id)).toMatchObject({ status: 'PENDING' });
  await world.toPeriodEnd(id);
  await world.pass(2 * HOUR, HOUR);
  expect(await renewalOf(id)).toMatchObject({ status: 'FULFILLED' });
});

test('what cannot pay it is refused with the reason', async () => {
  const dora = await someone();
  const { id } = await world.subscribe(dora);
  expect(codeOf(await set(dora, id, 'BANK_TRANSFER'))).toBe('bank_transfer_too_small');
  expect(codeOf(await set(dora, id, 'CARD', 'pm_nobodys'))).toBe('card_not_found');
  expect(codeOf(await set(desk, id, 'CRYPTO'))).toBe('subscription_not_found');
  await world.ask(dora.viewer, `mutation { subscriptionCancel(id: "${id}") { id } }`);
  await world.pass(32 * DAY, 8 * DAY);
  expect(codeOf(await set(dora, id, 'CRYPTO'))).toBe('action_not_allowed');
});
