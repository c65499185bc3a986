// Tax and a change of country, through the whole platform: nobody can gain money by moving.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importInventory } from '../../../../subgraphs/static/inventory/services/import-inventory.ts';
import { askAs } from '../../../kit/dashboard.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';
import { orderAndPay } from '../../../kit/purchase.ts';
import { rowOf } from '../../../kit/tables.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ environment: { TAX_RATES: 'DE=19,HU=27' } });
  const line = (index: number) => `203.0.113.${index},8000,isp-northline,Frankfurt`;
  const lines = Array.from({ length: 60 }, (_, index) => line(index + 1));
  await importInventory(stack.subgraphs.static.systemContext('test'), ['ip,port,product,location', ...lines].join('\n'));
});
afterAll(() => stack.close());

async function customer() {
  const person = await stack.seed.account();
  const ask = askAs(stack.url, await person.cookie()) as (query: string, variables?: object) => Promise<any>;
  const order = async (offer: string) => (await orderAndPay(stack, ask, offer)).resourceId ?? '';
  return {
    moveTo: async (country: string) => {
      const input = { name: 'A Customer', address: ['1 Road'], country };
      await ask('mutation ($input: BillingDetailsInput!) { billingDetailsSet(input: $input) { country } }', { input });
      await stack.settle();
    },
    buy: async (quantity: number) => {
      const make = 'mutation ($quantity: Int!) { staticOfferMake(productId: "isp-northline", quantity: $quantity) { token } }';
      return order((await ask(make, { quantity })).staticOfferMake.token);
    },
    importMachine: async (id: string) => {
      const { staticPlan } = await ask('query ($id: ID!) { staticPlan(id: $id) { proxies } }', { id });
      const addresses = staticPlan.proxies.slice(1).map((proxy: string) => proxy.split(':')[0]);
      const make = 'mutation ($id: ID!, $addresses: [String!]!) { staticPlanOfferFewer(id: $id, addresses: $addresses) { token } }';
      await order((await ask(make, { id, addresses })).staticPlanOfferFewer.token);
    },
    credit: async (): Promise<number> => (await ask('{ me { credit { balance { amountMinor } } } }')).me.credit.balance.amountMinor,
  };
}
const taxLedger = async () =>
  Number(
    (
      await rowOf<{ sum: string }>(
        stack.database.query,
        'accounts.ledger_entry',
        { ledger: 'TAX' },
        { columns: 'coalesce(sum(amount_minor), 0) as sum' },
      )
    )?.sum,
  );

test('buying without tax, moving to a country with tax, and removing addresses gains no money, however often', async () => {
  const ada = await customer();
  await ada.moveTo('US');
  const first = await ada.buy(20);
  await ada.moveTo('HU');
  await ada.importMachine(first);
  // 19 of 20 addresses, bought for 48.00, are removed seconds after the start of the month, and no tax was paid.
  expect(await ada.credit()).toBeLessThanOrEqual(4_560);
  expect(await ada.credit()).toBeGreaterThan(4_550);
  await ada.moveTo('US');
  const before = await ada.credit();
  const second = await ada.buy(19);
  await ada.moveTo('HU');
  await ada.importMachine(second);
  expect(await ada.credit()).toBeLessThan(before);
  expect(await taxLedger()).toBe(0);
});

test('buying with tax and removing addresses from a country without tax refunds the paid tax', async () => {
  const ben = await customer();
  await ben.moveTo('DE');
  const plan = await ben.buy(10);
  const owed = await taxLedger();
  expect(owed).toBe(-456);
  await ben.moveTo('US');
  await ben.importMachine(plan);
  const credit = await ben.credit();
  expect(credit).toBeLessThanOrEqual(Math.round(2_160 * 1.19));
  expect(credit).toBeGreaterThan(2_560);
  expect((await taxLedger()) - owed).toBe(credit - Math.round(credit / 1.19));
});
