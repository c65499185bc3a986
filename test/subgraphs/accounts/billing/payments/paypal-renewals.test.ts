import { expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { planFaults } from '../../../../kit/faults.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startPayPalBilling } from './paypal-world.ts';

const { world, paypal, someone, subscribe, captureOf, run, customerOf } = await startPayPalBilling();
const ordersOf = async (id: string) => (await world.orders(id)).map(({ kind, status }) => [kind, status]);
const renewalOf = async (id: string) => (await world.orders(id)).find(({ kind }) => kind === 'RENEWAL')?.id ?? '';
const attemptsOf = (orderId: string) =>
  paypal
    .orders()
    .filter(({ unit }) => unit.custom_id === orderId)
    .reduce((sum, { attempts }) => sum + attempts, 0);

test('what was bought is renewed by the account that paid, saved with the purchase, once for each period', async () => {
  const ada = await someone();
  const { id } = await subscribe(ada, 'ada@paypal.test');
  const [token] = paypal.tokens();
  expect(await world.row(id)).toMatchObject({ card_id: token?.id });
  expect(await customerOf(ada)).toEqual(expect.objectContaining({ processor_id: token?.customerId, default_card_id: token?.id }));
  await world.toPeriodEnd(id);
  expect(await ordersOf(id)).toEqual([
    ['PURCHASE', 'PAID'],
    ['RENEWAL', 'FULFILLED'],
  ]);
  const renewal = await renewalOf(id);
  expect(captureOf(renewal).amount).toEqual({ currency_code: 'USD', value: '16.99' });
  expect(await world.books(renewal)).toEqual({ PAYPAL: 1_699, REVENUE: -1_699 });
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', failures: 0 });
});

test('a soft decline is tried on days 0, 1, 3 and 5, and a payer who can pay again is renewed', async () => {
  const { id } = await subscribe(await someone(), 'ben@paypal.test');
  paypal.fund('ben@paypal.test', 'INSTRUMENT_DECLINED');
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
  await world.pass(DAY);
  expect(await world.row(id)).toMatchObject({ failures: 2 });
  paypal.fund('ben@paypal.test', 'balance');
  await world.pass(2 * DAY);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', failures: 0 });
  expect(captureOf(await renewalOf(id)).status).toBe('COMPLETED');
});

test('a hard decline is not tried again with the same account', async () => {
  const { id } = await subscribe(await someone(), 'cleo@paypal.test');
  paypal.fund('cleo@paypal.test', 'PAYER_ACCOUNT_LOCKED_OR_CLOSED');
  await world.toPeriodEnd(id);
  const renewal = await renewalOf(id);
  expect(attemptsOf(renewal)).toBe(1);
  await world.pass(4 * DAY);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 3 });
  expect(attemptsOf(renewal)).toBeLessThanOrEqual(1);
});

test('money for a renewal that comes days later is waited for, and renews when it is there', async () => {
  const { id } = await subscribe(await someone(), 'dan@paypal.test');
  paypal.fund('dan@paypal.test', 'echeck');
  await world.toPeriodEnd(id);
  await world.pass(2 * DAY);
  expect(await world.row(id)).toMatchObject({ failures: 0 });
  const renewal = await renewalOf(id);
  paypal.settle(captureOf(renewal).id);
  await world.settle();
  expect(await ordersOf(id)).toEqual([
    ['PURCHASE', 'PAID'],
    ['RENEWAL', 'FULFILLED'],
  ]);
});

test('money for a renewal that was promised and did not come is a failure like any other', async () => {
  const { id } = await subscribe(await someone(), 'eve@paypal.test');
  paypal.fund('eve@paypal.test', 'echeck');
  await world.toPeriodEnd(id);
  paypal.settle(captureOf(await renewalOf(id)).id, 'DECLINED');
  paypal.fund('eve@paypal.test', 'PAYER_CANNOT_PAY');
  await world.settle();
  await world.pass(HOUR, HOUR);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
});

