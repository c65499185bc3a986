import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import { openOffer } from '#commerce/offers.ts';
import { inTransaction } from '#platform/database.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { DAY, after } from '#platform/clock.ts';
import { fulfilOrder, withdrawOrder } from '../../../../subgraphs/residential/plans/services/fulfil-order.ts';
import { statusOf } from '../../../../subgraphs/residential/plans/domain/plan-status.ts';
import { seedResidential } from '../../../../subgraphs/residential/seed.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const SOLD = { seller: 'residential', fulfil: { product: 'MOBILE', bytes: '5000000000' } };
const about = (orderId: string) => ({ at: world.clock.now(), accountId: 'acct_buyer', subject: orderId });
const paid = (orderId: string, data: Partial<EventOf<'order.paid'>['data']> = {}) => ({
  type: 'order.paid' as const,
  ...about(orderId),
  data: { ...SOLD, title: 'Mobile, 5 GB', ...data },
});
const refunded = (orderId: string) => ({ type: 'order.refunded' as const, ...about(orderId), data: SOLD });
const plansOf = (orderId: string) =>
  rowsOf<{ id: string; account_id: string; product: string; total_bytes: string; username: string }>(world.query, 'residential.plan', {
    order_id: orderId,
  });

describe('a paid order', () => {
  test('delivers exactly one plan under twenty parallel deliveries', async () => {
    await Promise.all(Array.from({ length: 20 }, () => inTransaction(world.context(), (tx) => fulfilOrder(tx, paid('ord_parallel')))));
    const plans = await plansOf('ord_parallel');
    expect(plans).toMatchObject([{ account_id: 'acct_buyer', product: 'MOBILE', total_bytes: '5000000000' }]);
    expect(await world.events(plans[0]?.id ?? '')).toMatchObject([
      { type: 'fulfilment.delivered', data: { orderId: 'ord_parallel' } },
      { type: 'residential_plan.created', data: { orderId: 'ord_parallel', planId: plans[0]?.id } },
    ]);
  });

  test('is read from the event log', async () => {
    const data = { ...SOLD, title: 'Mobile, 5 GB' };
    await inTransaction(world.context(), (tx) => appendEvents(tx.em, { type: 'order.paid', ...about('ord_logged'), data }));
    await world.subgraph.reader.drain();
    expect(await plansOf('ord_logged')).toHaveLength(1);
  });

  test('that was refunded before its delivery gets nothing', async () => {
    const data = { ...SOLD, title: 'Mobile, 5 GB' };
    for (const event of [{ type: 'order.paid', ...about('ord_refunded'), data } as const, refunded('ord_refunded')])
      await inTransaction(world.context(), (tx) => appendEvents(tx.em, event));
    await world.subgraph.reader.drain();
    expect(await plansOf('ord_refunded')).toEqual([]);
  });

  test('that is refunded during its delivery loses its plan, or its unused bytes', async () => {
    for (const orderId of ['ord_untouched', 'ord_touched']) await fulfilOrder(world.context(), paid(orderId));
    const [touched] = await plansOf('ord_touched');
    await world.use(await world.planNow(touched?.id ?? ''), 700n);
    for (const orderId of ['ord_untouched', 'ord_touched', 'ord_touched', 'ord_nobody'])
      await inTransaction(world.context(), (tx) => withdrawOrder(tx, refunded(orderId)));
    expect(await plansOf('ord_untouched')).toEqual([]);
    const left = await world.planNow(touched?.id ?? '');
    expect([left.totalBytes, statusOf(left)]).toEqual([700n, 'EXPIRED']);
  });

  test('of another seller is left alone', async () => {
    await fulfilOrder(world.context(), paid('ord_compute', { seller: 'compute', fulfil: { plan: 'PLANK' }, title: 'Plank' }));
    expect(await plansOf('ord_compute')).toEqual([]);
  });

  test('makes usernames that cannot be confused with other parts of a proxy line', async () => {
    const plans = await Promise.all(Array.from({ length: 20 }, () => world.plan('acct_names')));
    expect(new Set(plans.map(({ username }) => username)).size).toBe(20);
    for (const { username } of plans) expect(username).toMatch(/^[0-9a-z]{10}$/);
  });
});

