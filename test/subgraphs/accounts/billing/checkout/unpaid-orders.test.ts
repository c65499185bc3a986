// Orders that wait for payment: how many an account may have, and what their seller is asked before anybody can pay. The test plays the seller.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import type { HoldRefusal } from '#platform/holds.ts';
import type { Viewer } from '#platform/identity.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';
import { orderRows } from '../../../../kit/order-rows.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { rowsOf, setRows } from '../../../../kit/tables.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await startBilling();
});
afterAll(() => world.close());

let people = 0;
/** A new account, seen from its own network address unless one is given. */
async function buyer(address = `203.0.113.${people + 1}`): Promise<Person> {
  const person = await world.account(`buyer${++people}@example.com`);
  return { ...person, viewer: at(person.viewer, address) };
}
const at = (viewer: Viewer, address: string): Viewer => ({ ...viewer, address });

let titles = 0;
type Method = 'CARD' | 'CRYPTO' | 'BANK_TRANSFER';
async function place(person: Person, method: Method = 'CARD', terms: Partial<OfferTerms> = {}) {
  const price = method === 'BANK_TRANSFER' ? { subtotalMinor: 60_000, totalMinor: 60_000 } : {};
  return send(person, world.offer(person.id, { title: `Thing ${++titles}`, ...price, ...terms }), method, world.newKey());
}
const send = (person: Person, offer: string, method: Method, key: string) =>
  world.ask(person.viewer, placeOrder('id status checkoutUrl holdExpiresAt'), { offer, method, key });
interface Placed {
  id: string;
  status: string;
  checkoutUrl: string | null;
  holdExpiresAt: string | null;
}
const placed = async (answer: ReturnType<typeof place>) => dataOf<Placed>(await answer, 'orderPlace');
const shown = async ({ viewer }: Person, id: string) =>
  dataOf<Placed>(await world.ask(viewer, 'query ($id: ID!) { order(id: $id) { id status checkoutUrl holdExpiresAt } }', { id }), 'order');
const cancel = ({ viewer }: Person, id: string) => world.ask(viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id });

describe('of one account', () => {
  test('three may wait; the next is refused with the names of those and the way to the oldest, until one is given up', async () => {
    const person = await buyer();
    const ids: string[] = [];
    for (const method of ['CARD', 'CRYPTO', 'CARD'] as const) ids.push((await placed(place(person, method))).id);
    const refused = await place(person, 'CRYPTO');
    expect(codeOf(refused)).toBe('too_many_unpaid_orders');
    expect(refused.errors?.[0]?.message).toBe(
      `3 of your orders wait for their payment: pay or cancel one of them first (Thing ${titles - 3}; Thing ${titles - 2}; Thing ${titles - 1}).`,
    );
    expect(refused.errors?.[0]?.extensions['orderId']).toBe(ids[0]);
    expect(codeOf(await cancel(person, ids[0] ?? ''))).toBeUndefined();
    expect((await placed(place(person))).status).toBe('PENDING');
  });

  test('transfers are counted apart: they hold nothing, and take two weeks', async () => {
    const person = await buyer();
    for (let number = 0; number < 3; number++) expect(codeOf(await place(person, 'BANK_TRANSFER'))).toBeUndefined();
    expect(codeOf(await place(person, 'BANK_TRANSFER'))).toBe('too_many_unpaid_orders');
    expect(codeOf(await place(person))).toBeUndefined();
  });

  test('not more than three get through when twelve are sent at the same moment', async () => {
    const person = await buyer();
    const answers = await Promise.all(Array.from({ length: 12 }, () => place(person)));
    expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(3);
    const [row] = await rowsOf<{ count: string }>(
      world.query,
      'accounts.customer_order',
      { account_id: person.id },
      { columns: 'count(*)' },
    );
    expect(Number(row?.count)).toBe(3);
  });

  test('what credit covers whole does not wait, and is not counted', async () => {
    const person = await buyer();
    const { viewer: staff } = await world.account(`staff${people}@example.com`, 'STAFF');
    for (let number = 0; number < 3; number++) await place(person);
    await world.grant(person.id, 2_500, staff);
    expect((await placed(place(person))).status).toBe('PAID');
    expect(codeOf(await place(person))).toBe('too_many_unpaid_orders');
  });
});

