import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '#platform/database.ts';
import { postJournal } from '../../../../../subgraphs/accounts/billing/ledger/services/post-journal.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';
import { rowOf, rowsOf } from '../../../../kit/tables.ts';

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
/** As the subgraph's own role, which is all that its code ever is. */
const asAccounts = (sql: string) => outcome(world.context().em.getConnection().execute(sql));
const asOwner = (sql: string) => outcome(world.query(sql));

const journal = (id: string) =>
  `insert into accounts.journal (id, kind, reference, note, posted_at) values ('${id}', 'test', '${id}', '', now());`;
const entry = (id: string, line: number, ledger: string, amount: number, currency = 'USD') =>
  `insert into accounts.ledger_entry (journal_id, line, ledger, currency, amount_minor) values ('${id}', ${line}, '${ledger}', '${currency}', ${amount});`;

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
  const posted = await world.query<{ amount_minor: string }>(
    `select amount_minor from accounts.ledger_entry where ledger = 'PROCESSOR' and amount_minor > 0`,
  );
  expect(posted.map(({ amount_minor }) => Number(amount_minor)).sort()).toEqual(charged.map(({ amount }) => amount).sort());
  expect(charged.length).toBeGreaterThanOrEqual(4);
});

describe('the database refuses', () => {
  test.each([
    [
      'a journal whose entries do not sum to zero',
      journal('j1') + entry('j1', 0, 'PROCESSOR', 100) + entry('j1', 1, 'REVENUE', -99),
      /j1 is off by 1 USD/,
    ],
    [
      'one that balances over two currencies only',
      journal('j2') + entry('j2', 0, 'PROCESSOR', 100) + entry('j2', 1, 'REVENUE', -100, 'EUR'),
      /j2 is off by -?100 (USD|EUR)/,
    ],
    ['a journal without entries', journal('j3'), /j3 has no entries/],
    ['entries of no journal', entry('j4', 0, 'PROCESSOR', 100), /closed/],
    ['a ledger that is not in the chart', journal('j5') + entry('j5', 0, 'PETTY_CASH', 100), /check constraint/],
    ['an entry of nothing', journal('j6') + entry('j6', 0, 'REVENUE', 0), /check constraint/],
  ])('%s', async (_, sql, reason) => {
    expect(await asOwner(`begin; ${sql} commit;`)).toMatch(reason);
    await world.query('rollback');
  });

  test('balanced entries that come to a journal of an earlier transaction', async () => {
    await world.query(`begin; ${journal('j7') + entry('j7', 0, 'PROCESSOR', 1) + entry('j7', 1, 'REVENUE', -1)} commit;`);
    expect(await asOwner(entry('j7', 2, 'PROCESSOR', 5) + entry('j7', 3, 'REVENUE', -5))).toMatch(/j7 is closed/);
  });

  test.each([
    'update accounts.journal set note = $$changed$$',
    'delete from accounts.journal',
    'update accounts.ledger_entry set amount_minor = 1',
    'delete from accounts.ledger_entry',
    'truncate accounts.ledger_entry',
    'update accounts.invoice set total_minor = 0',
    'delete from accounts.invoice_settlement',
    'delete from accounts.invoice_series',
  ])('%s, to the owner of the tables too', async (sql) => {
    expect(await asOwner(sql)).toMatch(/append-only/);
    expect(await asAccounts(sql)).toMatch(/append-only|permission denied/);
  });

  test('a balance that is written by hand, and one below zero', async () => {
    expect(await asAccounts(`insert into accounts.credit_balance values ('${ada.id}', 'USD', 1000000)`)).toMatch(/permission denied/);
    expect(
      await asOwner(
        `begin; ${journal('j8')}
         insert into accounts.ledger_entry values ('j8', 0, 'CUSTOMER_CREDIT', '${ada.id}', 'USD', 1), ('j8', 1, 'GOODWILL', null, 'USD', -1); commit;`,
      ),
    ).toMatch(/credit_balance/);
    await world.query('rollback');
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
  await world.query(`create function accounts.fail() returns trigger language plpgsql as $$ begin raise exception 'no mail'; end $$`);
  await world.query('create trigger mail_fails before insert on accounts.mail for each statement execute function accounts.fail()');
  await world.pay(order.id);
  await world.sandbox.card.deliver();
  await expect(world.platform.queue.runNow('accounts.notice-process', await noticeOf(order.id))).rejects.toThrow('no mail');
  expect(await world.books(order.id)).toMatchObject({ CREDIT_HELD: -700, CUSTOMER_CREDIT: 700 });
  expect(await rowsOf(world.query, 'accounts.invoice', { order_id: order.id })).toEqual([]);
  await world.query('drop trigger mail_fails on accounts.mail');
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