describe('an offer', () => {
  const OFFER = `query ($product: ResidentialProductCode!, $gigabytes: Int!) {
    residentialOffer(product: $product, gigabytes: $gigabytes) { token title lines { label quantity amount { amountMinor currency } } subtotal { amountMinor } tax { amountMinor } total { amountMinor } expiresAt } }`;

  test('is the price of the whole package, signed, and says what a payment delivers', async () => {
    const { data } = await world.ask(sessionOf('acct_buyer'), OFFER, { product: 'PREMIUM', gigabytes: 10 });
    expect(data).toMatchObject({
      residentialOffer: {
        title: 'Premium, 10 GB',
        subtotal: { amountMinor: 4500 },
        tax: { amountMinor: 0 },
        total: { amountMinor: 4500 },
        lines: [{ quantity: 10, amount: { amountMinor: 4500, currency: 'USD' } }],
        expiresAt: after(world.clock.now(), 15 * 60_000).toISOString(),
      },
    });
    const { token } = (data as { residentialOffer: { token: string } }).residentialOffer;
    const terms = openOffer(token, 'acct_buyer', world.platform.secrets.offers, world.clock);
    expect(terms).toMatchObject({ seller: 'residential', fulfil: { product: 'PREMIUM', bytes: (10n * GB).toString() } });
  });

  test.each([0, -5, 10_001, 2_147_483_647])('of %i GB is refused', async (gigabytes) => {
    expect(codesOf(await world.ask(sessionOf('acct_buyer'), OFFER, { product: 'MOBILE', gigabytes }))).toEqual(['quantity_invalid']);
  });

  test('is not for keys', async () => {
    expect(codesOf(await world.ask(keyOf('acct_buyer'), OFFER, { product: 'MOBILE', gigabytes: 1 }))).toEqual(['forbidden']);
  });
});

test("offers use the operator's own prices and names", async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'egress-catalogue-')), 'catalogue.json');
  writeFileSync(file, JSON.stringify({ residential: { PREMIUM: { name: 'Gold', prices: { 1: '9.99', 20: '9.00' } } } }));
  const own = await startResidential({ CATALOGUE_FILE: file });
  const { data } = await own.ask(
    sessionOf('acct_buyer'),
    '{ few: residentialOffer(product: PREMIUM, gigabytes: 19) { title total { amountMinor } } many: residentialOffer(product: PREMIUM, gigabytes: 20) { total { amountMinor } } }',
  );
  await own.close();
  expect(data).toEqual({ few: { title: 'Gold, 19 GB', total: { amountMinor: 18_981 } }, many: { total: { amountMinor: 18_000 } } });
});

test('the demo has a plan of each product and 90 days of use that adds up', async () => {
  const now = world.clock.now();
  const ids = await seedResidential(world.context(), { accountId: 'acct_demo', now });
  const { data } = await world.ask(
    sessionOf('acct_demo'),
    '{ residentialPlans { id product { code } status createdAt totalBytes usage { usedBytes usedTodayBytes } days(last: 90) { totalBytes } } }',
  );
  const plans = (
    data as {
      residentialPlans: {
        id: string;
        product: { code: string };
        status: string;
        createdAt: string;
        usage: { usedBytes: string; usedTodayBytes: string };
        days: { totalBytes: string }[];
      }[];
    }
  ).residentialPlans;
  expect(plans.map(({ id }) => id)).toEqual(ids);
  expect(plans.map(({ product }) => product.code)).toEqual(['PREMIUM', 'PRIVATE_RESIDENTIAL', 'MOBILE', 'ALT_RESIDENTIAL']);
  for (const { status, createdAt, usage, days } of plans) {
    expect(status).toBe('ACTIVE');
    expect(new Date(createdAt).getTime()).toBeLessThanOrEqual(after(now, -89 * DAY).getTime());
    expect(days.reduce((sum, { totalBytes }) => sum + BigInt(totalBytes), 0n)).toBe(BigInt(usage.usedBytes));
    expect(days.filter(({ totalBytes }) => totalBytes === '0')).toEqual([]);
    expect(days.at(-1)?.totalBytes).toBe(usage.usedTodayBytes);
  }
});
