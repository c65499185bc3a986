import { expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { CHECKOUT_VALID_MS } from '../../../../../subgraphs/accounts/billing/payments/providers/card/card.ts';
import { type Person, type PlacedOrder, startBilling } from '../world.ts';
import { invoiceRows } from '../../../../kit/invoice-rows.ts';
import { jobRows } from '../../../../kit/job-rows.ts';
import { ledgerRows } from '../../../../kit/ledger-rows.ts';
import { activityOf, eventsOf, rowOf } from '../../../../kit/tables.ts';
import { planFaults, setFaults } from '../../../../kit/faults.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling());

/** An account with `creditMinor` of credit, in minor units. */
async function buyer(name: string, creditMinor: number): Promise<Person> {
  const person = await world.account(`${name}@example.com`);
  if (creditMinor > 0) expect(codeOf(await world.grant(person.id, creditMinor, desk.viewer))).toBeUndefined();
  return person;
}

const STATEMENT = `query ($first: Int!, $after: ID) { me { credit { statement(first: $first, after: $after) {
  items { title note reference amount { amountMinor } balance { amountMinor } } next } } } }`;
interface Line {
  title: string;
  note: string;
  reference: string;
  amount: { amountMinor: number };
  balance: { amountMinor: number };
}
const statementOf = async ({ viewer }: Person, first = 25, after?: string) =>
  dataOf<{ credit: { statement: { items: Line[]; next: string | null } } }>(await world.ask(viewer, STATEMENT, { first, after }), 'me')
    .credit.statement;
const statusOf = async ({ viewer }: Person, id: string) =>
  dataOf<{ status: string }>(await world.ask(viewer, 'query ($id: ID!) { order(id: $id) { status } }', { id }), 'order').status;

test('credit pays first: a negative line before paying, the rest by card, both on the invoice', async () => {
  const ada = await buyer('ada', 900);
  const order = await world.place(ada);
  expect(order).toMatchObject({
    status: 'PENDING',
    lines: [
      { label: 'Premium, 5 GB', quantity: 5, amount: { amountMinor: 2_500 } },
      { label: 'Account credit', quantity: 1, amount: { amountMinor: -900 } },
    ],
    subtotal: { amountMinor: 2_500 },
    credit: { amountMinor: 900 },
    total: { amountMinor: 1_600 },
  });
  expect(await world.balance(ada)).toBe(0);
  await world.pay(order.id);
  await world.settle();
  expect(world.sandbox.card.charges().at(-1)?.amount).toBe(1_600);
  expect(await world.books(order.id)).toEqual({ CUSTOMER_CREDIT: 900, PROCESSOR: 1_600, REVENUE: -2_500 });
  expect(await invoiceRows(world.query).settlementsOf(order.id)).toEqual([
    { method: 'CARD', amountMinor: 1_600 },
    { method: 'CREDIT', amountMinor: 900 },
  ]);
});

test('an order that credit covers whole is paid at once, without the processor', async () => {
  const ben = await buyer('ben', 4_000);
  const before = world.sandbox.card.sessions().length;
  const order = await world.place(ben);
  expect(order).toMatchObject({ status: 'PAID', checkoutUrl: null, total: { amountMinor: 0 } });
  expect(world.sandbox.card.sessions()).toHaveLength(before);
  expect(await world.balance(ben)).toBe(1_500);
  expect(await world.books(order.id)).toEqual({ CUSTOMER_CREDIT: 2_500, REVENUE: -2_500 });
  expect(await eventsOf(world.query, order.id, 'order.paid')).toHaveLength(1);
});

test('what is left for the card is never less than the processor takes', async () => {
  const cleo = await buyer('cleo', 2_480);
  const order = await world.buy(cleo);
  expect(order).toMatchObject({ credit: { amountMinor: 2_450 }, total: { amountMinor: 50 } });
  expect(await statusOf(cleo, order.id)).toBe('PAID');
  expect(await world.balance(cleo)).toBe(30);
});

test('the credit of a cancelled order comes back once its checkout is closed', async () => {
  const dan = await buyer('dan', 900);
  const order = await world.place(dan);
  await world.ask(dan.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id: order.id });
  await world.settle();
  expect(await world.balance(dan)).toBe(900);
  expect(await world.books(order.id)).toEqual({});
  await world.settle();
  expect((await statementOf(dan)).items.map(({ title, amount, balance }) => [title, amount.amountMinor, balance.amountMinor])).toEqual([
    ['Given back: the order was not paid', 900, 900],
    ['Used for an order', -900, 0],
    ['From support', 900, 900],
  ]);
});

test('an order that was cancelled and paid all the same keeps its credit', async () => {
  const eva = await buyer('eva', 900);
  const order = await world.place(eva);
  await world.pay(order.id);
  await world.ask(eva.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id: order.id });
  await world.settle();
  expect(await statusOf(eva, order.id)).toBe('PAID');
  expect(await world.balance(eva)).toBe(0);
  expect(await world.books(order.id)).toEqual({ CUSTOMER_CREDIT: 900, PROCESSOR: 1_600, REVENUE: -2_500 });
});