test('a charge whose answer is lost is made once', async () => {
  const { id } = await subscribe(await someone(), 'fay@paypal.test');
  planFaults(paypal.faults.api.next, { fault: 'lost_answer', on: 'POST /v2/checkout/orders/' });
  await world.toPeriodEnd(id);
  await world.pass(2 * HOUR, HOUR);
  expect(await ordersOf(id)).toEqual([
    ['PURCHASE', 'PAID'],
    ['RENEWAL', 'FULFILLED'],
  ]);
  expect(captureOf(await renewalOf(id)).status).toBe('COMPLETED');
});

test('an account that its owner removes at PayPal renews nothing, and its owner is told', async () => {
  const gus = await someone();
  const { id } = await subscribe(gus, 'gus@paypal.test');
  const { card_id: token } = await world.row(id);
  paypal.removeToken(token ?? '');
  await world.settle();
  expect(await world.row(id)).toMatchObject({ card_id: null });
  expect(await customerOf(gus)).toMatchObject({ default_card_id: null });
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
});

test('an account that is saved on PayPal’s page pays what is owed; nobody saves another’s', async () => {
  const hal = await someone();
  const { id } = await subscribe(hal, 'hal@paypal.test');
  paypal.removeToken((await world.row(id)).card_id ?? '');
  await world.settle();
  await world.toPeriodEnd(id);
  const ADD = 'mutation { cardAdd(method: PAYPAL) { url } }';
  const { url } = dataOf<{ url: string }>(await world.ask(hal.viewer, ADD), 'cardAdd');
  const form = new URLSearchParams({ email: 'hal2@paypal.test', funding: 'balance' });
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  const FINISH =
    'mutation ($returned: String!) { cardFinish(method: PAYPAL, returned: $returned) { id method holder brand lastFour isDefault } }';
  const stranger = await someone();
  await subscribe(stranger, 'stranger@paypal.test');
  expect(codeOf(await world.ask(stranger.viewer, FINISH, { returned: back.search }))).toBe('card_not_found');
  const saved = { method: 'PAYPAL', holder: 'hal2@paypal.test', brand: 'paypal', lastFour: '', isDefault: true };
  for (let count = 0; count < 2; count++)
    expect(dataOf(await world.ask(hal.viewer, FINISH, { returned: back.search }), 'cardFinish')).toMatchObject([saved]);
  const PAY = `mutation ($key: String!) { subscriptionPayNow(id: "${id}", idempotencyKey: $key) { status } }`;
  expect(dataOf(await world.ask(hal.viewer, PAY, { key: world.newKey() }), 'subscriptionPayNow')).toEqual({ status: 'ACTIVE' });
});

test('a subscription goes from a card to a PayPal account and back, and each processor keeps its own', async () => {
  const ida = await someone();
  const { id } = await world.subscribe(ida);
  await subscribe(ida, 'ida@paypal.test');
  const CARDS = '{ me { savedCards { id method isDefault } } }';
  const { savedCards } = dataOf<{ savedCards: { id: string; method: string; isDefault: boolean }[] }>(
    await world.ask(ida.viewer, CARDS),
    'me',
  );
  expect(savedCards.map(({ method, isDefault }) => [method, isDefault])).toEqual([
    ['CARD', true],
    ['PAYPAL', true],
  ]);
  const SET =
    'mutation ($id: ID!, $method: PaymentMethod!, $card: ID) { subscriptionSetMethod(id: $id, method: $method, cardId: $card) { status } }';
  const [card, account] = savedCards.map((one) => one.id);
  expect(codeOf(await world.ask(ida.viewer, SET, { id, method: 'PAYPAL', card }))).toBe('card_not_found');
  expect(codeOf(await world.ask(ida.viewer, SET, { id, method: 'PAYPAL', card: account }))).toBeUndefined();
  await world.rest();
  expect(world.sandbox.card.subscriptions().find(({ metadata }) => metadata['subscription_id'] === id)?.status).toBe('canceled');
  await world.toPeriodEnd(id);
  expect(captureOf(await renewalOf(id)).amount.value).toBe('16.99');
  expect(codeOf(await world.ask(ida.viewer, SET, { id, method: 'CARD', card }))).toBeUndefined();
  await run('subscriptions-sweep');
  await world.rest();
  expect(await world.row(id)).toMatchObject({ card_id: card, status: 'ACTIVE' });
});
