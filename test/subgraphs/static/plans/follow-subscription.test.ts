import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { startSelling } from '../selling-world.ts';

const { world, offer, available, planOf, ipsOf } = await startSelling();
beforeAll(() => world.stock('isp-cascade', 5, '10.2'));

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
    // A late event with an older version changes nothing.
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
