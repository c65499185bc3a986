import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { prorate } from '#commerce/proration.ts';
import { codeOf } from '../../world.ts';
import { LINE, type SubscriptionWorld, startSubscriptions } from './subscription-world.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { rowOf, tell } from '../../../../kit/tables.ts';

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions();
});
afterAll(() => world.close());

const bigger = (amountMinor: number) => ({ label: `VPS of ${amountMinor}`, quantity: 1, amountMinor });

/** What a seller charges now for a change of price in the middle of a period, in minor units. */
async function difference(id: string, from: number, to: number): Promise<number> {
  const { current_period_start: periodStart, current_period_end: periodEnd } = await world.row(id);
  return prorate({ fullMinor: to - from, periodStart, periodEnd, months: 1, at: world.clock.now() });
}

const charged = () => world.sandbox.card.charges().filter(({ paid }) => paid);

test('two upgrades in one period: each charges the rest of its difference, the renewal date stays, and the renewal costs what recurs now', async () => {
  const ada = await world.account('ada@example.com');
  const { id } = await world.subscribe(ada);
  const { current_period_end: end } = await world.row(id);
  let version = 1;
  let now = LINE.amountMinor;
  for (const next of [3_299, 6_599]) {
    await world.pass(7 * DAY, DAY);
    const amountMinor = await difference(id, now, next);
    const order = await world.change(
      ada,
      id,
      { lines: [bigger(next)], basedOn: version, title: `Plan ${next}` },
      { lines: [{ ...bigger(next), amountMinor }] },
    );
    expect(order.total.amountMinor).toBe(amountMinor);
    expect((await world.row(id)).lines).not.toEqual([bigger(next)]);
    await world.pay(order.id);
    await world.rest();
    await world.adjusted();
    expect(charged().at(-1)?.amount).toBe(amountMinor);
    expect(await world.row(id)).toMatchObject({
      lines: [bigger(next)],
      version: ++version,
      title: `Plan ${next}`,
      current_period_end: end,
    });
    now = next;
  }
  expect(charged()).toHaveLength(3);
  await world.toPeriodEnd(id);
  expect(charged().at(-1)?.amount).toBe(6_599);
  expect(await world.facts(id)).toEqual(['started', 'changed', 'changed', 'renewed']);
});

test('a change priced from an earlier version is refused when it is ordered, and when its payment comes too late', async () => {
  const bob = await world.account('bob@example.com');
  const { id } = await world.subscribe(bob);
  const change = (amountMinor: number) =>
    world.change(bob, id, { lines: [bigger(amountMinor)], basedOn: 1 }, { lines: [{ ...bigger(amountMinor), amountMinor: 1_000 }] });
  const [first, second] = [await change(2_000), await change(3_000)];
  await world.pay(first.id);
  await world.rest();
  expect(await world.row(id)).toMatchObject({ version: 2, lines: [bigger(2_000)] });
  // The paid change is not made yet, so a next change that is priced now starts from a wrong state.
  const tooSoon = await world.tryPlace(bob, world.termsOf({ id, lines: [bigger(4_000)], basedOn: 2 }));
  expect([codeOf(tooSoon), tooSoon.errors?.[0]?.message]).toEqual([
    'offer_invalid',
    'A change of this subscription is paid and on its way: ask for the price when it is there.',
  ]);
  await world.adjusted();
  expect(codeOf(await world.tryPlace(bob, world.termsOf({ id, lines: [bigger(4_000)], basedOn: 2 }, { lines: [bigger(30)] })))).toBe(
    'card_amount_too_small',
  );
  const terms = world.termsOf({ id, lines: [bigger(4_000)], basedOn: 1 });
  expect(codeOf(await world.tryPlace(bob, terms))).toBe('offer_invalid');
  const mallory = await world.account('mallory@example.com');
  expect(codeOf(await world.tryPlace(mallory, world.termsOf({ id, lines: [bigger(1)], basedOn: 2 })))).toBe('offer_invalid');

  await world.pay(second.id);
  await world.rest();
  await world.rest();
  expect(await world.row(id)).toMatchObject({ version: 2, lines: [bigger(2_000)] });
  expect((await world.orders(id)).find((order) => order.id === second.id)).toMatchObject({ status: 'CANCELLED' });
  expect(await world.balance(bob)).toBe(1_000);
  expect(await world.subjects(bob)).toContain('Too late: VPS Plank');
});

