import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import type { HoldWish } from '#platform/holds.ts';
import { setRows } from '../../../kit/tables.ts';
import { startSelling } from '../selling-world.ts';

const { world, ask, offer, available, planOf, ipsOf, factsOf } = await startSelling();
beforeAll(() => world.stock('isp-northline', 10, '10.1'));

describe('an order', () => {
  test('holds its addresses once placed, tells accounts until when, and releases them when it is cancelled', async () => {
    const { token } = await offer('acct_1', 'isp-northline', 6);
    const { orderId } = await world.order('order.placed', token, 'acct_1');
    const until = new Date(world.platform.clock.now().getTime() + HOUR).toISOString();
    expect(await world.answerTo(orderId)).toEqual([{ type: 'static_stock.held', orderId, until }]);
    expect((await available('isp-northline')).available).toBe(4);
    await world.order('order.cancelled', token, 'acct_1', orderId);
    expect((await available('isp-northline')).available).toBe(10);
    expect(await world.tables.holds()).toEqual([]);
  });

  test('holds them for a limited time, shorter for an account that has never paid', async () => {
    for (const [known, minutes] of [
      [true, 60],
      [false, 15],
    ] as const) {
      const { token } = await offer('acct_1', 'isp-northline', 5);
      await world.order('order.placed', token, 'acct_1', undefined, undefined, { known });
      world.platform.clock.advance(minutes * MINUTE - 1);
      expect((await available('isp-northline')).available).toBe(5);
      world.platform.clock.advance(1);
      expect((await available('isp-northline')).available).toBe(10);
    }
    await world.platform.queue.runNow('static.stock-sweep');
    expect(await world.tables.holds()).toEqual([]);
    expect(await world.tables.ipsHeld()).toEqual([]);
  });

  test('by bank transfer holds nothing, and takes free addresses once it is paid', async () => {
    const { token } = await offer('acct_1', 'isp-northline', 2);
    const { seller, fulfil } = world.open(token, 'acct_1');
    const told = {
      accountId: 'acct_1',
      subject: 'ord_transfer',
      data: { seller, fulfil, expiresAt: world.platform.clock.now().toISOString() },
    };
    await world.tell({ type: 'order.placed', ...told });
    expect([await world.answerTo('ord_transfer'), (await available('isp-northline')).available]).toEqual([[], 10]);
  });

  test('competes for the last addresses: one buyer gets them, the other is refused', async () => {
    const [one, other] = [await offer('acct_1', 'isp-northline', 7), await offer('acct_2', 'isp-northline', 7)];
    const placed = await Promise.all([
      world.order('order.placed', one.token, 'acct_1'),
      world.order('order.placed', other.token, 'acct_2'),
    ]);
    const answers = await Promise.all(placed.map(async ({ orderId }) => (await world.answerTo(orderId))[0]));
    expect(answers.map((answer) => answer?.type).toSorted()).toEqual(['static_stock.held', 'static_stock.refused']);
    expect(answers.find((answer) => answer?.code)).toMatchObject({
      code: 'out_of_stock',
      reason: 'Only 3 of these addresses are free at the moment.',
    });
    world.platform.clock.advance(HOUR);
  });

  describe('that is unpaid', () => {
    const place = async (accountId: string, quantity: number, buyer: Partial<HoldWish>) => {
      const { token } = await offer(accountId, 'isp-northline', quantity);
      const { orderId } = await world.order('order.placed', token, accountId, undefined, undefined, buyer);
      const [answer] = await world.answerTo(orderId);
      return answer?.code ?? 'held';
    };
    const pause = () => void world.platform.clock.advance(HOUR);

    test('never holds the whole of a product: half of it for an account that has never paid, three quarters for one that has', async () => {
      expect(await place('acct_n', 6, { known: false })).toBe('hold_too_large');
      expect(await place('acct_n', 3, { known: false })).toBe('held');
      expect(await place('acct_n', 2, { known: false })).toBe('held');
      expect(await place('acct_n', 1, { known: false })).toBe('hold_too_large');
      pause();
      expect(await place('acct_k', 8, {})).toBe('hold_too_large');
      expect(await place('acct_k', 7, {})).toBe('held');
      expect(await place('acct_k', 1, {})).toBe('hold_too_large');
      expect(await place('acct_n', 3, { known: false })).toBe('held');
      pause();
    });

    test('holds at most half of a product for all accounts at one address that have never paid, and others can buy', async () => {
      const held = [];
      for (let number = 0; number < 8; number++) held.push(await place(`acct_fresh_${number}`, 1, { known: false, from: 'one door' }));
      expect(held).toEqual([...Array.from({ length: 5 }, () => 'held'), ...Array.from({ length: 3 }, () => 'hold_too_large')]);
      expect(await place('acct_k', 2, { from: 'one door' })).toBe('held');
      expect(await place('acct_elsewhere', 2, { known: false, from: 'another door' })).toBe('held');
      pause();
    });

    test('holds at most half of a product for all accounts that have never paid by cryptocurrency, three quarters by card', async () => {
      const byCoins = [];
      for (let number = 0; number < 7; number++)
        byCoins.push(await place(`acct_coin_${number}`, 1, { known: false, from: `door ${number}`, method: 'CRYPTO' }));
      expect(byCoins.filter((code) => code === 'held')).toHaveLength(5);
      pause();
      const byCard = [];
      for (let number = 0; number < 9; number++)
        byCard.push(await place(`acct_card_${number}`, 1, { known: false, from: `door ${number}` }));
      expect(byCard.filter((code) => code === 'held')).toHaveLength(7);
      expect(await place('acct_k', 3, {})).toBe('held');
      pause();
    });

    test('can still hold the last address of a product', async () => {
      await world.stock('isp-bluewire', 1, '10.30');
      const { token } = await offer('acct_n', 'isp-bluewire', 1);
      const { orderId } = await world.order('order.placed', token, 'acct_n', undefined, undefined, { known: false });
      expect((await world.answerTo(orderId))[0]?.type).toBe('static_stock.held');
      pause();
      await setRows(world.query, 'static.address', { retired_at: world.platform.clock.now() }, { product_id: 'isp-bluewire' });
    });
  });

  test('that is paid is delivered from what was held, once, and the delivery names it', async () => {
    const { token } = await offer('acct_1', 'isp-northline', 6);
    const { orderId } = await world.order('order.placed', token, 'acct_1');
    const held = await world.tables.ipsHeldAt(world.platform.clock.now());
    expect(held).toHaveLength(6);
    await world.order('order.paid', token, 'acct_1', orderId);
    const plan = await planOf(orderId);
    expect(plan).toMatchObject({ status: 'ACTIVE', quantity: 6 });
    expect(await ipsOf(plan?.id ?? '')).toEqual(held);
    expect((await factsOf(plan?.id ?? '')).map(({ type, data }) => [type, data['orderId']])).toEqual([
      ['static_plan.created', orderId],
      ['fulfilment.delivered', orderId],
      ['static_plan.delivered', orderId],
    ]);
    await world.order('order.paid', token, 'acct_1', orderId);
    expect(await ipsOf(plan?.id ?? '')).toEqual(held);
    expect(await world.tables.holds({ order_id: orderId })).toEqual([]);
  });

  test('that is paid and under review keeps its addresses until the given time', async () => {
    const { token } = await offer('acct_1', 'isp-northline', 3);
    const { orderId, subscriptionId: id } = await world.order('order.placed', token, 'acct_1');
    const [held, free] = [await world.tables.ipsHeldAt(world.platform.clock.now()), (await available('isp-northline')).available];
    const { seller, fulfil } = world.open(token, 'acct_1');
    const told = { accountId: 'acct_1', subject: orderId };
    const holdUntil = new Date(world.platform.clock.now().getTime() + 3 * DAY).toISOString();
    await world.tell({ type: 'order.held', ...told, data: { seller, fulfil, holdUntil } });
    world.platform.clock.advance(2 * DAY);
    await world.platform.queue.runNow('static.stock-sweep');
    expect((await available('isp-northline')).available).toBe(free);
    // The order is released from review: it is delivered from the stock that was held.
    const now = world.platform.clock.now().toISOString();
    const subscription = { id, version: 1, months: 1, currentPeriodStart: now, currentPeriodEnd: now };
    await world.tell({ type: 'order.paid', ...told, data: { seller, fulfil, title: 'A plan', subscription } });
    expect(await ipsOf((await planOf(orderId))?.id ?? '')).toEqual(held);

    const { orderId: next } = await world.order('order.placed', (await offer('acct_1', 'isp-northline', 1)).token, 'acct_1');
    const before = (await available('isp-northline')).available;
    const again = new Date(world.platform.clock.now().getTime() + 3 * DAY).toISOString();
    await world.tell({ type: 'order.held', accountId: 'acct_1', subject: next, data: { seller, fulfil, holdUntil: again } });
    // This order is refused: it is refunded, and its stock is free again.
    await world.tell({ type: 'order.refunded', accountId: 'acct_1', subject: next, data: { seller, fulfil } });
    expect((await available('isp-northline')).available).toBe(before + 1);
    const { orderId: late } = await world.order('order.placed', (await offer('acct_1', 'isp-northline', 1)).token, 'acct_1');
    await world.tell({ type: 'order.held', accountId: 'acct_1', subject: late, data: { seller, fulfil, holdUntil: again } });
    expect((await available('isp-northline')).available).toBe(before);
    world.platform.clock.advance(3 * DAY);
    expect((await available('isp-northline')).available).toBe(before + 1);
  });

  test('that cannot be delivered in time fails, and its event lets accounts refund it', async () => {
    const { data } = await ask(
      'acct_staff',
      'mutation { supportStaticOffer(accountId: "acct_9", productId: "isp-cascade", quantity: 5, perAddressMinor: 200, validDays: 1) { token } }',
      {},
      true,
    );
    const { orderId, subscriptionId } = await world.order('order.paid', data.supportStaticOffer.token, 'acct_9');
    expect(await planOf(orderId)).toMatchObject({ status: 'PENDING' });
    world.platform.clock.advance(2 * HOUR - 1);
    await world.platform.queue.runNow('static.plan-deliver-pending');
    const plan = await planOf(orderId);
    expect(plan?.status).toBe('PENDING');
    world.platform.clock.advance(1);
    await world.platform.queue.runNow('static.plan-deliver-pending');
    expect((await planOf(orderId))?.status).toBe('CANCELLED');
    const facts = await factsOf(plan?.id ?? '');
    expect(facts.at(-1)).toEqual({
      type: 'static_plan.failed',
      data: { orderId, reason: 'There were not enough addresses of this kind.' },
    });
    // Later events of accounts about the plan change nothing, and new stock is not given to it.
    const now = world.platform.clock.now();
    await world.subscription('ended', subscriptionId, 'acct_9', {
      version: 2,
      currentPeriodStart: now,
      currentPeriodEnd: new Date(now.getTime() + DAY),
      reason: 'NOT_DELIVERED',
    });
    await world.stock('isp-cascade', 5, '10.2');
    await world.platform.queue.runNow('static.plan-deliver-pending');
    expect((await planOf(orderId))?.status).toBe('CANCELLED');
  });

  test('that is refunded before its delivery is not delivered', async () => {
    const planId = await world.plan('acct_1', 'isp-bluewire', 1, 'ord_refunded');
    await world.tell({ type: 'order.refunded', accountId: 'acct_1', subject: 'ord_refunded', data: { seller: 'static' } });
    await world.stock('isp-bluewire', 1, '10.3');
    await world.platform.queue.runNow('static.plan-deliver-pending');
    expect(await planOf('ord_refunded')).toMatchObject({ id: planId, status: 'CANCELLED' });
  });

  test('of another seller is ignored', async () => {
    await world.tell({
      type: 'order.paid',
      accountId: 'acct_1',
      subject: 'ord_vps',
      data: { seller: 'compute', fulfil: { plan: 'PLANK' }, title: 'Plank' },
    });
    expect(await planOf('ord_vps')).toBeUndefined();
  });
});
