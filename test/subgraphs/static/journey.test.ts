// The life of a static plan as its customer sees it, through the whole platform and the sandbox's card processor.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { importInventory } from '../../../subgraphs/static/inventory/services/import-inventory.ts';
import type { SeededAccount } from '../../kit/seed.ts';
import { askAs } from '../../kit/dashboard.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { checkoutAt, orderAndPay, orderOf, placeOrder } from '../../kit/purchase.ts';
import { rowOf, tell } from '../../kit/tables.ts';
import { staticTables } from './tables.ts';

/** A test card that can be attached, and is declined when it is charged. */
const FAILS_LATER = '4000000000000341';
const GOOD = '4242424242424242';

let stack: Stack;
let tables: ReturnType<typeof staticTables>;
let person: SeededAccount;
let cookie: string;
let authorization: string;

beforeAll(async () => {
  stack = await startStack({ environment: { ADDRESS_REST_HOURS: '48', STATIC_DELIVERY_HOURS: '2' } });
  tables = staticTables(stack.database.query);
  const line = (index: number) => `203.0.113.${index},8000,isp-northline,Frankfurt`;
  await importInventory(
    stack.subgraphs.static.systemContext('test'),
    ['ip,port,product,location', ...Array.from({ length: 40 }, (_, index) => line(index + 1))].join('\n'),
  );
});
beforeEach(async () => {
  person = await stack.seed.account();
  cookie = await person.cookie();
  ({ authorization } = await person.apiKey());
});
afterAll(() => stack.close());

async function ask(query: string, variables: Record<string, unknown> = {}): Promise<any> {
  // A new session each time, as this test lets more time pass than a session lasts.
  cookie = await person.cookie();
  return askAs(stack.url, cookie)(query, variables);
}

async function order(token: string, meanwhile?: () => Promise<void>) {
  const { id } = await orderAndPay(stack, ask, token, meanwhile);
  await rest();
  return orderOf(ask, id);
}

async function rest(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    stack.sandbox.card.tick();
    await stack.platform.queue.runNow('accounts.subscriptions-sweep');
    await stack.settle();
  }
}

async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= DAY) {
    stack.clock.advance(Math.min(left, DAY));
    await rest();
  }
}

const offer = async (quantity: number) =>
  (
    await ask(
      'mutation ($quantity: Int!) { staticOfferMake(productId: "isp-northline", quantity: $quantity) { token total { amountMinor } } }',
      { quantity },
    )
  ).staticOfferMake;

async function buy(quantity: number): Promise<string> {
  const { status, resourceId } = await order((await offer(quantity)).token);
  expect(status).toBe('FULFILLED');
  return resourceId ?? '';
}

const plan = async (id: string) =>
  (
    await ask(
      'query ($id: ID!) { staticPlan(id: $id) { status quantity proxies billing { id status currentPeriodEnd cancelAtPeriodEnd } } }',
      { id },
    )
  ).staticPlan;
const rest1 = async (path: string) =>
  ((await (await fetch(`${stack.url}${path}`, { headers: { authorization } })).json()) as { data: any }).data;
const cardOf = async (subscriptionId: string) =>
  (await rowOf<{ card_id: string }>(stack.database.query, 'accounts.billing_subscription', { id: subscriptionId }))?.card_id ?? '';
const toPeriodEnd = async (id: string) => {
  stack.clock.set(new Date(Date.parse((await plan(id)).billing.currentPeriodEnd) + 2 * MINUTE));
  await rest();
};