test('a change that was priced before the last one was there is refused when that is there, for it counts from what was not true', async () => {
  const fay = await world.account('fay@example.com');
  const { id } = await world.subscribe(fay);
  const first = await world.change(fay, id, { lines: [bigger(2_000)], basedOn: 1 }, { lines: [{ ...bigger(2_000), amountMinor: 1_000 }] });
  await world.pay(first.id);
  await world.rest();
  const ordered = async (offer: string) => {
    const { errors } = await world.ask(fay.viewer, placeOrder('id'), { offer, key: world.newKey() });
    return errors?.[0]?.extensions['reasonCode'];
  };
  const priced = () => world.offer(fay.id, world.termsOf({ id, lines: [bigger(1_800)], basedOn: 2 }, { lines: [bigger(100)] }));
  const early = priced();
  world.clock.advance(MINUTE);
  expect(await ordered(early)).toBe('subscription_change_waits');
  await world.adjusted();
  expect(await ordered(early)).toBe('subscription_moved');
  expect(await ordered(priced())).toBeUndefined();
});

test('what is removed is given back as credit with its tax, by a credit note on the last invoice', async () => {
  const cleo = await world.account('cleo@example.com');
  const extra = { label: 'Extra IPv4', quantity: 1, amountMinor: 1_000 };
  const { id } = await world.subscribe(cleo, { lines: [LINE, extra], taxBasisPoints: 1_900 });
  await world.pass(10 * DAY, DAY);
  const { current_period_start: periodStart, current_period_end: periodEnd } = await world.row(id);
  const creditMinor = prorate({ fullMinor: 1_000, periodStart, periodEnd, months: 1, at: world.clock.now() });
  const order = await world.change(cleo, id, { lines: [LINE], basedOn: 1 }, { lines: [], creditMinor, taxBasisPoints: 1_900 });
  expect(order.status).toBe('PAID');
  const total = creditMinor + Math.round(creditMinor * 0.19);
  expect(await world.balance(cleo)).toBe(total);
  const note = await rowOf<{ total_minor: string; kind: string; corrects_id: string }>(world.query, 'accounts.invoice', {
    order_id: order.id,
  });
  expect(note).toMatchObject({ kind: 'CREDIT_NOTE', total_minor: String(total) });
  expect(await world.row(id)).toMatchObject({ lines: [LINE], version: 2 });
});

test('what a seller cannot deliver is paid back whole, its subscription ends, and its owner is told', async () => {
  const dora = await world.account('dora@example.com');
  const { id, order } = await world.subscribe(dora);
  const fail = () => tell(world.query, 'compute_vps.failed', dora.id, 'vps_1', { orderId: order.id, reason: 'no room' });
  await fail();
  await fail();
  await world.subgraph.reader.drain();
  await world.rest();
  expect(await world.row(id)).toMatchObject({ status: 'CANCELED', end_reason: 'NOT_DELIVERED' });
  expect(await world.orders(id)).toMatchObject([{ status: 'REFUNDED' }]);
  expect(world.sandbox.card.refunds().map(({ amount }) => amount)).toEqual([1_699]);
  expect(await world.subjects(dora)).toEqual(['Paid: VPS Plank', 'We could not deliver: VPS Plank']);
  expect(world.sandbox.card.subscriptions().find(({ metadata }) => metadata['subscription_id'] === id)?.status).toBe('canceled');
});

test('a change that cannot be delivered leaves the subscription as it was', async () => {
  const eve = await world.account('eve@example.com');
  const { id } = await world.subscribe(eve);
  const order = await world.change(eve, id, { lines: [bigger(5_000)], basedOn: 1 }, { lines: [{ ...bigger(5_000), amountMinor: 2_000 }] });
  await world.pay(order.id);
  await world.rest();
  expect(await world.row(id)).toMatchObject({ lines: [bigger(5_000)] });
  const desk = await world.account('desk@example.com', 'STAFF');
  expect(codeOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CARD' }))).toBeUndefined();
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', lines: [LINE], version: 3 });
});

test('a change that is refunded after its subscription is over says nothing more of that', async () => {
  const gil = await world.account('gil@example.com');
  const desk = await world.account('desk-of-changes@example.com', 'STAFF');
  const { id, order } = await world.subscribe(gil);
  const change = await world.change(gil, id, { lines: [bigger(2_000)], basedOn: 1 }, { lines: [{ ...bigger(2_000), amountMinor: 1_000 }] });
  await world.pay(change.id);
  await world.rest();
  for (const refunded of [order.id, change.id]) {
    await world.refund(desk.viewer, { orderId: refunded, destination: 'CARD' });
    await world.rest();
  }
  expect((await world.orders(id)).map(({ status }) => status)).toEqual(['REFUNDED', 'REFUNDED']);
  expect(await world.facts(id)).toEqual(['started', 'changed', 'ended']);
});
