import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, after } from '#platform/clock.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { startSelling } from '../selling-world.ts';

const { world, ask, offer, available, planOf, ipsOf, factsOf } = await startSelling();

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
  /** Buys a new plan, which is delivered. */
  const bought = async (accountId: string, productId: string, quantity: number) => {
    const { token } = await offer(accountId, productId, quantity);
    const { orderId, subscriptionId } = await world.order('order.paid', token, accountId);
    return { id: (await planOf(orderId))?.id ?? '', orderId, subscriptionId, accountId };
  };
  type Bought = Awaited<ReturnType<typeof bought>>;
  /** The events that accounts appends in one transaction when a change is paid: the subscription's new version, then the order. */
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

  test('is right when several events of a plan are handled together', async () => {
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
    const row = await world.tables.plan(own.id);
    expect(row?.billing_version).toBe(3);
  });

  test('cannot be changed while another change is pending, as its price would be based on the old quantity', async () => {
    await world.stock('isp-northline', 8, '10.72');
    const own = await bought('acct_12', 'isp-northline', 2);
    const free = (await available('isp-northline')).available;
    const { terms } = await priceOf(MORE, { id: own.id, quantity: free }, 'acct_12');
    // The change is paid, but cannot be delivered yet, as the stock is empty.
    await world.tables.emptyShelf('isp-northline');
    await world.tables.letGoOfHeld();
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
    await world.tables.fillShelf();
    await world.platform.queue.runNow('static.plan-deliver-pending');
    expect((await planOf(own.orderId))?.quantity).toBe(2 + free);
    expect((await priceOf(FEWER, { id: own.id, addresses: [kept] }, 'acct_12')).terms?.subscription).toMatchObject({
      basedOn: 2,
      lines: [{ quantity: 1 + free }],
    });
  });

  test('cannot be changed to an invalid one', async () => {
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

  test('that is paid and cannot be delivered is refunded, and the plan stays as it is', async () => {
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
    expect((await world.tables.plan(planId))?.status).toBe('ACTIVE');
  });
});
