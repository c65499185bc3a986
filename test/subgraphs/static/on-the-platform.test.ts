// Static plans and servers with their billing, read as customers do: over REST with a key, and over GraphQL with a session.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '#platform/ids.ts';
import { createPlan } from '../../../subgraphs/static/plans/services/create-plan.ts';
import { importInventory } from '../../../subgraphs/static/inventory/services/import-inventory.ts';
import type { SeededAccount } from '../../kit/seed.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { insertSubscription } from '../../kit/subscription.ts';
import { computeTables } from '../compute/tables.ts';

let stack: Stack;
let owner: SeededAccount;
let authorization: string;
const plans = { isp: '', datacenter: '', pending: '' };

/** Inserts a monthly subscription whose period ends on 1 March. Returns its id. */
async function subscription(accountId: string, amountMinor: number, status = 'ACTIVE'): Promise<string> {
  const id = newId('sub', stack.clock);
  await insertSubscription(stack.database.query, { id, accountId, status, amountMinor });
  return id;
}

beforeAll(async () => {
  stack = await startStack();
  owner = await stack.seed.account();
  const ctx = () => stack.subgraphs.static.systemContext('test');
  await importInventory(
    ctx(),
    'ip,port,product,location\n203.0.113.1,8000,isp-meridian,Frankfurt\n203.0.113.2,8001,isp-meridian,Frankfurt\n203.0.113.3,8000,datacenter,Frankfurt',
  );
  const buy = async (orderId: string, productId: string, quantity: number, amountMinor: number, status?: string) => {
    const subscriptionId = await subscription(owner.id, amountMinor, status);
    const id = await createPlan(ctx(), { orderId, accountId: owner.id, productId, quantity, subscriptionId });
    stack.clock.advance(1_000);
    return id;
  };
  plans.isp = await buy('ord_isp', 'isp-meridian', 2, 480);
  plans.datacenter = await buy('ord_dc', 'datacenter', 1, 120, 'PAST_DUE');
  plans.pending = await buy('ord_pending', 'isp-cascade', 1, 240);
  await stack.settle();
  ({ authorization } = await owner.apiKey());
}, 60_000);
afterAll(() => stack.close());

const get = async (path: string) =>
  ((await (await fetch(`${stack.url}${path}`, { headers: { authorization } })).json()) as { data: any }).data;

test('GET /v1/static/isp lists the ISP plans with their lines, newest first; a plan that waits for stock has none', async () => {
  const { plans: listed, ...page } = await get('/v1/static/isp');
  expect(page).toEqual({ total: 2, currentPage: 1, totalPages: 1 });
  expect(listed).toEqual([
    { _id: plans.pending, status: 'PENDING', quantity: 1, proxies: [] },
    {
      _id: plans.isp,
      status: 'ACTIVE',
      quantity: 2,
      proxies: [expect.stringMatching(/^203\.0\.113\.1:8000:\w+:\w+$/), expect.stringMatching(/^203\.0\.113\.2:8001:\w+:\w+$/)],
    },
  ]);
});

test('GET /v1/static/dc, a second page, and a single product', async () => {
  expect((await get('/v1/static/dc')).plans).toMatchObject([
    { _id: plans.datacenter, status: 'ACTIVE', proxies: [expect.stringContaining('203.0.113.3:8000:')] },
  ]);
  expect(await get('/v1/static/isp?limit=1&page=2')).toMatchObject({
    plans: [{ _id: plans.isp }],
    total: 2,
    currentPage: 2,
    totalPages: 2,
  });
  expect(await get('/v1/static/isp?productId=isp-meridian')).toMatchObject({ plans: [{ _id: plans.isp }], total: 1 });
  expect(await get('/v1/static/isp?productId=no-such-product')).toEqual({ plans: [], total: 0, currentPage: 1, totalPages: 0 });
});

test('GET /v1/subscriptions lists every static plan with live billing', async () => {
  const { subscriptions } = await get('/v1/subscriptions');
  const billing = { status: 'active', current_period_end: 1_898_553_600, interval: 'month' };
  expect(subscriptions).toMatchObject([
    { plan_id: plans.pending, type: 'ISP', product_name: 'ISP Cascade', status: 'PENDING', billing: { ...billing, amount: 240 } },
    {
      plan_id: plans.datacenter,
      type: 'DC',
      product_name: 'Datacenter',
      status: 'ACTIVE',
      billing: { ...billing, status: 'past_due', amount: 120 },
    },
    { plan_id: plans.isp, type: 'ISP', product_name: 'ISP Meridian', status: 'ACTIVE', billing: { ...billing, amount: 480 } },
  ]);
});

test('the billing of all plans is read at once', async () => {
  const { accounts } = stack.subgraphs;
  const { context } = accounts;
  let reads = 0;
  accounts.context = (viewer, signal) => {
    const made = context(viewer, signal);
    const find = made.em.find.bind(made.em);
    const findOne = made.em.findOne.bind(made.em);
    made.em.find = ((...args: Parameters<typeof find>) => (reads++, find(...args))) as typeof made.em.find;
    made.em.findOne = ((...args: Parameters<typeof findOne>) => (reads++, findOne(...args))) as typeof made.em.findOne;
    return made;
  };
  onTestFinished(() => void (accounts.context = context));
  await get('/v1/subscriptions');
  expect(reads).toBe(1);
});

test('another account sees none of it', async () => {
  const stranger = await (await stack.seed.account()).apiKey();
  const answer = await fetch(`${stack.url}/v1/static/isp`, { headers: { authorization: stranger.authorization } });
  expect(await answer.json()).toMatchObject({ statusCode: 200, data: { plans: [], total: 0, currentPage: 1, totalPages: 0 } });
});

test('a session reads its servers with plan and billing in one request', async () => {
  const subscriptionId = await subscription(owner.id, 16_998);
  const id = newId('vps', stack.clock);
  await computeTables(stack.database.query).addServer({ id, accountId: owner.id, subscriptionId });
  const query = `{ servers { id hostname powerState ... on Vps { status plan { name vcpu prices { months upfront { amountMinor } } } billing { status amount { amountMinor } } account { id email } } } }`;
  const answer = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: await owner.cookie(), origin: stack.url },
    body: JSON.stringify({ query }),
  });
  expect(await answer.json()).toMatchObject({
    data: {
      servers: [
        {
          id,
          hostname: 'web-1',
          powerState: 'RUNNING',
          status: 'ACTIVE',
          plan: { name: 'Plank', vcpu: 8, prices: [{ months: 1 }, { months: 3 }, { months: 6, upfront: { amountMinor: 16_998 } }] },
          billing: { status: 'ACTIVE', amount: { amountMinor: 16_998 } },
          account: { id: owner.id, email: owner.email },
        },
      ],
    },
  });
});