describe('a customer', () => {
  test('buys, has the addresses seconds after the payment, and reads the same over REST and the graph', async () => {
    expect((await offer(3)).total.amountMinor).toBe(720);
    const id = await buy(3);
    const bought = await plan(id);
    expect(bought).toMatchObject({ status: 'ACTIVE', quantity: 3, billing: { status: 'ACTIVE', cancelAtPeriodEnd: false } });
    expect(bought.proxies).toHaveLength(3);
    expect((await rest1('/v1/static/isp')).plans).toEqual([{ _id: id, status: 'ACTIVE', quantity: 3, proxies: bought.proxies }]);
    expect((await rest1('/v1/subscriptions')).subscriptions).toMatchObject([
      { plan_id: id, type: 'ISP', status: 'ACTIVE', billing: { status: 'active', amount: 720, interval: 'month' } },
    ]);
  });

  test('does not pay a renewal, is suspended, pays in time, and has the same addresses again', async () => {
    const id = await buy(2);
    const { proxies, billing } = await plan(id);
    stack.sandbox.card.behave(await cardOf(billing.id), FAILS_LATER);
    await toPeriodEnd(id);
    expect(await plan(id)).toMatchObject({ status: 'ACTIVE', proxies, billing: { status: 'PAST_DUE' } });
    expect((await rest1('/v1/subscriptions')).subscriptions[0]).toMatchObject({ status: 'ACTIVE', billing: { status: 'past_due' } });
    await pass(6 * DAY);
    expect(await plan(id)).toMatchObject({ status: 'SUSPENDED', proxies, billing: { status: 'UNPAID' } });
    stack.sandbox.card.behave(await cardOf(billing.id), GOOD);
    await ask('mutation ($id: ID!) { subscriptionPayNow(id: $id, idempotencyKey: "pay-the-open-renewal") { status } }', { id: billing.id });
    await rest();
    expect(await plan(id)).toMatchObject({ status: 'ACTIVE', proxies, billing: { status: 'ACTIVE' } });
  });

  test('never pays, and loses the addresses after the grace period; they rest before anybody else has them', async () => {
    const id = await buy(2);
    const { billing } = await plan(id);
    const free = async () => (await ask('{ staticProducts { id available } }')).staticProducts[0].available;
    const before = await free();
    stack.sandbox.card.behave(await cardOf(billing.id), FAILS_LATER);
    await toPeriodEnd(id);
    await pass(13 * DAY);
    expect(await plan(id)).toMatchObject({ status: 'EXPIRED', proxies: [] });
    const resting = await tables.restingOf(id);
    expect(resting).toHaveLength(2);
    await pass(2 * DAY);
    expect(await free()).toBeGreaterThanOrEqual(before + 2);
  });

  test('cancels, takes it back, cancels again, and keeps the addresses to the end of the period', async () => {
    const id = await buy(1);
    const { proxies, billing } = await plan(id);
    const cancel = () => ask('mutation ($id: ID!) { subscriptionCancel(id: $id) { cancelAtPeriodEnd } }', { id: billing.id });
    await cancel();
    await rest();
    expect(await plan(id)).toMatchObject({ status: 'ACTIVE', billing: { cancelAtPeriodEnd: true } });
    await ask('mutation ($id: ID!) { subscriptionKeep(id: $id) { cancelAtPeriodEnd } }', { id: billing.id });
    await rest();
    await toPeriodEnd(id);
    expect(await plan(id)).toMatchObject({ status: 'ACTIVE', proxies, billing: { status: 'ACTIVE', cancelAtPeriodEnd: false } });
    await cancel();
    await rest();
    expect(await plan(id)).toMatchObject({ status: 'ACTIVE', proxies });
    await toPeriodEnd(id);
    expect(await plan(id)).toMatchObject({ status: 'CANCELLED', proxies: [] });
    expect((await rest1('/v1/subscriptions')).subscriptions[0]).toMatchObject({ status: 'CANCELLED', billing: { status: 'canceled' } });
  });

  test('adds addresses for the price that was shown, gives some back for credit, and the next renewal is of what is left', async () => {
    const id = await buy(4);
    await pass(15 * DAY);
    const { staticPlanOfferMore: more } = await ask(
      'mutation ($id: ID!) { staticPlanOfferMore(id: $id, quantity: 2) { token total { amountMinor } renewal { total { amountMinor } } } }',
      { id },
    );
    expect(more.total.amountMinor).toBeGreaterThan(200);
    expect(more.total.amountMinor).toBeLessThan(280);
    const charges = stack.sandbox.card.charges().length;
    expect((await order(more.token)).status).toBe('FULFILLED');
    expect(stack.sandbox.card.charges().slice(charges)).toMatchObject([{ amount: more.total.amountMinor, paid: true }]);
    expect(await plan(id)).toMatchObject({ quantity: 6 });
    const going = (await plan(id)).proxies.slice(0, 3).map((line: string) => line.split(':')[0]);
    const { staticPlanOfferFewer: fewer } = await ask(
      'mutation ($id: ID!, $addresses: [String!]!) { staticPlanOfferFewer(id: $id, addresses: $addresses) { token total { amountMinor } credit { amountMinor } renewal { total { amountMinor } } } }',
      { id, addresses: going },
    );
    expect(fewer).toMatchObject({ total: { amountMinor: 0 }, renewal: { total: { amountMinor: 720 } } });
    expect((await order(fewer.token)).status).toBe('FULFILLED');
    expect((await ask('{ me { credit { balance { amountMinor } } } }')).me.credit.balance).toEqual(fewer.credit);
    expect((await plan(id)).proxies).toHaveLength(3);
    expect((await rest1('/v1/subscriptions')).subscriptions[0].billing.amount).toBe(720);
  });

  test('who paid the renewal early pays for more addresses for what is left of this period too, and for all of the next', async () => {
    const { orderPlace } = await ask(placeOrder('id checkoutUrl', 'CRYPTO'), { offer: (await offer(5)).token, key: 'coins-for-five' });
    const payCoins = async (checkoutUrl: string) => {
      stack.sandbox.crypto.pay(checkoutAt(checkoutUrl));
      stack.sandbox.crypto.confirm(checkoutAt(checkoutUrl));
      await rest();
    };
    await payCoins(orderPlace.checkoutUrl);
    const { resourceId: id } = (await ask('query ($id: ID!) { order(id: $id) { resourceId } }', { id: orderPlace.id })).order;
    const { billing } = await plan(id);
    const ends = Date.parse(billing.currentPeriodEnd);
    stack.clock.set(new Date(ends - 6 * DAY));
    await rest();
    const { orders } = (await ask('{ me { orders { id kind status } } }')).me;
    const renewal = orders.find(({ kind }: { kind: string }) => kind === 'RENEWAL');
    const opening = await ask('mutation ($id: ID!) { orderOpenCheckout(id: $id) { checkoutUrl } }', { id: renewal.id });
    await payCoins(opening.orderOpenCheckout.checkoutUrl);
    expect(Date.parse((await plan(id)).billing.currentPeriodEnd)).toBeGreaterThan(ends + 27 * DAY);

    stack.clock.set(new Date(ends - 3 * DAY));
    const { staticPlanOfferMore: more } = await ask(
      'mutation ($id: ID!) { staticPlanOfferMore(id: $id, quantity: 2) { token total { amountMinor } renewal { total { amountMinor } } } }',
      { id },
    );
    // The two new addresses are charged for the whole next period, and for three days of this one.
    expect(more.renewal.total.amountMinor).toBe(7 * 240);
    expect([46, 48, 50, 51]).toContain(more.total.amountMinor - 2 * 240);
    expect((await order(more.token)).status).toBe('FULFILLED');
    expect(await plan(id)).toMatchObject({ quantity: 7 });
  });

  test('of the last address is told so at Pay when another was faster, has no checkout and is never charged', async () => {
    const others = await stack.seed.account();
    const askOther = askAs(stack.url, await others.cookie());
    const price = 'mutation { staticOfferMake(productId: "datacenter", quantity: 1) { token } }';
    const place = placeOrder('id checkoutUrl holdExpiresAt');
    await importInventory(stack.subgraphs.static.systemContext('test'), 'ip,port,product,location\n198.51.100.9,8000,datacenter,Paris');
    const offers = [(await ask(price)).staticOfferMake.token, (await askOther<any>(price)).staticOfferMake.token];
    const sessions = stack.sandbox.card.sessions().length;
    const outcomes = await Promise.allSettled([
      ask(place, { offer: offers[0], key: 'the-last-one-of-one' }),
      askOther<any>(place, { offer: offers[1], key: 'the-last-one-of-other' }),
    ]);
    const placed = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.orderPlace] : []));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    expect(placed).toMatchObject([{ checkoutUrl: expect.stringContaining('http'), holdExpiresAt: expect.any(String) }]);
    expect(refused).toEqual([expect.stringContaining('Out of stock at the moment.')]);
    expect(stack.sandbox.card.sessions()).toHaveLength(sessions + 1);
    // When the winner cancels, the other can buy the address at once.
    const winner: typeof ask = outcomes[0]?.status === 'fulfilled' ? ask : (query, variables) => askOther<any>(query, variables);
    const loser: typeof ask = winner === ask ? (query, variables) => askOther<any>(query, variables) : ask;
    await winner('mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id: placed[0].id });
    await rest();
    const again = await loser(price);
    expect((await loser(place, { offer: again.staticOfferMake.token, key: 'the-last-one-again' })).orderPlace.checkoutUrl).toContain(
      'http',
    );
  });

  test('is paid back when what was paid cannot be delivered in the stated time', async () => {
    const { token } = await offer(2);
    // The stock is emptied in the database between order and payment, as an order holds its stock.
    const placed = await order(token, async () => {
      await tables.letGoOfHeld();
      await tables.emptyShelf();
    });
    expect(placed).toMatchObject({ status: 'PAID', resourceId: null });
    expect((await rest1('/v1/static/isp')).plans).toMatchObject([{ status: 'PENDING', proxies: [] }]);
    stack.clock.advance(2 * HOUR);
    await stack.platform.queue.runNow('static.plan-deliver-pending');
    await rest();
    expect((await ask('query ($id: ID!) { order(id: $id) { status } }', { id: placed.id })).order.status).toBe('REFUNDED');
    expect((await rest1('/v1/subscriptions')).subscriptions).toMatchObject([{ status: 'CANCELLED', billing: { status: 'canceled' } }]);
    await tables.fillShelf();
  });

  test('hears by mail when there is stock, and of credit for downtime', async () => {
    await ask('mutation { staticStockWatch(productId: "isp-cascade", quantity: 2) { id } }');
    await importInventory(
      stack.subgraphs.static.systemContext('test'),
      'ip,port,product,location\n198.51.100.1,8000,isp-cascade,Paris\n198.51.100.2,8000,isp-cascade,Paris',
    );
    await stack.platform.queue.runNow('static.stock-sweep');
    const id = await buy(1);
    const subscription = await tables.plan(id);
    for (const _ of [1, 2])
      await tell(stack.database.query, 'static_plan.credit_earned', person.id, id, {
        subscriptionId: subscription?.subscription_id ?? '',
        amountMinor: 12,
        currency: 'USD',
        reason: 'Addresses were down.',
        reference: `outage:${id}`,
      });
    await rest();
    const mails = stack.sandbox.mail.messages(person.email).map(({ subject }) => subject);
    expect(mails).toEqual(expect.arrayContaining(['ISP Cascade is in stock again', '0.12 USD of credit for downtime']));
    expect((await ask('{ me { credit { balance { amountMinor } } } }')).me.credit.balance.amountMinor).toBe(12);
  });
});
