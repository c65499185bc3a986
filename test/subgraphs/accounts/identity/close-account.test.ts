import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueApiKey } from '../../../../subgraphs/accounts/keys/services/issue-api-key.ts';
import { dump } from '../../../kit/dump.ts';
import { insertSubscription } from '../../../kit/subscription.ts';
import { type AccountsWorld, codeOf, dataOf, PASSWORD, startAccounts, visitor } from '../world.ts';
import { eventsOf, rowsOf, setRows } from '../../../kit/tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const CLOSE = 'mutation ($password: String) { accountClose(password: $password) { what days why } }';

test('a closed account is signed out, its keys are dead, its address is free, and what is kept is said', async () => {
  const { id } = await world.account('ada@example.com');
  const { row } = await issueApiKey(world.context(), { accountId: id, expiresAt: null });
  const { viewer, token } = await world.logIn('ada@example.com');
  const terms = dataOf(await world.ask(visitor(), '{ accountClosingTerms { what days why } }'), 'accountClosingTerms');
  expect(codeOf(await world.ask(viewer, CLOSE, { password: 'wrong' }))).toBe('credentials_wrong');
  expect(dataOf(await world.ask(viewer, CLOSE, { password: PASSWORD }), 'accountClose')).toEqual(terms);
  expect(await world.isIn(token)).toBe(false);
  expect(codeOf(await world.tryLogIn('ada@example.com'))).toBe('credentials_wrong');
  expect(await rowsOf(world.query, 'accounts.api_key', { id: row.id }, { columns: 'revoked_at' })).toEqual([
    { revoked_at: world.clock.now() },
  ]);
  expect(await rowsOf(world.query, 'accounts.account', { id }, { columns: 'email, password_hash, closed_at' })).toEqual([
    { email: null, password_hash: null, closed_at: world.clock.now() },
  ]);
  expect((await world.mailed('ada@example.com')).at(-1)?.subject).toBe('Your Egress account is closed');
  expect(await eventsOf(world.query, id, 'account.closed')).toHaveLength(1);
  await world.ask(visitor(), 'mutation { accountRecover(email: "ada@example.com") { email } }');
  expect((await world.mailed('ada@example.com')).at(-1)?.subject).toBe('Your Egress account is closed');
});

test('nothing of a person is left in the tables of a closed account but what is said', async () => {
  const { id } = await world.account('marker-person@example.com');
  const { viewer } = await world.logIn('marker-person@example.com');
  await world.ask(viewer, CLOSE, { password: PASSWORD });
  await world.mailed('marker-person@example.com');
  const tables = [...(await dump(world.query, 'accounts'))];
  const found = tables.filter(([, rows]) => rows.some((row) => row.includes('marker-person'))).map(([name]) => name);
  expect(found).toEqual(['accounts.mail']);
  expect(id).toMatch(/^acct_/);
});

test('an account with a subscription that renews is not closed', async () => {
  const { id, viewer } = await world.account('bob@example.com');
  await insertSubscription(world.query, { id: 'sub_1', accountId: id });
  expect(codeOf(await world.ask(viewer, CLOSE, { password: PASSWORD }))).toBe('action_not_allowed');
  await setRows(world.query, 'accounts.billing_subscription', { cancel_at_period_end: true }, { id: 'sub_1' });
  expect(codeOf(await world.ask(viewer, CLOSE, { password: PASSWORD }))).toBeUndefined();
});
