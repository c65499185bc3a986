// A renewal that waits while money comes by other ways: later credit, a bank transfer in parts, coins in parts. Whoever has paid all of it keeps the service.
import { expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { dataOf } from '../../world.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { type Person } from '../world.ts';
import { withDesk } from '../with-desk.ts';
import { expectInvariants } from '../invariants.ts';
import { CRYPTO_VALID_MS } from '../../../../../subgraphs/accounts/billing/payments/providers/crypto/crypto.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';

const { world, desk } = await withDesk(startSubscriptions({ TRANSFER_SHORTFALL_MAX: '0' }));
const FAILS_LATER = '4000000000000341';
const GOOD = '4242424242424242';
/** The charges to the card of a subscription. */
const chargesOf = (id: string) => {
  const { customer } = world.sandbox.card.subscriptions().find(({ metadata }) => metadata['subscription_id'] === id) ?? {};
  return world.sandbox.card.charges().filter((charge) => charge.customer === customer);
};
let people = 0;
const someone = () => world.account(`covered${++people}@example.com`);

const COSTS = 120_000;
let transfers = 0;
const confirm = async (orderId: string, amountMinor: number) => {
  const answer = await world.ask(
    desk.viewer,
    'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { id status total { amountMinor } } }',
    { input: { orderId, amountMinor, bankReference: `part ${++transfers}`, idempotencyKey: world.newKey() } },
  );
  await world.rest();
  return dataOf<{ status: string; total: { amountMinor: number } }>(answer, 'supportTransferConfirm');
};

/** A subscription of 1,200.00 a month, or of `amountMinor`, bought and renewed by `method`. */
async function subscribed(person: Person, method: 'BANK_TRANSFER' | 'CRYPTO', amountMinor = COSTS) {
  const id = world.newSubscription();
  const terms = world.termsOf({ id, lines: [{ label: 'Servers', quantity: 1, amountMinor }] });
  const { id: orderId } = dataOf<{ id: string }>(
    await world.ask(person.viewer, placeOrder('id', method), { offer: world.offer(person.id, terms), key: world.newKey() }),
    'orderPlace',
  );
  if (method === 'BANK_TRANSFER') await confirm(orderId, amountMinor);
  else await payCoins(orderId);
  return id;
}
async function payCoins(orderId: string, amount?: string) {
  const checkout = await world.checkoutOf(orderId);
  world.sandbox.crypto.pay(checkout, amount === undefined ? {} : { amount });
  world.sandbox.crypto.confirm(checkout);
  await world.rest();
}
const renewalOf = async (id: string) => (await world.orders(id)).at(-1)?.id ?? '';

test('a renewal by transfer that comes in two parts is paid by both, and nothing is left over', async () => {
  const ada = await someone();
  const id = await subscribed(ada, 'BANK_TRANSFER');
  await world.pass(26 * DAY, 13 * DAY);
  const renewal = await renewalOf(id);
  expect(await confirm(renewal, COSTS - 50)).toMatchObject({ status: 'PENDING', total: { amountMinor: 50 } });
  expect(await world.balance(ada)).toBe(0);
  await world.pass(DAY);
  expect(await confirm(renewal, 50)).toMatchObject({ status: 'FULFILLED' });
  expect(await world.balance(ada)).toBe(0);
  await world.pass(20 * DAY, DAY);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE' });
  expect((await world.books(renewal))['REVENUE']).toBe(-COSTS);
  await expectInvariants(world, 'in parts');
});

test('the rest of a renewal that comes by no transfer at all is paid by credit that support gives', async () => {
  const ben = await someone();
  const id = await subscribed(ben, 'BANK_TRANSFER');
  await world.pass(26 * DAY, 13 * DAY);
  await confirm(await renewalOf(id), COSTS - 50);
  await world.grant(ben.id, 50, desk.viewer);
  await world.rest();
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', renewal_order_id: null });
});

test('credit that arrives while a card renewal is past due pays it at once, and the charge of the card is void', async () => {
  const cleo = await someone();
  const { id } = await world.subscribe(cleo);
  world.sandbox.card.behave((await world.row(id)).card_id ?? '', FAILS_LATER);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE' });
  await world.grant(cleo.id, 5_000, desk.viewer);
  await world.rest();
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', failures: 0, renewal_order_id: null });
  expect(await world.balance(cleo)).toBe(5_000 - 1_699);
  expect(world.sandbox.card.invoices().filter(({ status }) => status === 'open')).toEqual([]);
  await world.pass(14 * DAY);
  expect(await world.facts(id)).toEqual(['started', 'past_due', 'renewed']);
  await expectInvariants(world, 'granted');
});

test('credit for a part of a card renewal leaves the rest to the card, which is charged exactly that', async () => {
  const dan = await someone();
  const { id } = await world.subscribe(dan);
  const card = (await world.row(id)).card_id ?? '';
  world.sandbox.card.behave(card, FAILS_LATER);
  await world.toPeriodEnd(id);
  await world.grant(dan.id, 700, desk.viewer);
  await world.rest();
  const renewal = await renewalOf(id);
  expect((await world.orders(id)).at(-1)).toMatchObject({ status: 'PENDING', total_minor: '999', credit_minor: '700' });
  world.sandbox.card.behave(card, GOOD);
  await world.pass(DAY);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE' });
  expect((await world.books(renewal))['PROCESSOR']).toBe(999);
  expect(await world.balance(dan)).toBe(0);
  await expectInvariants(world, 'in part');
});

test('a renewal that its owner pays while credit arrives is paid once, by the card or by the credit', async () => {
  const eva = await someone();
  const { id } = await world.subscribe(eva);
  const card = (await world.row(id)).card_id ?? '';
  world.sandbox.card.behave(card, FAILS_LATER);
  await world.toPeriodEnd(id);
  world.sandbox.card.behave(card, GOOD);
  const PAY = `mutation ($key: String!) { subscriptionPayNow(id: "${id}", idempotencyKey: $key) { status } }`;
  await Promise.all([world.ask(eva.viewer, PAY, { key: world.newKey() }), world.grant(eva.id, 5_000, desk.viewer)]);
  await world.rest();
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', renewal_order_id: null });
  const taken = chargesOf(id).reduce((sum, { paid, amount }) => sum + (paid ? amount : 0), 0) - 1_699;
  expect([0, 1_699]).toContain(taken);
  expect(await world.balance(eva)).toBe(5_000 - 1_699 + taken);
  await expectInvariants(world, 'at once');
});

test('coins for a renewal that come in two parts, an hour between them, pay it together', async () => {
  const fay = await someone();
  const id = await subscribed(fay, 'CRYPTO', 1_699);
  await world.pass(26 * DAY, 13 * DAY);
  const renewal = await renewalOf(id);
  const open = () => world.ask(fay.viewer, 'mutation ($id: ID!) { orderOpenCheckout(id: $id) { total { amountMinor } } }', { id: renewal });
  await open();
  await payCoins(renewal, '10');
  world.clock.advance(CRYPTO_VALID_MS + HOUR);
  world.sandbox.crypto.tick();
  await world.rest();
  expect(dataOf(await open(), 'orderOpenCheckout')).toEqual({ total: { amountMinor: 699 } });
  await payCoins(renewal);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', renewal_order_id: null });
  expect(await world.balance(fay)).toBe(0);
  await expectInvariants(world, 'coins in parts');
});

test('credit that arrives while a checkout of coins is open closes it, and coins sent to it all the same are credit', async () => {
  const gus = await someone();
  const id = await subscribed(gus, 'CRYPTO', 1_699);
  await world.pass(26 * DAY, 13 * DAY);
  const renewal = await renewalOf(id);
  await world.ask(gus.viewer, 'mutation ($id: ID!) { orderOpenCheckout(id: $id) { id } }', { id: renewal });
  const checkout = await world.checkoutOf(renewal);
  await world.grant(gus.id, 2_000, desk.viewer);
  await world.rest();
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', renewal_order_id: null });
  world.sandbox.crypto.pay(checkout);
  world.sandbox.crypto.confirm(checkout);
  await world.rest();
  await world.platform.queue.runNow('accounts.crypto-watch');
  expect(await world.balance(gus)).toBe(2_000);
  await expectInvariants(world, 'coins beside credit');
});
