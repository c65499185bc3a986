// Roles of staff: who gives them, what they let a session do, and that a change takes effect on open sessions.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { ALL_PERMISSIONS, type StaffRole, permissionsOf } from '#platform/staff-permissions.ts';
import type { Context } from '../../../../subgraphs/accounts/context.ts';
import { STAFF_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-staff.ts';
import { runCommand } from '#platform/desk-command.ts';
import type { Command, Words } from '../../../../subgraphs/accounts/commands/desk.ts';
import { asStaff } from '../../../../subgraphs/accounts/commands/as-staff.ts';
import { type AccountsWorld, codeOf, dataOf, failureOf, startAccounts } from '../world.ts';
import { actsOf, deleteRows, rowsOf, setRows } from '../../../kit/tables.ts';

let world: AccountsWorld;
let owner: Awaited<ReturnType<AccountsWorld['account']>>;
beforeAll(async () => {
  world = await startAccounts();
  owner = await world.account('owner@desk.example', 'STAFF');
});
afterAll(() => world.close());

const SET = 'mutation ($id: ID!, $roles: [StaffRole!]!) { supportStaffSetRoles(accountId: $id, roles: $roles) { id role staffRoles } }';
const set = (by: { viewer: Viewer }, id: string, roles: StaffRole[]) => world.ask(by.viewer, SET, { id, roles });
const heldBy = async (id: string) =>
  (await rowsOf<{ role: string }>(world.query, 'accounts.staff_role', { account_id: id }, { columns: 'role', orderBy: 'role' })).map(
    ({ role }) => role,
  );
/** A session that has passed a second factor, with its viewer as the gateway finds it. */
async function strongSession(email: string) {
  const session = await world.logIn(email);
  await setRows(world.query, 'accounts.session', { strong_at: world.clock.now() }, { id: session.sessionId });
  return { token: session.token, viewerNow: async () => (await world.callerOf(session.token)).viewer };
}

test('an owner appoints, changes and dismisses; the person is told by mail, and the activity says who did it', async () => {
  const { id } = await world.account('fin@desk.example');
  expect(dataOf(await set(owner, id, ['FINANCE', 'SUPPORT', 'FINANCE']), 'supportStaffSetRoles')).toEqual({
    id,
    role: 'STAFF',
    staffRoles: ['FINANCE', 'SUPPORT'],
  });
  await set(owner, id, ['FINANCE']);
  expect(await heldBy(id)).toEqual(['FINANCE']);
  await set(owner, id, ['FINANCE']);
  expect(dataOf(await set(owner, id, []), 'supportStaffSetRoles')).toEqual({ id, role: 'CUSTOMER', staffRoles: [] });
  const acts = (await actsOf(world.query, id)).filter((act) => act.startsWith('SUPPORT'));
  expect(acts.toSorted()).toEqual([
    'SUPPORT account.appointed',
    'SUPPORT account.dismissed',
    'SUPPORT account.roles_set',
    'SUPPORT account.roles_set',
  ]);
  const texts = (await world.mailed('fin@desk.example')).map(({ text }) => text).join('\n');
  for (const said of ['are now: finance, support.', 'are now: finance.', 'You do not belong to the staff']) expect(texts).toContain(said);
});

test('a session may do what its roles allow, and a change holds for the open one at its next question', async () => {
  const { id } = await world.account('sue@desk.example', 'STAFF');
  await set(owner, id, ['SUPPORT']);
  const session = await strongSession('sue@desk.example');
  const granted = { input: { accountId: id, amountMinor: 100, currency: 'USD', reason: 'A present', idempotencyKey: 'for-myself-once' } };
  const GRANT = 'mutation ($input: SupportCreditGrantInput!) { supportCreditGrant(input: $input) { amountMinor } }';
  const refused = await world.ask(await session.viewerNow(), GRANT, granted);
  expect(refused.errors?.[0]?.message).toBe('This needs the permission credit, which these roles have: finance, owner.');
  expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'permission_missing', params: { permission: 'credit' } });
  expect(dataOf(await world.ask(await session.viewerNow(), '{ me { staffPermissions } }'), 'me')).toEqual({
    staffPermissions: permissionsOf(['SUPPORT']),
  });
  await set(owner, id, ['FINANCE']);
  // The role is there now, but another rule refuses: nobody grants credit to themselves.
  expect(codeOf(await world.ask(await session.viewerNow(), GRANT, granted))).toBe('own_account_refused');
  const weak = await world.logIn('sue@desk.example');
  expect(weak.viewer).toMatchObject({ staff: false, permissions: [] });
});

