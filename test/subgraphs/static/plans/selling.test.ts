import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, after } from '#platform/clock.ts';
import type { HoldWish } from '#platform/holds.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type StaticWorld, startStatic } from '../world.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic({ TAX_RATES: 'DE=19', STATIC_DELIVERY_HOURS: '2', ADDRESS_REST_HOURS: '48' });
});
afterAll(() => world.close());

const OFFER = /* GraphQL */ `
  mutation ($productId: ID!, $quantity: Int!) {
    staticOfferMake(productId: $productId, quantity: $quantity) {
      token
      title
      subtotal {
        amountMinor
      }
      tax {
        amountMinor
      }
      total {
        amountMinor
      }
      renewal {
        months
        total {
          amountMinor
        }
      }
      expiresAt
    }
  }
`;

type Answer = { data: any; code: string | undefined; message: string | undefined };
const ask = async (accountId: string, query: string, variables: Record<string, unknown> = {}, staff = false): Promise<Answer> => {
  const { data, errors } = await world.ask(sessionOf(accountId, staff), query, variables);
  return { data, code: errors?.[0]?.extensions['code'] as string | undefined, message: errors?.[0]?.message };
};
const offer = async (accountId: string, productId: string, quantity: number) => {
  const { data, code, message } = await ask(accountId, OFFER, { productId, quantity });
  return { ...data?.staticOfferMake, code, message };
};
const available = async (productId: string, accountId = 'acct_looker') => {
  const { data } = await ask(accountId, '{ staticProducts { id available watchedQuantity } }');
  return data.staticProducts.find(({ id }: { id: string }) => id === productId);
};
const planOf = async (orderId: string) =>
  (
    await world.query<{ id: string; status: string; quantity: number; period_end: Date; cancel_at_period_end: boolean }>(
      'select * from static.plan where order_id = $1',
      [orderId],
    )
  )[0];
const ipsOf = async (planId: string) =>
  (await world.query<{ ip: string }>('select host(ip) as ip from static.address where plan_id = $1 order by ip', [planId])).map(
    ({ ip }) => ip,
  );
const factsOf = (subject: string) =>
  world.query<{ type: string; data: Record<string, unknown> }>('select type, data from platform.event where subject = $1 order by id', [
    subject,
  ]);

describe('an offer', () => {
  test('is the price of the quantity with the tax of the account, for a month, and says what a renewal costs', async () => {
    await world.stock('isp-northline', 10, '10.1');
    await world.tell({ type: 'billing_details.changed', accountId: 'acct_de', subject: 'acct_de', data: { country: 'DE' } });
    expect(await offer('acct_de', 'isp-northline', 3)).toMatchObject({
      title: 'ISP Northline, 3 addresses',
      subtotal: { amountMinor: 720 },
      tax: { amountMinor: 137 },
      total: { amountMinor: 857 },
      renewal: { months: 1, total: { amountMinor: 857 } },
      expiresAt: new Date(world.platform.clock.now().getTime() + 15 * MINUTE).toISOString(),
    });
    world.platform.clock.advance(HOUR);
  });

  test('holds nothing: who asks for prices takes nothing from anybody, and is told when there is too little', async () => {
    for (const accountId of ['acct_1', 'acct_2', 'acct_3']) expect((await offer(accountId, 'isp-northline', 10)).code).toBeUndefined();
    expect((await available('isp-northline')).available).toBe(10);
    expect(await world.query('select from static.hold')).toEqual([]);
    const refused = await offer('acct_2', 'isp-northline', 11);
    expect([refused.code, refused.message]).toEqual(['out_of_stock', 'Only 10 of these addresses are free at the moment.']);
  });

  test.each([
    ['isp-northline', 0, 'quantity_invalid'],
    ['isp-northline', -5, 'quantity_invalid'],
    ['isp-northline', 1_001, 'quantity_invalid'],
    ['no-such-product', 1, 'parameter_invalid'],
    ['isp-cascade', 1, 'out_of_stock'],
  ])('of %s x %i is refused with %s, and holds nothing', async (productId, quantity, code) => {
    expect((await offer('acct_1', productId, quantity)).code).toBe(code);
    expect(await world.query('select from static.hold where expires_at > $1', [world.platform.clock.now()])).toEqual([]);
  });

  test("of support has support's price and no stock is held for it", async () => {
    const query =
      'mutation ($validDays: Int!) { supportStaticOffer(accountId: "acct_big", productId: "datacenter", quantity: 20000, perAddressMinor: 80, validDays: $validDays) { token total { amountMinor } expiresAt } }';
    const { data } = await ask('acct_staff', query, { validDays: 30 }, true);
    expect(data.supportStaticOffer).toMatchObject({
      total: { amountMinor: 1_600_000 },
      expiresAt: new Date(world.platform.clock.now().getTime() + 30 * DAY).toISOString(),
    });
    const terms = world.open(data.supportStaticOffer.token, 'acct_big');
    // Accounts takes only what is marked so into an agreement.
    expect(terms).toMatchObject({ custom: true, fulfil: { unitMinor: 80 } });
    expect(terms.holdsStock).toBeUndefined();
    expect((await ask('acct_staff', query, { validDays: 31 }, true)).code).toBe('parameter_invalid');
    expect((await ask('acct_big', query, { validDays: 3 })).code).toBe('forbidden');
    // Nobody makes a price for themselves.
    expect((await ask('acct_big', query, { validDays: 3 }, true)).code).toBe('own_account_refused');
  });
});

