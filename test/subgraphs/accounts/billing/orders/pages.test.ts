// Lists of an account with ten thousand rows each: the pages show every row once, and each query of a page reads a page of rows by an index.
import { print } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationOf } from '../../../../kit/dashboard-operations.ts';
import { PAPERS, costOf, insertPapers } from '../../../../kit/many-papers.ts';
import { watchStatements } from '../../../../kit/statements.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';

const COUNT = 10_000;
const MIDDLE = String(COUNT / 2).padStart(20, '0');

let world: BillingWorld;
let ada: Person;
let desk: Person;
beforeAll(async () => {
  world = await startBilling();
  ada = await world.account('ada@example.com');
  desk = await world.account('desk@example.com', 'STAFF');
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

test.each(['orderPage', 'invoicePage', 'activity'])('%s has every row once, the newest first', async (field) => {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const { items, next } = await pageOf(field, 100, after);
    expect(items.length).toBeLessThanOrEqual(100);
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

test('orders are found by words of their title and by their id, invoices by number, by its end and by order', async () => {
  const cleo = await world.account('cleo@example.com');
  const [{ id: first }, { id: second }] = [await world.buy(cleo), await world.buy(cleo)];
  const query = `query ($search: String!) { me {
    orderPage(search: $search) { items { id title } } invoicePage(search: $search) { items { id number orderId } } } }`;
  const found = async (search: string, viewer = cleo.viewer) => {
    type Found = { orderPage: { items: { id: string; title: string }[] }; invoicePage: { items: { number: string; orderId: string }[] } };
    const { orderPage, invoicePage } = dataOf<Found>(await world.ask(viewer, query, { search }), 'me');
    return { orders: orderPage.items, invoices: invoicePage.items };
  };
  const all = await found('  ');
  expect([all.orders.length, all.invoices.length]).toEqual([2, 2]);
  const title = all.orders[0]?.title ?? '';
  expect((await found(title.slice(2, -2).toUpperCase())).orders).toHaveLength(2);
  for (const nothing of ['%', '_', 'no such words']) expect(await found(nothing)).toEqual({ orders: [], invoices: [] });
  expect(await found(first.toUpperCase())).toMatchObject({ orders: [{ id: first }], invoices: [{ orderId: first }] });
  const number = all.invoices.find(({ orderId }) => orderId === second)?.number ?? '';
  for (const written of [number, number.toLowerCase(), number.split('-')[2] ?? '', String(Number(number.split('-')[2]))])
    expect((await found(written)).invoices).toMatchObject([{ number }]);
  expect(await found(first, ada.viewer)).toEqual({ orders: [], invoices: [] });
  expect((await found(number, ada.viewer)).invoices).toEqual([]);
});

/** The answer of `work`, and the statements that read for it. */
async function readsOf<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; reads: { text: string; values: unknown[] }[] }> {
  const reads: { text: string; values: unknown[] }[] = [];
  const stop = watchStatements(({ text, values }) => {
    if (/^\s*(select|with)\b/i.test(text) && !/\bplatform\.|pgboss/.test(text)) reads.push({ text, values });
  });
  try {
    return { answer: await work(), reads };
  } finally {
    stop();
  }
}

/** Operations of the dashboard and the desk, with a cursor deep in the list, and the most rows that each may read. */
const SHOWN = [
  ['orders', ['order', 'OrderPage'], () => ada, { after: `ord_${MIDDLE}` }, 26],
  ['invoices', ['billing', 'InvoicePage'], () => ada, { after: `inv_${MIDDLE}` }, 26],
  ['activity', ['activity', 'ActivityPage'], () => ada, { after: `act_${MIDDLE}` }, 26],
  ['the first orders', ['order', 'OrderPage'], () => ada, {}, 26],
  ['the first invoices', ['billing', 'InvoicePage'], () => ada, {}, 26],
  ['the first activity', ['activity', 'ActivityPage'], () => ada, {}, 26],
  ['activity, at the desk,', ['activity', 'SupportActivityPage'], () => desk, { after: `act_${MIDDLE}` }, 26],
  ['an account, at the desk,', ['support', 'SupportAccount'], () => desk, {}, 200],
] as const;
test.each(SHOWN)('the page of %s is read by indexes, in few statements', async (_, [noun, name], viewer, variables, most) => {
  const document = await operationOf(noun, name);
  const { reads } = await readsOf(async () => {
    const answer = await world.ask(viewer().viewer, print(document), { id: ada.id, ...variables });
    expect(codeOf(answer)).toBeUndefined();
  });
  // The statements on the filled tables, of which there must be some.
  const ofPapers = reads.filter(({ text }) => PAPERS.some((table) => new RegExp(`\\b${table}\\b`).test(text)));
  expect(ofPapers.length).toBeGreaterThan(0);
  const costs = await Promise.all(ofPapers.map(async ({ text, values }) => ({ text, ...(await costOf(world.query, text, values)) })));
  for (const { text, whole, rows } of costs) {
    expect(
      whole.filter((table) => (PAPERS as readonly string[]).includes(table)),
      text,
    ).toEqual([]);
    expect(rows, text).toBeLessThanOrEqual(most);
  }
  // A page takes no more statements than one row of it.
  expect(reads.length, reads.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(16);
});

test('a page has 1 to 100 rows', async () => {
  for (const first of [0, 101])
    for (const field of ['orderPage', 'invoicePage']) expect(codeOf(await ask(field, { first }))).toBe('limit_invalid');
});