test('of all new accounts behind one address a number may wait, an IPv6 network being one address; who has paid before is not counted', async () => {
  const answers: (string | undefined)[] = [];
  for (let account = 0; account < 6; account++) {
    const person = await buyer(`2001:db8:7::${account + 1}`);
    for (let order = 0; order < 3; order++) answers.push(codeOf(await place(person, 'CRYPTO')));
  }
  expect(answers.filter((code) => code === undefined)).toHaveLength(15);
  expect(new Set(answers.slice(15))).toEqual(new Set(['too_many_unpaid_orders']));
  expect(codeOf(await place(await buyer('2001:db8:7:1::1'), 'CRYPTO'))).toBeUndefined();
  const known = await buyer('2001:db8:8::1');
  await world.buy(known);
  expect(codeOf(await place({ ...known, viewer: at(known.viewer, '2001:db8:7::99') }, 'CRYPTO'))).toBeUndefined();
  // The network of an order is kept while the order waits, and for a week after its end.
  const kept = () => orderRows(world.query).withAddressKept();
  expect((await kept()).length).toBeGreaterThan(15);
  await setRows(world.query, 'accounts.customer_order', { expires_at: world.clock.now() }, { status: 'PENDING' });
  world.clock.advance(3 * MINUTE);
  for (let round = 0; round < 3; round++) await world.platform.queue.runNow('accounts.orders-reconcile');
  world.clock.advance(8 * DAY);
  await world.platform.queue.runNow('accounts.sweep');
  expect(await kept()).toEqual([]);
});