describe('an order', () => {
  test('holds what it wants from its placing on, tells accounts until when, and lets it go when it is given up', async () => {
    const { token } = await offer('acct_1', 'isp-northline', 6);
    const { orderId } = await world.order('order.placed', token, 'acct_1');
    const until = new Date(world.platform.clock.now().getTime() + HOUR).toISOString();
    expect(await world.answerTo(orderId)).toEqual([{ type: 'static_stock.held', orderId, until }]);
    expect((await available('isp-northline')).available).toBe(4);
    await world.order('order.cancelled', token, 'acct_1', orderId);
    expect((await available('isp-northline')).available).toBe(10);
    expect(await world.query('select from static.hold')).toEqual([]);
  });

  test('holds for its time only, shorter for an account that has never paid', async () => {
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
    expect(await world.query('select from static.hold')).toEqual([]);
    expect(await world.query('select from static.address where hold_id is not null')).toEqual([]);
  });

  test('by bank transfer holds nothing, and takes what is free once it is paid', async () => {
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

  test('of the last addresses is answered one after the other: one buyer has them, the other is told', async () => {
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

    test('holds half of it at most for all who have never paid behind one address, and others can buy', async () => {
      const held = [];
      for (let number = 0; number < 8; number++) held.push(await place(`acct_fresh_${number}`, 1, { known: false, from: 'one door' }));
      expect(held).toEqual([...Array.from({ length: 5 }, () => 'held'), ...Array.from({ length: 3 }, () => 'hold_too_large')]);
      expect(await place('acct_k', 2, { from: 'one door' })).toBe('held');
      expect(await place('acct_elsewhere', 2, { known: false, from: 'another door' })).toBe('held');
      pause();
    });

    test('holds half of it at most for all who have never paid by cryptocurrency, three quarters by card', async () => {
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

    test('of the last piece can be held all the same: a shop with one of something sells it', async () => {
      await world.stock('isp-bluewire', 1, '10.30');
      const { token } = await offer('acct_n', 'isp-bluewire', 1);
      const { orderId } = await world.order('order.placed', token, 'acct_n', undefined, undefined, { known: false });
      expect((await world.answerTo(orderId))[0]?.type).toBe('static_stock.held');
      pause();
      await world.query(`update static.address set retired_at = now() where product_id = 'isp-bluewire'`);
    });
  });

  test('that is paid is delivered from what was held, once, and the delivery names it', async () => {
    const { token } = await offer('acct_1', 'isp-northline', 6);
    const { orderId } = await world.order('order.placed', token, 'acct_1');
    const held = (
      await world.query<{ ip: string }>('select host(ip) as ip from static.address where held_until > $1 order by ip', [
        world.platform.clock.now(),
      ])
    ).map(({ ip }) => ip);
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
    expect(await world.query('select from static.hold where order_id = $1', [orderId])).toEqual([]);
  });

  test('that cannot be delivered in the stated time is given up, and says so, for accounts to pay it back', async () => {
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
    // What accounts says of it afterwards changes nothing, and stock that comes now is not given to it.
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

  test('that is refunded before its delivery is not delivered any more', async () => {
    const planId = await world.plan('acct_1', 'isp-bluewire', 1, 'ord_refunded');
    await world.tell({ type: 'order.refunded', accountId: 'acct_1', subject: 'ord_refunded', data: { seller: 'static' } });
    await world.stock('isp-bluewire', 1, '10.3');
    await world.platform.queue.runNow('static.plan-deliver-pending');
    expect(await planOf('ord_refunded')).toMatchObject({ id: planId, status: 'CANCELLED' });
  });

  test('of another seller is none of ours', async () => {
    await world.tell({
      type: 'order.paid',
      accountId: 'acct_1',
      subject: 'ord_vps',
      data: { seller: 'compute', fulfil: { plan: 'PLANK' }, title: 'Plank' },
    });
    expect(await planOf('ord_vps')).toBeUndefined();
  });
});

describe('the subscription behind a plan', () => {
  const bought = async (accountId: string) => {
    const { token } = await offer(accountId, 'isp-cascade', 2);
    const { orderId, subscriptionId } = await world.order('order.paid', token, accountId);
    const plan = await planOf(orderId);
    if (!plan) throw new Error('no plan');
    return { orderId, subscriptionId, id: plan.id, ips: await ipsOf(plan.id) };
  };
  const period = (version: number) => ({
    version,
    currentPeriodStart: world.platform.clock.now(),
    currentPeriodEnd: new Date(world.platform.clock.now().getTime() + 30 * DAY),
  });

  test('suspends it, keeps its addresses, and gives the same ones back when it is paid in time', async () => {
    const plan = await bought('acct_3');
    await world.subscription('past_due', plan.subscriptionId, 'acct_3', period(2));
    expect((await planOf(plan.orderId))?.status).toBe('ACTIVE');
    await world.subscription('suspended', plan.subscriptionId, 'acct_3', period(3));
    expect([(await planOf(plan.orderId))?.status, await ipsOf(plan.id)]).toEqual(['SUSPENDED', plan.ips]);
    await world.subscription('resumed', plan.subscriptionId, 'acct_3', period(4));
    expect([(await planOf(plan.orderId))?.status, await ipsOf(plan.id)]).toEqual(['ACTIVE', plan.ips]);
    // A late word of before changes nothing.
    await world.subscription('suspended', plan.subscriptionId, 'acct_3', period(3));
    expect((await planOf(plan.orderId))?.status).toBe('ACTIVE');
    await world.subscription('ended', plan.subscriptionId, 'acct_3', { ...period(5), reason: 'UNPAID' });
    expect([(await planOf(plan.orderId))?.status, await ipsOf(plan.id)]).toEqual(['EXPIRED', []]);
  });

  test('cancels it at the end of the period, unless that is taken back; its addresses rest before they are sold again', async () => {
    const plan = await bought('acct_4');
    await world.subscription('cancel_scheduled', plan.subscriptionId, 'acct_4', { ...period(2), cancelAtPeriodEnd: true });
    expect(await planOf(plan.orderId)).toMatchObject({ status: 'ACTIVE', cancel_at_period_end: true });
    await world.subscription('cancel_taken_back', plan.subscriptionId, 'acct_4', period(3));
    expect(await planOf(plan.orderId)).toMatchObject({ status: 'ACTIVE', cancel_at_period_end: false });
    await world.subscription('renewed', plan.subscriptionId, 'acct_4', period(4));
    expect((await planOf(plan.orderId))?.period_end).toEqual(period(4).currentPeriodEnd);
    const before = (await available('isp-cascade')).available;
    await world.subscription('ended', plan.subscriptionId, 'acct_4', { ...period(5), reason: 'CANCELLED' });
    expect([(await planOf(plan.orderId))?.status, await ipsOf(plan.id)]).toEqual(['CANCELLED', []]);
    expect((await available('isp-cascade')).available).toBe(before);
    world.platform.clock.advance(48 * HOUR);
    expect((await available('isp-cascade')).available).toBeGreaterThanOrEqual(before + 2);
  });

  test('ends it at once when support has paid it back', async () => {
    const plan = await bought('acct_5');
    await world.subscription('ended', plan.subscriptionId, 'acct_5', { ...period(2), reason: 'REFUNDED' });
    expect([(await planOf(plan.orderId))?.status, await ipsOf(plan.id)]).toEqual(['CANCELLED', []]);
  });
});

describe('the quantity of a plan', () => {
  const MORE =
    'mutation ($id: ID!, $quantity: Int!) { staticPlanOfferMore(id: $id, quantity: $quantity) { token total { amountMinor } credit { amountMinor } renewal { total { amountMinor } } } }';
  const FEWER =
    'mutation ($id: ID!, $addresses: [String!]!) { staticPlanOfferFewer(id: $id, addresses: $addresses) { token total { amountMinor } credit { amountMinor } renewal { total { amountMinor } } } }';
  let plan: { id: string; orderId: string; subscriptionId: string };

  beforeAll(async () => {
    await world.stock('isp-meridian', 10, '10.7');
    const { token } = await offer('acct_6', 'isp-meridian', 4);
    const { orderId, subscriptionId } = await world.order('order.paid', token, 'acct_6');
    plan = { id: (await planOf(orderId))?.id ?? '', orderId, subscriptionId };
  });

  test('grows for what is left of the period: a third of it, a third of the price', async () => {
    world.platform.clock.advance(20 * DAY);
    const { data } = await ask('acct_6', MORE, { id: plan.id, quantity: 3 });
    expect(data.staticPlanOfferMore).toMatchObject({
      total: { amountMinor: 240 },
      credit: null,
      renewal: { total: { amountMinor: 7 * 240 } },
    });
    expect(world.open(data.staticPlanOfferMore.token, 'acct_6').subscription).toMatchObject({ id: plan.subscriptionId, basedOn: 1 });
    const before = await ipsOf(plan.id);
    const { orderId } = await world.order('order.paid', data.staticPlanOfferMore.token, 'acct_6');
    expect((await planOf(plan.orderId))?.quantity).toBe(7);
    expect(await ipsOf(plan.id)).toHaveLength(7);
    expect(await ipsOf(plan.id)).toEqual(expect.arrayContaining(before));
    expect((await factsOf(plan.id)).at(-1)).toEqual({ type: 'static_plan.delivered', data: { orderId, quantity: 3 } });
    await world.order('order.paid', data.staticPlanOfferMore.token, 'acct_6', orderId);
    expect(await ipsOf(plan.id)).toHaveLength(7);
  });

  test('shrinks by the addresses that are named, and their part of the period becomes credit', async () => {
    const ips = await ipsOf(plan.id);
    const going = ips.slice(0, 2);
    const { data } = await ask('acct_6', FEWER, { id: plan.id, addresses: going });
    expect(data.staticPlanOfferFewer).toMatchObject({
      total: { amountMinor: 0 },
      credit: { amountMinor: 160 },
      renewal: { total: { amountMinor: 5 * 240 } },
    });
    const { orderId } = await world.order('order.paid', data.staticPlanOfferFewer.token, 'acct_6');
    await world.order('order.paid', data.staticPlanOfferFewer.token, 'acct_6', orderId);
    expect(await ipsOf(plan.id)).toEqual(ips.slice(2));
    expect((await planOf(plan.orderId))?.quantity).toBe(5);
  });

  const priceOf = async (query: string, variables: Record<string, unknown>, account = 'acct_6') => {
    const { data, code, message } = await ask(account, query, variables);
    const [token] = Object.values((data ?? {}) as Record<string, { token: string } | null>).map((one) => one?.token ?? '');
    return { code, message, terms: token ? world.open(token, account) : undefined };
  };
  /** A plan of its own that is delivered. */
  const bought = async (accountId: string, productId: string, quantity: number) => {
    const { token } = await offer(accountId, productId, quantity);
    const { orderId, subscriptionId } = await world.order('order.paid', token, accountId);
    return { id: (await planOf(orderId))?.id ?? '', orderId, subscriptionId, accountId };
  };
  type Bought = Awaited<ReturnType<typeof bought>>;
  /** What accounts appends in one transaction when a change is paid: the subscription's new version, then the order. */
  const paidChange = ({ subscriptionId, accountId }: Bought, terms: OfferTerms | undefined, orderId: string, version: number) => {
    const now = world.platform.clock.now();
    const period = { currentPeriodStart: now.toISOString(), currentPeriodEnd: after(now, 20 * DAY).toISOString() };
    const sold = { seller: 'static', fulfil: terms?.fulfil ?? {}, expiresAt: now.toISOString(), title: 'A change' };
    const subscription = { id: subscriptionId, version, months: 1, ...period };
    const data = { seller: 'static', orderId, version, status: 'ACTIVE' as const, cancelAtPeriodEnd: false, ...period };
    return [
      { type: 'subscription.changed' as const, accountId, subject: subscriptionId, data },
      { type: 'order.paid' as const, accountId, subject: orderId, data: { ...sold, subscription } },
    ] as const;
  };

  test('can be changed again after addresses were given back, each time from the version that accounts has', async () => {
    await world.stock('isp-meridian', 12, '10.71');
    const own = await bought('acct_10', 'isp-meridian', 6);
    for (const version of [2, 3]) {
      const [going] = await ipsOf(own.id);
      const { terms } = await priceOf(FEWER, { id: own.id, addresses: [going] }, 'acct_10');
      expect(terms?.subscription?.basedOn).toBe(version - 1);
      await world.tell(...paidChange(own, terms, `ord_fewer_${version}`, version));
      expect((await planOf(own.orderId))?.quantity).toBe(6 - (version - 1));
    }
    const { terms } = await priceOf(MORE, { id: own.id, quantity: 1 }, 'acct_10');
    expect(terms?.subscription).toMatchObject({ basedOn: 3, lines: [{ quantity: 5 }] });
  });

  test('comes out right when several facts of a plan are heard in one go', async () => {
    const own = await bought('acct_11', 'isp-meridian', 6);
    const { terms } = await priceOf(FEWER, { id: own.id, addresses: (await ipsOf(own.id)).slice(0, 2) }, 'acct_11');
    const [changed, paid] = paidChange(own, terms, 'ord_of_a_batch', 2);
    const cancelled = {
      ...changed,
      type: 'subscription.cancel_scheduled' as const,
      data: { ...changed.data, version: 3, cancelAtPeriodEnd: true },
    };
    await world.tell(changed, paid, cancelled);
    expect(await planOf(own.orderId)).toMatchObject({ quantity: 4, cancel_at_period_end: true });
    expect(await ipsOf(own.id)).toHaveLength(4);
    const [row] = await world.query<{ billing_version: number }>('select billing_version from static.plan where id = $1', [own.id]);
    expect(row?.billing_version).toBe(3);
  });

  test('is not changed again while a change is on its way: it would be priced from what is not true any more', async () => {
    await world.stock('isp-northline', 8, '10.72');
    const own = await bought('acct_12', 'isp-northline', 2);
    const free = (await available('isp-northline')).available;
    const { terms } = await priceOf(MORE, { id: own.id, quantity: free }, 'acct_12');
    // Paid, and not to be delivered for now: the shelf is empty.
    await world.query(`update static.address set reserved_at = now() where plan_id is null and product_id = 'isp-northline'`);
    await world.query('update static.address set hold_id = null, held_until = null');
    await world.tell(...paidChange(own, terms, 'ord_open', 2));
    expect((await planOf(own.orderId))?.quantity).toBe(2);
    const [kept] = await ipsOf(own.id);
    const reason = 'Bought addresses are on their way to this plan: change it again when they are there.';
    for (const [query, variables] of [
      [MORE, { id: own.id, quantity: 1 }],
      [FEWER, { id: own.id, addresses: [kept] }],
    ] as const)
      expect(await priceOf(query, variables, 'acct_12')).toEqual({ code: 'action_not_allowed', message: reason, terms: undefined });
    const { data } = await ask('acct_12', '{ staticSubscriptions { availableActions { action allowed reason } } }');
    expect(data.staticSubscriptions[0].availableActions).toContainEqual({ action: 'change_quantity', allowed: false, reason });
    await world.query('update static.address set reserved_at = null');
    await world.platform.queue.runNow('static.plan-deliver-pending');
    expect((await planOf(own.orderId))?.quantity).toBe(2 + free);
    expect((await priceOf(FEWER, { id: own.id, addresses: [kept] }, 'acct_12')).terms?.subscription).toMatchObject({
      basedOn: 2,
      lines: [{ quantity: 1 + free }],
    });
  });

  test('is not changed to what cannot be', async () => {
    const ips = await ipsOf(plan.id);
    expect((await ask('acct_6', FEWER, { id: plan.id, addresses: ips })).code).toBe('quantity_invalid');
    expect((await ask('acct_6', FEWER, { id: plan.id, addresses: ['192.0.2.1'] })).code).toBe('parameter_invalid');
    expect((await ask('acct_6', FEWER, { id: plan.id, addresses: [] })).code).toBe('parameter_invalid');
    expect((await ask('acct_6', MORE, { id: plan.id, quantity: 0 })).code).toBe('quantity_invalid');
    expect((await ask('acct_6', MORE, { id: plan.id, quantity: 50 })).code).toBe('out_of_stock');
    expect((await ask('acct_7', MORE, { id: plan.id, quantity: 1 })).code).toBe('plan_not_found');
    const cancelled = {
      version: 2,
      currentPeriodStart: world.platform.clock.now(),
      currentPeriodEnd: new Date(world.platform.clock.now().getTime() + DAY),
    };
    await world.subscription('cancel_scheduled', plan.subscriptionId, 'acct_6', { ...cancelled, cancelAtPeriodEnd: true });
    const refused = await ask('acct_6', MORE, { id: plan.id, quantity: 1 });
    expect([refused.code, refused.message]).toEqual([
      'action_not_allowed',
      'This plan is cancelled at the end of its period: take the cancellation back first.',
    ]);
  });

  test('that was paid for and cannot be given is paid back, and the plan stays as it is', async () => {
    const planId = await world.plan('acct_8', 'datacenter', 1);
    await world.stock('datacenter', 1, '10.8');
    await world.platform.queue.runNow('static.plan-deliver-pending');
    await world.tell({
      type: 'order.paid',
      accountId: 'acct_8',
      subject: 'ord_more',
      data: { seller: 'static', fulfil: { kind: 'add', planId, quantity: 2 }, title: 'Two more' },
    });
    expect(await ipsOf(planId)).toHaveLength(1);
    world.platform.clock.advance(3 * HOUR);
    await world.platform.queue.runNow('static.plan-deliver-pending');
    expect((await factsOf(planId)).at(-1)).toMatchObject({ type: 'static_plan.failed', data: { orderId: 'ord_more' } });
    expect((await world.query<{ status: string }>('select status from static.plan where id = $1', [planId]))[0]?.status).toBe('ACTIVE');
  });
});

describe('"tell me when"', () => {
  test('tells once, when there is enough, and shows what is waited for until then', async () => {
    const watch = 'mutation ($quantity: Int!) { staticStockWatch(productId: "datacenter", quantity: $quantity) { watchedQuantity } }';
    expect((await ask('acct_w', watch, { quantity: 4 })).data.staticStockWatch.watchedQuantity).toBe(4);
    await world.stock('datacenter', 3, '10.9');
    await world.platform.queue.runNow('static.stock-sweep');
    expect((await available('datacenter', 'acct_w')).watchedQuantity).toBe(4);
    await world.stock('datacenter', 2, '10.10');
    await world.platform.queue.runNow('static.stock-sweep');
    await world.platform.queue.runNow('static.stock-sweep');
    const told = await world.query(`select account_id, data from platform.event where type = 'static_stock.available'`);
    expect(told).toEqual([{ account_id: 'acct_w', data: { title: 'Datacenter', quantity: 4 } }]);
    expect((await available('datacenter', 'acct_w')).watchedQuantity).toBeNull();
  });

  test('is taken back', async () => {
    await ask('acct_w', 'mutation { staticStockWatch(productId: "isp-bluewire", quantity: 900) { id } }');
    expect((await available('isp-bluewire', 'acct_w')).watchedQuantity).toBe(900);
    await ask('acct_w', 'mutation { staticStockUnwatch(productId: "isp-bluewire") { id } }');
    expect((await available('isp-bluewire', 'acct_w')).watchedQuantity).toBeNull();
    expect((await available('isp-bluewire', 'acct_other')).watchedQuantity).toBeNull();
  });
});
