// Lists of an account with ten thousand of each: every row once, a page at a time, and each page by its index.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertPapers, pageCost } from '../../../../kit/many-papers.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';

const COUNT = 10_000;

let world: BillingWorld;
let ada: Person;
beforeAll(async () => {
  world = await startBilling();
  ada = await world.account('ada@example.com');
  for (const { id } of [ada, await world.account('other@example.com'), await world.account('third@example.com')])
    await insertPapers(world.query, id, COUNT);
});
afterAll(() => world.close());

interface Page {
  items: { id: string }[];
  next: string | null;
}
const ask = (field: string, variables: object) =>
  world.ask(ada.viewer, `query ($first: Int!, $after: ID) { me { page: ${field}(first: $first, after: $after) { items { id } next } } }`, {
    ...variables,
  });
async function pageOf(field: string, first: number, after: string | null): Promise<Page> {
  return dataOf<{ page: Page }>(await ask(field, { first, after }), 'me').page;
}

test.each(['orderPage', 'activity'])('%s has every row once, the newest first', async (field) => {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const { items, next } = await pageOf(field, 100, after);
    ids.push(...items.map(({ id }) => id));
    if (next === null) break;
    after = next;
  }
  expect(ids).toHaveLength(new Set(ids).size);
  expect(ids.length).toBeGreaterThanOrEqual(COUNT);
  expect(ids).toEqual(ids.toSorted().toReversed());
});

test('invoices page the same way, and the last page says so', async () => {
  const bea = await world.account('bea@example.com');
  for (let count = 0; count < 3; count++) await world.buy(bea);
  const query = '{ me { invoicePage(first: 2) { items { id } next } all: invoices { id } } }';
  const me = dataOf<{ invoicePage: Page; all: { id: string }[] }>(await world.ask(bea.viewer, query), 'me');
  expect(me.invoicePage.items).toEqual(me.all.slice(0, 2));
  const rest = `{ me { invoicePage(first: 2, after: "${me.invoicePage.next}") { items { id } next } } }`;
  expect(dataOf(await world.ask(bea.viewer, rest), 'me')).toEqual({ invoicePage: { items: me.all.slice(2), next: null } });
});

test.each([
  ['customer_order', 'customer_order_account', 'ord_'],
  ['activity', 'activity_account', 'act_'],
])('a page of %s deep in the list is read by its index, a page of rows and no more', async (table, index, prefix) => {
  const cost = await pageCost(world.query, table, ada.id, `${prefix}${String(COUNT / 2).padStart(20, '0')}`);
  expect(cost.nodes).toEqual([index]);
  expect(cost.rows).toBeLessThanOrEqual(26);
});

test('a page has 1 to 100 rows', async () => {
  for (const first of [0, 101])
    for (const field of ['orderPage', 'invoicePage']) expect(codeOf(await ask(field, { first }))).toBe('limit_invalid');
});
