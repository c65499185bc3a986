// `npm run prove -- hostile`: how much stock one account, or one address with many new accounts, can hold without paying. By checkout and both sellers, as
// fast as they answer, while others buy.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { HELD_SHARE } from '#platform/holds.ts';
import { HOLDING_ORDERS_MAX } from '../../../subgraphs/accounts/billing/payments/providers/method-definition.ts';
import type { Viewer } from '#platform/identity.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { importMachines } from '../../../subgraphs/compute/machines/services/machine-inventory.ts';
import { createAccount } from '../../../subgraphs/accounts/identity/services/sign-up.ts';
import { importInventory } from '../../../subgraphs/static/inventory/services/import-inventory.ts';
import { sessionOf } from '../../kit/platform.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { say, scaled } from '../scale.ts';
import { placeOrder } from '../../kit/purchase.ts';

const ADDRESSES = scaled(400, 100);
const FRESH = scaled(60, 12);
const METHODS = ['CARD', 'CRYPTO', 'BANK_TRANSFER'] as const;
const PRODUCT = 'isp-northline';

let stack: Stack;
let ask: (viewer: Viewer, name: 'accounts' | 'static' | 'compute', query: string, variables?: object) => Promise<any>;
beforeAll(async () => {
  stack = await startStack();
  const { subgraphs, platform, sandbox } = stack;
  await importInventory(
    subgraphs.static.systemContext('proof'),
    [
      'ip,port,product,location',
      ...Array.from({ length: ADDRESSES }, (_, index) => `10.9.${index >> 8}.${index & 255},8000,${PRODUCT},Frankfurt`),
    ].join('\n'),
  );
  await importMachines(subgraphs.compute.systemContext('proof'), [...sandbox.controllers.inventory]);
  const runners = {
    accounts: createSubgraphRunner(subgraphs.accounts, platform.log),
    static: createSubgraphRunner(subgraphs.static, platform.log),
    compute: createSubgraphRunner(subgraphs.compute, platform.log),
  };
  ask = async (viewer, name, query, variables = {}) =>
    JSON.parse(JSON.stringify(await runners[name].execute({ query, variables: { ...variables } }, viewer)));
});
afterAll(() => stack.close());

let people = 0;
async function account(address: string): Promise<Viewer> {
  const ctx = stack.subgraphs.accounts.systemContext('proof');
  const id = await createAccount(ctx, { email: `proof${++people}@example.com`, passwordHash: 'none', role: 'CUSTOMER' });
  return { ...sessionOf(id), address };
}

const priceOf: Record<'addresses' | 'machine', (viewer: Viewer, quantity: number) => Promise<string | undefined>> = {
  addresses: async (viewer, quantity) =>
    (
      await ask(
        viewer,
        'static',
        'mutation ($quantity: Int!) { staticOfferMake(productId: "isp-northline", quantity: $quantity) { token } }',
        {
          quantity,
        },
      )
    ).data?.staticOfferMake?.token,
  machine: async (viewer) =>
    (await ask(viewer, 'compute', '{ dedicatedOffer(plan: FARADAY, months: 1, os: DEBIAN_13) { token } }')).data?.dedicatedOffer?.token,
};

let keys = 0;
/** Resolves with the code of the refusal, or `placed`. */
async function order(viewer: Viewer, what: keyof typeof priceOf, quantity: number, method: (typeof METHODS)[number]): Promise<string> {
  const offer = await priceOf[what](viewer, quantity);
  if (!offer) return 'out_of_stock';
  const { errors } = await ask(viewer, 'accounts', placeOrder('id'), { offer, method, key: `proof-order-${++keys}` });
  return errors?.[0]?.extensions.code ?? 'placed';
}

async function held(): Promise<{ addresses: number; machines: number }> {
  const now = stack.clock.now();
  const [row] = await stack.database.query<{ addresses: string; machines: string }>(
    `select (select count(*) from static.address where held_until > $1) as addresses,
       (select count(*) from compute.stock_hold where held_until > $1 and plan_code = 'FARADAY') as machines`,
    [now],
  );
  return { addresses: Number(row?.addresses), machines: Number(row?.machines) };
}
const tally = (answers: readonly string[]) =>
  Object.entries(Object.groupBy(answers, (answer) => answer))
    .map(([answer, all]) => `${answer} ${all?.length}`)
    .join(', ');

const BOUND = Math.floor(HELD_SHARE.address * ADDRESSES);
async function othersCanBuy(): Promise<void> {
  const honest = await account('198.51.100.77');
  expect(await order(honest, 'addresses', 5, 'CARD')).toBe('placed');
  expect(await order(honest, 'machine', 1, 'CARD')).toBe('placed');
}

test('one account holds no more than its share, whatever it asks for and however fast', async () => {
  const viewer = await account('192.0.2.1');
  // First only prices: a page that is opened a hundred times.
  const looks = await Promise.all(Array.from({ length: scaled(100, 20) }, () => priceOf.addresses(viewer, ADDRESSES)));
  expect([looks.every(Boolean), await held()]).toEqual([true, { addresses: 0, machines: 0 }]);
  const sizes = [ADDRESSES, BOUND, BOUND / 2, 1].map(Math.floor);
  const answers = await Promise.all(
    METHODS.flatMap((method) => [...sizes.map((size) => order(viewer, 'addresses', size, method)), order(viewer, 'machine', 1, method)]),
  );
  for (let round = 0; round < scaled(10, 3); round++) answers.push(await order(viewer, 'addresses', 1, 'CARD'));
  const now = await held();
  say(
    `one account: ${answers.length} orders (${tally(answers)}); held ${now.addresses} of ${ADDRESSES} addresses, ${now.machines} of 3 machines`,
  );
  expect(now.addresses).toBeLessThanOrEqual(Math.floor(HELD_SHARE.account.new * ADDRESSES));
  expect(now.machines).toBeLessThanOrEqual(1);
  const [row] = await stack.database.query<{ count: string }>(
    `select count(*) from accounts.customer_order where status = 'PENDING' and method <> 'BANK_TRANSFER'`,
  );
  expect(Number(row?.count)).toBeLessThanOrEqual(HOLDING_ORDERS_MAX);
  await othersCanBuy();
});

test('one address with many fresh accounts holds no more than its share, and what it holds is free within a quarter of an hour', async () => {
  stack.clock.advance(61 * MINUTE);
  const door = () => `2001:db8:77::${(people + 1).toString(16)}`;
  const answers: string[] = [];
  for (let number = 0; number < FRESH; number += 4) {
    const viewers = await Promise.all(Array.from({ length: 4 }, () => account(door())));
    answers.push(
      ...(await Promise.all(
        viewers.flatMap((viewer, index) => [
          order(viewer, 'addresses', Math.max(1, Math.floor(ADDRESSES / 10)), METHODS[index % 2] ?? 'CARD'),
          order(viewer, 'machine', 1, 'CARD'),
          order(viewer, 'addresses', 1, 'BANK_TRANSFER'),
        ]),
      )),
    );
  }
  const now = await held();
  say(
    `one address, ${FRESH} fresh accounts: ${answers.length} orders (${tally(answers)}); held ${now.addresses} of ${ADDRESSES} addresses, ${now.machines} of 3 machines`,
  );
  expect(now.addresses).toBeLessThanOrEqual(BOUND);
  expect(now.addresses).toBeGreaterThan(0);
  expect(now.machines).toBeLessThanOrEqual(1);
  await othersCanBuy();
  stack.clock.advance(15 * MINUTE);
  expect(await held()).toEqual({ addresses: 0, machines: 0 });
});
