import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '#platform/database.ts';
import { postJournal } from '../../../../../subgraphs/accounts/billing/ledger/services/post-journal.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';
import { type HandEntry, ledgerRows, writeEntries, writeJournal } from '../../../../kit/ledger-rows.ts';
import { failInserts } from '../../../../kit/table-faults.ts';
import { type Query, addRow, deleteRows, queryOf, rowOf, rowsOf, setRows, truncate } from '../../../../kit/tables.ts';

let world: BillingWorld;
let ada: Person;
beforeAll(async () => {
  world = await startBilling();
  ada = await world.account('ada@example.com');
});
afterAll(() => world.close());

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => String((error as Error).message),
  );
/** Queries with the database role of accounts, the only role that its code has. */
const asAccounts: Query = (sql, values) => queryOf(world.context().em)(sql, values);
const entry = (ledger: string, amountMinor: number, currency = 'USD'): HandEntry => ({ ledger, amountMinor, currency });

test('a paid order is in the books once, with its tax, and the payment at the processor', async () => {
  const taxed = { taxMinor: 475, taxBasisPoints: 1_900, totalMinor: 2_975 };
  const order = await world.buy(ada, taxed);
  expect(await world.books(order.id)).toEqual({ PROCESSOR: 2_975, REVENUE: -2_500, TAX: -475 });
  const payment = await rowOf<{ amount_minor: string }>(world.query, 'accounts.payment', { order_id: order.id });
  expect(payment?.amount_minor).toBe('2975');
});

test('every charge at the processor has one journal, and the reverse', async () => {
  for (let count = 0; count < 3; count++) await world.buy(ada);
  await world.place(ada);
  const charged = world.sandbox.card.charges().filter(({ status }) => status === 'succeeded');
  const posted = await ledgerRows(world.query).debitsOf('PROCESSOR');
  expect(posted.sort()).toEqual(charged.map(({ amount }) => amount).sort());
  expect(charged.length).toBeGreaterThanOrEqual(4);
});

describe('the database refuses', () => {
  test.each<[string, string, HandEntry[], RegExp]>([
    ['a journal whose entries do not sum to zero', 'j1', [entry('PROCESSOR', 100), entry('REVENUE', -99)], /j1 is off by 1 USD/],
    [
      'one that balances over two currencies only',
      'j2',
      [entry('PROCESSOR', 100), entry('REVENUE', -100, 'EUR')],
      /j2 is off by -?100 (USD|EUR)/,
    ],
    ['a journal without entries', 'j3', [], /j3 has no entries/],
    ['a ledger that is not in the chart', 'j5', [entry('PETTY_CASH', 100)], /check constraint/],
    ['an entry of nothing', 'j6', [entry('REVENUE', 0)], /check constraint/],
  ])('%s', async (_, id, entries, reason) => {
    expect(await outcome(writeJournal(world.query, id, entries))).toMatch(reason);
  });

  test('entries of no journal', async () => {
    expect(await outcome(writeEntries(world.query, 'j4', [entry('PROCESSOR', 100)]))).toMatch(/closed/);
  });

  test('balanced entries that come to a journal of an earlier transaction', async () => {
    await writeJournal(world.query, 'j7', [entry('PROCESSOR', 1), entry('REVENUE', -1)]);
    expect(await outcome(writeEntries(world.query, 'j7', [entry('PROCESSOR', 5), entry('REVENUE', -5)], 2))).toMatch(/j7 is closed/);
  });

  test.each<[string, (query: Query) => Promise<void>]>([
    ['another note of a journal', (query) => setRows(query, 'accounts.journal', { note: 'changed' })],
    ['the removal of journals', (query) => deleteRows(query, 'accounts.journal')],
    ['another amount of an entry', (query) => setRows(query, 'accounts.ledger_entry', { amount_minor: 1 })],
    ['the removal of entries', (query) => deleteRows(query, 'accounts.ledger_entry')],
    ['the end of all entries', (query) => truncate(query, 'accounts.ledger_entry')],
    ['another total of an invoice', (query) => setRows(query, 'accounts.invoice', { total_minor: 0 })],
    ['the removal of settlements', (query) => deleteRows(query, 'accounts.invoice_settlement')],
    ['the removal of a series', (query) => deleteRows(query, 'accounts.invoice_series')],
  ])('%s, to the owner of the tables too', async (_, change) => {
    expect(await outcome(change(world.query))).toMatch(/append-only/);
    expect(await outcome(change(asAccounts))).toMatch(/append-only|permission denied/);
  });

  test('a balance that is written by hand, and one below zero', async () => {
    const gift = { account_id: ada.id, currency: 'USD', amount_minor: 1_000_000 };
    expect(await outcome(addRow(asAccounts, 'accounts.credit_balance', gift))).toMatch(/permission denied/);
    const taken = [{ ledger: 'CUSTOMER_CREDIT', amountMinor: 1, accountId: ada.id }, entry('GOODWILL', -1)];
    expect(await outcome(writeJournal(world.query, 'j8', taken))).toMatch(/credit_balance/);
  });
});

test('one thing is posted once for each kind, also by twenty at once', async () => {
  const posted = await Promise.all(
    Array.from({ length: 20 }, () =>
      inTransaction(world.context(), (tx) =>
        postJournal(tx, 'credit_granted', {
          reference: 'crdt_once',
          currency: 'USD',
          note: 'once',
          data: { accountId: ada.id, amountMinor: 700 },
        }),
      ),
    ),
  );
  expect(posted.filter(Boolean)).toHaveLength(1);
  expect(await world.books('crdt_once')).toEqual({ CUSTOMER_CREDIT: -700, GOODWILL: 700 });
  expect(await world.balance(ada)).toBe(700);
});

test('a payment that fails at its last step leaves nothing in the books', async () => {
  const order = await world.place(ada);
  const mend = await failInserts(world.query, 'accounts.mail', 'no mail');
  await world.pay(order.id);
  await world.sandbox.card.deliver();
  await expect(world.platform.queue.runNow('accounts.notice-process', await noticeOf(order.id))).rejects.toThrow('no mail');
  expect(await world.books(order.id)).toMatchObject({ CREDIT_HELD: -700, CUSTOMER_CREDIT: 700 });
  expect(await rowsOf(world.query, 'accounts.invoice', { order_id: order.id })).toEqual([]);
  await mend();
  await world.platform.queue.runNow('accounts.notice-process', await noticeOf(order.id));
  expect(await world.books(order.id)).toEqual({ CUSTOMER_CREDIT: 700, PROCESSOR: 1_800, REVENUE: -2_500 });
  expect(await rowsOf(world.query, 'accounts.invoice', { order_id: order.id })).toHaveLength(1);
});

const noticeOf = async (orderId: string) => {
  const row = await rowOf<{ source: string; notice_id: string }>(world.query, 'accounts.inbox', {
    object_id: await world.checkoutOf(orderId),
  });
  return { source: row?.source ?? '', noticeId: row?.notice_id ?? '' };
};