test('nobody but an owner gives roles, nobody to themselves, and the last owner stays', async () => {
  const other = await world.account('ann@desk.example', 'STAFF');
  const { id: customer } = await world.account('cat@example.com');
  const finance = { viewer: { ...other.viewer, permissions: permissionsOf(['FINANCE', 'SUPPORT', 'ABUSE', 'INFRASTRUCTURE']) } as Viewer };
  expect(codeOf(await set(finance, customer, ['OWNER']))).toBe('permission_missing');
  expect(codeOf(await set(other, other.id, ['FINANCE']))).toBe('own_account_refused');
  expect(codeOf(await set(owner, 'acct_none', ['FINANCE']))).toBe('account_not_found');
  // Of two owners, one may lose the role; the last may not.
  expect(codeOf(await set(other, owner.id, ['FINANCE']))).toBeUndefined();
  expect(codeOf(await set(owner, other.id, ['FINANCE']))).toBe('action_not_allowed');
  expect(await heldBy(other.id)).toEqual(['OWNER']);
  await set(other, owner.id, ['OWNER']);
  const [one, two] = await Promise.all([set(other, owner.id, []), set(owner, other.id, [])]);
  expect([codeOf(one), codeOf(two)].toSorted()).toEqual(['action_not_allowed', undefined]);
  await deleteRows(world.query, 'accounts.staff_role', { account_id: other.id });
  await setRows(world.query, 'accounts.account', { role: 'CUSTOMER' }, { id: other.id });
  await setRows(world.query, 'accounts.account', { role: 'STAFF' }, { id: owner.id });
});

test('who does not choose the staff neither suspends a colleague, nor takes off their factors, nor ends their sessions', async () => {
  const colleague = await world.account('dee@desk.example', 'STAFF');
  const { id } = await world.account('eve@desk.example', 'STAFF');
  const viewer = { ...colleague.viewer, permissions: permissionsOf(['SUPPORT', 'ABUSE']) } as typeof colleague.viewer;
  const deeds = [
    'mutation ($id: ID!) { supportAccountSuspend(accountId: $id, reason: "It was odd.") { id } }',
    'mutation ($id: ID!) { supportSecondFactorsRemove(accountId: $id) { id } }',
    'mutation ($id: ID!) { supportSessionsClose(accountId: $id) }',
  ];
  for (const deed of deeds) {
    expect(codeOf(await world.ask(viewer, deed, { id })), deed).toBe('permission_missing');
    expect(codeOf(await world.ask(colleague.viewer, deed, { id })), deed).toBeUndefined();
  }
});

test('the command appoints with roles, lists who has which, and asks for the permission of whoever runs it', async () => {
  const run = (ctx: Context, name: string, words: Words) => runCommand(ctx, name, STAFF_COMMANDS[name] as Command, words);
  const boss = await world.account('boss@desk.example', 'STAFF');
  const { id } = await world.account('new@desk.example');
  const by = async (email: string) => asStaff(world.as(boss.viewer), email, (sentence) => new Error(sentence));
  await expect(run(await by('boss@desk.example'), 'appoint', { of: id })).rejects.toThrow('--roles with some of support');
  await expect(run(await by('boss@desk.example'), 'appoint', { of: id, roles: 'chief' })).rejects.toThrow('--roles');
  const said = await run(await by('boss@desk.example'), 'appoint', { of: 'new@desk.example', roles: 'abuse,finance' });
  expect(said).toContain('new@desk.example is a member of staff (abuse, finance), once signed in with two factors.\nOnce, until ');
  expect(await run(await by('boss@desk.example'), 'roles', { of: '' })).toMatch(
    /new@desk\.example\tabuse, finance\tsince [\s\S]*\nrefund\tfinance, owner\n/,
  );
  expect(await failureOf(run(await by('new@desk.example'), 'dismiss', { of: boss.id }))).toBe('permission_missing');
  expect(await run(await by('boss@desk.example'), 'dismiss', { of: id })).toBe('new@desk.example is a customer.');
  await expect(by('new@desk.example')).rejects.toThrow('is not a member of staff');
});

test('the desk lists its members, and what each permission asks for', async () => {
  const members = dataOf<{ account: { email: string }; roles: string[] }[]>(
    await world.ask(owner.viewer, '{ supportStaff { account { email } roles since } }'),
    'supportStaff',
  );
  expect(members).toContainEqual(expect.objectContaining({ account: { email: 'dee@desk.example' }, roles: ['OWNER'] }));
  const table = dataOf<{ permission: string; roles: string[] }[]>(
    await world.ask(owner.viewer, '{ supportStaffPermissions { permission roles } }'),
    'supportStaffPermissions',
  );
  expect(table.map(({ permission }) => permission)).toEqual(ALL_PERMISSIONS);
  expect(table).toContainEqual({ permission: 'refund', roles: ['FINANCE', 'OWNER'] });
});