test('credit comes back from an order whose time is over, when no notice of it ever came', async () => {
  const flo = await buyer('flo', 900);
  const undo = setFaults(world.sandbox.card.faults.webhooks, { drop: 1 });
  const order = await world.place(flo);
  world.clock.advance(CHECKOUT_VALID_MS);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  await world.settle();
  undo();
  expect(await statusOf(flo, order.id)).toBe('EXPIRED');
  expect(await world.balance(flo)).toBe(900);
});

test('credit comes back from an order that was cancelled before it had a checkout', async () => {
  const gil = await buyer('gil', 900);
  const { api } = world.sandbox.card.faults;
  const on = 'POST /v1/checkout/sessions';
  planFaults(api.next, { fault: 'error_before_effect', on }, { fault: 'error_before_effect', on }, { fault: 'error_before_effect', on });
  expect(codeOf(await world.tryPlace(gil))).toBe('vendor_unavailable');
  const row = await rowOf<{ id: string }>(world.query, 'accounts.customer_order', { account_id: gil.id });
  await world.ask(gil.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id: row?.id });
  await world.platform.queue.runNow('accounts.orders-close');
  expect(await world.balance(gil)).toBe(0);
  world.clock.advance(CHECKOUT_VALID_MS + MINUTE);
  await world.platform.queue.runNow('accounts.orders-close');
  await world.platform.queue.runNow('accounts.orders-close');
  expect(await world.balance(gil)).toBe(900);
});

test('thirty-two buyers at once on one balance spend it once', async () => {
  const hal = await buyer('hal', 10_000);
  const answers = await Promise.all(Array.from({ length: 32 }, () => world.tryPlace(hal)));
  // Orders that the balance does not cover wait for a payment, and an account may have only a few of those.
  expect(answers.map(codeOf)).toContain('too_many_unpaid_orders');
  const orders = answers.filter(({ errors }) => !errors).map((answer) => dataOf<PlacedOrder>(answer, 'orderPlace'));
  expect(orders.length).toBeLessThanOrEqual(7);
  const used = orders.reduce((sum, { credit }) => sum + credit.amountMinor, 0);
  expect(used).toBe(10_000);
  expect(orders.filter(({ status }) => status === 'PAID')).toHaveLength(4);
  expect(await world.balance(hal)).toBe(0);
  expect(await ledgerRows(world.query).unbalancedCurrencies()).toEqual([]);
});

test('only support gives credit, within reason, and a repeat gives it once', async () => {
  const ida = await buyer('ida', 0);
  expect(codeOf(await world.grant(ida.id, 500, ida.viewer))).toBe('forbidden');
  for (const amount of [0, -5, 1_000_001]) expect(codeOf(await world.grant(ida.id, amount, desk.viewer))).toBe('parameter_invalid');
  expect(codeOf(await world.grant('acct_nobody', 500, desk.viewer))).toBe('account_not_found');
  const key = world.newKey();
  const first = await world.grant(ida.id, 500, desk.viewer, key);
  expect(await world.grant(ida.id, 500, desk.viewer, key)).toEqual(first);
  expect(codeOf(await world.grant(ida.id, 600, desk.viewer, key))).toBe('idempotency_conflict');
  expect(await world.balance(ida)).toBe(500);
  const acts = await activityOf(world.query, ida.id, 'credit.%');
  expect(acts.map(({ type, actor, data }) => ({ type, actor, data }))).toEqual([
    { type: 'credit.granted', actor: 'SUPPORT', data: { amountMinor: 500, currency: 'USD', reason: 'For your patience' } },
  ]);
});

test('the statement comes in pages, newest first, and adds up to the balance', async () => {
  const jo = await buyer('jo', 100);
  for (const amount of [200, 300, 400, 500]) await world.grant(jo.id, amount, desk.viewer);
  const seen: Line[] = [];
  let after: string | undefined;
  do {
    const page = await statementOf(jo, 2, after);
    seen.push(...page.items);
    after = page.next ?? undefined;
  } while (after);
  expect(seen.map(({ amount, balance }) => [amount.amountMinor, balance.amountMinor])).toEqual([
    [500, 1_500],
    [400, 1_000],
    [300, 600],
    [200, 300],
    [100, 100],
  ]);
  expect(await world.balance(jo)).toBe(1_500);
  expect(codeOf(await world.ask(jo.viewer, STATEMENT, { first: 101 }))).toBe('limit_invalid');
});

test('a cancelled order whose payment nobody reported, and whose closing was lost, is found all the same', async () => {
  const kai = await buyer('kai', 0);
  const order = await world.place(kai);
  const undo = setFaults(world.sandbox.card.faults.webhooks, { drop: 1 });
  await world.pay(order.id);
  await world.ask(kai.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id: order.id });
  await jobRows(world.query).lose('accounts.checkout-close');
  await world.settle();
  undo();
  await world.platform.queue.runNow('accounts.orders-close');
  expect(await statusOf(kai, order.id)).toBe('PAID');
  expect(await world.books(order.id)).toEqual({ PROCESSOR: 2_500, REVENUE: -2_500 });
});
