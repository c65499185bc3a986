// Finds in a ledger what no commit would let through, but a broken copy, or somebody with the owner's password, could leave.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditBooks } from '../../../../../subgraphs/accounts/billing/ledger/entities/uneven-books.ts';
import { deleteRows, rowsOf, setRows } from '../../../../kit/tables.ts';
import { runChild } from '../../../../kit/child.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';

let world: BillingWorld;
let ada: Person;
beforeAll(async () => {
  world = await startBilling();
  ada = await world.account('ada@example.com');
});
afterAll(() => world.close());

const audit = () => auditBooks(world.context().em);
/** Writes as a replica does that replays another server's log: no trigger runs. */
const unseen = async (work: () => Promise<unknown>) => {
  await world.query(`set session_replication_role = replica`);
  await work();
  await world.query(`set session_replication_role = origin`);
};
const verify = async () => {
  const { url } = world.platform.database;
  const child = runChild('subgraphs/accounts/commands/verify-books.ts', { DATABASE_URL: url, DATA_DIR: world.platform.config.DATA_DIR });
  return { code: await child.ended, text: child.text() };
};

test('books that balance, and each way in which they do not', async () => {
  const staff = await world.account('desk@example.com', 'STAFF');
  await world.buy(ada, { taxMinor: 475, taxBasisPoints: 1_900, totalMinor: 2_975 });
  await world.grant(ada.id, 500, staff.viewer);
  const whole = await audit();
  expect(whole).toMatchObject({ uneven: [] });
  expect(whole.journals).toBeGreaterThanOrEqual(2);
  expect(await verify()).toMatchObject({ code: 0, text: expect.stringContaining('The books balance to the cent.\n') });

  await unseen(() => setRows(world.query, 'accounts.credit_balance', { amount_minor: 600 }, { account_id: ada.id }));
  await unseen(() => deleteRows(world.query, 'accounts.tax_balance', { account_id: ada.id }));
  const [lost] = await rowsOf<{ journal_id: string; amount_minor: string }>(world.query, 'accounts.ledger_entry', { ledger: 'REVENUE' });
  await unseen(() => deleteRows(world.query, 'accounts.ledger_entry', { ledger: 'REVENUE' }));
  expect((await audit()).uneven).toEqual([
    { what: 'balance of credit', of: ada.id, currency: 'USD', entries: '500', stored: '600' },
    { what: 'balance of tax', of: ada.id, currency: 'USD', entries: '475', stored: '0' },
    { what: 'journal', of: lost?.journal_id, currency: 'USD', entries: '0', stored: String(-Number(lost?.amount_minor)) },
  ]);
  const { code, text } = await verify();
  expect(text).toMatch(/^balance of credit \S+: 600 USD, by the entries 500$/m);
  expect(text).toContain('The books are off in 3 places.\n');
  expect(code).toBe(1);
}, 60_000);