describe('an order whose seller holds stock', () => {
  const stock = { seller: 'static' as const, holdsStock: true as const };
  type Answer = HoldRefusal | { until: string };
  let answer: Answer | undefined;
  let asked: { orderId: string; hold: unknown }[];
  const say = (orderId: string, data: Answer) => {
    const about = { at: world.clock.now(), accountId: null, subject: orderId };
    return appendEvents(
      world.context().em,
      'code' in data
        ? { type: 'static_stock.refused', ...about, data: { orderId, ...data } }
        : { type: 'static_stock.held', ...about, data: { orderId, ...data } },
    );
  };
  const until = () => new Date(world.clock.now().getTime() + 15 * MINUTE).toISOString();
  const creditOf = async (person: Person) => world.balance(person);
  let stop: () => void;
  beforeEach(() => {
    stop?.();
    [answer, asked] = [{ until: until() }, []];
    stop = world.platform.feed.subscribe({ types: ['order.placed'] }, ({ subject, data }) => {
      asked.push({ orderId: subject, hold: data['hold'] });
      if (answer && data['hold']) void say(subject, answer);
    });
  });

  test('opens its checkout once that is held, and says until when', async () => {
    const person = await buyer();
    const order = await placed(place(person, 'CARD', stock));
    expect(order).toMatchObject({ status: 'PENDING', holdExpiresAt: until() });
    expect(order.checkoutUrl).toContain('http');
    expect(asked).toEqual([{ orderId: order.id, hold: { known: false, from: expect.any(String), method: 'CARD' } }]);
    // Neither the address nor anything that it could be guessed from is in the event log.
    expect(JSON.stringify(asked)).not.toContain('203.0.113');
    await world.pay(order.id);
    await world.settle();
    expect(await shown(person, order.id)).toMatchObject({ status: 'PAID', holdExpiresAt: null });
    await placed(place(person, 'CARD', stock));
    expect(asked.at(-1)?.hold).toMatchObject({ known: true });
  });

  test('is over at once when there is nothing left: no checkout was opened, credit is back, and asking again says the same', async () => {
    const person = await buyer();
    const { viewer: staff } = await world.account(`staff${people}@example.com`, 'STAFF');
    await world.grant(person.id, 1_000, staff);
    answer = { code: 'out_of_stock', reason: 'Only 2 of these addresses are free at the moment.' };
    const sessions = world.sandbox.card.sessions().length;
    const [offer, key] = [world.offer(person.id, stock), world.newKey()];
    for (let again = 0; again < 2; again++) {
      const refused = await send(person, offer, 'CARD', key);
      expect([codeOf(refused), refused.errors?.[0]?.message]).toEqual(['out_of_stock', answer.reason]);
    }
    expect(world.sandbox.card.sessions()).toHaveLength(sessions);
    expect(await creditOf(person)).toBe(1_000);
    expect(await rowsOf(world.query, 'accounts.customer_order', { account_id: person.id }, { columns: 'status' })).toEqual([
      { status: 'CANCELLED' },
    ]);
    answer = { code: 'hold_too_large', reason: 'Only 3 of these can be held until the payment.' };
    expect(codeOf(await place(person, 'CRYPTO', stock))).toBe('hold_too_large');
  });

  test('that credit covers whole is paid when its stock is held, and not at all when there is none', async () => {
    const person = await buyer();
    const { viewer: staff } = await world.account(`staff${people}@example.com`, 'STAFF');
    await world.grant(person.id, 5_000, staff);
    expect((await placed(place(person, 'CARD', stock))).status).toBe('PAID');
    expect(await creditOf(person)).toBe(2_500);
    answer = { code: 'out_of_stock', reason: 'Out of stock at the moment.' };
    expect(codeOf(await place(person, 'CARD', stock))).toBe('out_of_stock');
    expect(await creditOf(person)).toBe(2_500);
    expect(await rowsOf(world.query, 'accounts.customer_order', { account_id: person.id }, { columns: 'status', orderBy: 'id' })).toEqual([
      { status: 'PAID' },
      { status: 'CANCELLED' },
    ]);
  });

  test('is not waited for longer than a moment: it stays unpaid, and its checkout opens by itself when the answer comes', async () => {
    const person = await buyer();
    const { providers } = world.context();
    const patience = providers.stockAnswerMs;
    providers.stockAnswerMs = 20;
    answer = undefined;
    const order = await placed(place(person, 'CARD', stock));
    providers.stockAnswerMs = patience;
    expect(order).toMatchObject({ status: 'PENDING', checkoutUrl: null, holdExpiresAt: null });
    world.clock.advance(3 * MINUTE);
    await world.platform.queue.runNow('accounts.orders-reconcile');
    expect((await shown(person, order.id)).checkoutUrl).toBeNull();
    await say(order.id, { until: until() });
    await world.subgraph.reader.drain();
    await world.settle();
    expect(await shown(person, order.id)).toMatchObject({
      status: 'PENDING',
      checkoutUrl: expect.stringContaining('http'),
      holdExpiresAt: until(),
    });
  });

  test('that is given up before the answer gives its credit back at once, and a late answer changes nothing', async () => {
    const person = await buyer();
    const { viewer: staff } = await world.account(`staff${people}@example.com`, 'STAFF');
    await world.grant(person.id, 1_000, staff);
    const { providers } = world.context();
    const patience = providers.stockAnswerMs;
    providers.stockAnswerMs = 1;
    answer = undefined;
    const order = await placed(place(person, 'CARD', stock));
    providers.stockAnswerMs = patience;
    expect(await creditOf(person)).toBe(0);
    await cancel(person, order.id);
    expect(await creditOf(person)).toBe(1_000);
    await say(order.id, { until: until() });
    await world.subgraph.reader.drain();
    await world.settle();
    expect(await shown(person, order.id)).toMatchObject({ status: 'CANCELLED', checkoutUrl: null, holdExpiresAt: null });
  });

  test('by bank transfer asks for none: it waits for the money first', async () => {
    const person = await buyer();
    const order = await placed(place(person, 'BANK_TRANSFER', stock));
    expect(order).toMatchObject({ status: 'PENDING', holdExpiresAt: null });
    await world.platform.feed.drain();
    expect(asked).toEqual([{ orderId: order.id, hold: undefined }]);
  });
});
