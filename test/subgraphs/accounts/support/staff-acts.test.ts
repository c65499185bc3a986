// The trail of what members of staff do: by whom, what, with which arguments, from where; and how it is searched.
import { expect, test, vi } from 'vitest';
import { DAY, toDay } from '#platform/clock.ts';
import { wordsOf } from '#platform/staff-trail.ts';
import { asStaff } from '../../../../subgraphs/accounts/commands/as-staff.ts';
import { CREDIT_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-credit.ts';
import { STAFF_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-staff.ts';
import { runCommand } from '#platform/desk-command.ts';
import type { Command, Words } from '../../../../subgraphs/accounts/commands/desk.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { codeOf, dataOf } from '../world.ts';
import { openDesk, staff, staffId, world } from './desk.ts';

openDesk();

interface Act {
  id: string;
  at: string;
  act: string;
  permission: string;
  by: { id: string };
  given: { name: string; value: string }[];
}
const ACTS = `query ($filter: StaffActFilter, $first: Int, $after: ID) {
  supportStaffActs(filter: $filter, first: $first, after: $after) { items { id at act permission by { id } given { name value } } next }
}`;
const page = async (filter: object = {}, more: object = {}) =>
  dataOf<{ items: Act[]; next: string | null }>(await world.ask(staff, ACTS, { filter, ...more }), 'supportStaffActs');
/** Waits until the reaction has stored every `staff.acted` event. */
const allKept = () =>
  vi.waitFor(async () => {
    const said = await rowsOf(world.query, 'platform.event', { type: 'staff.acted' });
    expect(await rowsOf(world.query, 'accounts.staff_act', {})).toHaveLength(said.length);
  });
const acts = async (filter: object = {}) => (await page(filter)).items;

const OPEN = 'mutation ($input: SupportIncidentInput!) { supportIncidentOpen(input: $input) { id } }';
const UPDATE = `mutation ($id: ID!, $step: IncidentStep!, $text: IncidentTextInput!) {
  supportIncidentUpdate(id: $id, step: $step, text: $text) { id }
}`;
const SUSPEND = 'mutation ($id: ID!, $reason: String!) { supportAccountSuspend(accountId: $id, reason: $reason) { id } }';

test('an operation is kept once, with what was given, when its transaction has committed', async () => {
  const { id } = await world.account('ada@acts.example');
  dataOf(await world.ask(staff, SUSPEND, { id, reason: 'A card that was stolen.' }), 'supportAccountSuspend');
  await allKept();
  expect(await acts({ about: id })).toEqual([
    {
      id: expect.stringMatching(/^deed_/),
      at: world.clock.now().toISOString(),
      act: 'supportAccountSuspend',
      permission: 'suspend',
      by: { id: staffId },
      given: [
        { name: 'reason', value: 'A card that was stolen.' },
        { name: 'accountId', value: id },
      ],
    },
  ]);
});

test('what is refused, and what others than staff do, is no act of staff', async () => {
  const { id, viewer } = await world.account('ben@acts.example');
  expect(codeOf(await world.ask(staff, SUSPEND, { id: 'acct_none', reason: 'Nobody.' }))).toBe('account_not_found');
  expect(codeOf(await world.ask(viewer, SUSPEND, { id, reason: 'Myself.' }))).toBe('forbidden');
  dataOf(await world.ask(viewer, 'mutation { accountChooseLanguage(language: DE) { id } }'), 'accountChooseLanguage');
  await allKept();
  expect(await acts({ about: 'acct_none' })).toEqual([]);
  expect(await acts({ by: id })).toEqual([]);
  expect(await acts({ about: id })).toEqual([]);
});

test('it is said in the transaction of the act: what is undone has left nothing', async () => {
  const { id } = await world.account('cyd@acts.example');
  await world.query(
    'create function accounts.no_activity() returns trigger language plpgsql as $$ begin raise exception $e$broken$e$; end $$',
  );
  await world.query('create trigger no_activity before insert on accounts.activity execute function accounts.no_activity()');
  expect(codeOf(await world.ask(staff, SUSPEND, { id, reason: 'It breaks.' }))).toBe('internal');
  await world.query('drop trigger no_activity on accounts.activity');
  await world.query('drop function accounts.no_activity()');
  await allKept();
  expect(await acts({ about: id })).toEqual([]);
  expect(await rowsOf(world.query, 'accounts.account', { id, suspended_at: null })).toHaveLength(1);
});

test('a command that changes something is an act, one that looks is none', async () => {
  const { id } = await world.account('dan@acts.example');
  const run = async (name: string, words: Words) => {
    const ctx = await asStaff(world.as(staff), 'support@egress.example', (sentence) => new Error(sentence));
    return runCommand(ctx, name, { ...CREDIT_COMMANDS, ...STAFF_COMMANDS }[name] as Command, words);
  };
  await run('roles', { of: '' });
  await run('appoint', { of: id, roles: 'support' });
  await allKept();
  expect((await acts({ act: 'roles' })).length).toBe(0);
  const [appointed] = await acts({ act: 'appoint' });
  expect(appointed).toMatchObject({ permission: 'staff', by: { id: staffId } });
  expect(appointed?.given).toEqual(expect.arrayContaining([{ name: 'of', value: id }]));
  const said = await run('audit', { of: '' });
  expect(said.split('\r\n')[0]).toBe('at,member,account_id,act,permission,given,address,request_id');
  expect(said).toContain(`support@egress.example,${staffId},appoint,staff,of: ${id}; roles: support,`);
});

test('acts are found by member, permission, day and word, page by page, and are a file', async () => {
  world.clock.advance(DAY);
  const text = { en: 'Slow.' };
  const input = { kind: 'INCIDENT', components: ['SERVERS'], impact: 'DEGRADED', title: text, text };
  const { id } = dataOf<{ id: string }>(await world.ask(staff, OPEN, { input }), 'supportIncidentOpen');
  for (const step of ['IDENTIFIED', 'MONITORING', 'RESOLVED'])
    dataOf(await world.ask(staff, UPDATE, { id, step, text }), 'supportIncidentUpdate');
  await allKept();
  const today = toDay(world.clock.now());
  const names = (await acts({ from: today, to: today })).map(({ act }) => act);
  expect(names).toEqual([...Array<string>(3).fill('supportIncidentUpdate'), 'supportIncidentOpen']);
  expect(await acts({ from: today, permission: 'suspend' })).toEqual([]);
  expect((await acts({ by: staffId, about: id })).length).toBe(3);
  const first = await page({ about: id }, { first: 2 });
  const second = await page({ about: id }, { first: 2, after: first.next });
  expect([first.items.length, second.items.length, second.next]).toEqual([2, 1, null]);
  expect(codeOf(await world.ask(staff, ACTS, { filter: { from: '2026-02-30' } }))).toBe('parameter_invalid');
  const file = dataOf<{ text: string; next: string | null }>(
    await world.ask(staff, 'query ($day: Date!) { supportStaffActsExport(from: $day, to: $day) { text next } }', { day: today }),
    'supportStaffActsExport',
  );
  expect(file.text.trimEnd().split('\r\n')).toHaveLength(5);
  expect(file.next).toBeNull();
});

test('what was given is written down flat and short, without what is secret', () => {
  expect(
    wordsOf({
      input: { accountId: 'acct_1', reason: 'x'.repeat(400), password: 'hunter2', at: new Date(0), nothing: null, empty: '' },
      rows: ['a', 'b'],
      lines: [{ n: 1, bytes: 2n, password: 'hunter2' }],
      bytes: 5n,
      file: { base64: 'AAAA', name: 'a.pdf' },
    }),
  ).toEqual({
    accountId: 'acct_1',
    reason: `${'x'.repeat(300)}…`,
    password: '(secret)',
    at: '1970-01-01T00:00:00.000Z',
    rows: 'a, b',
    lines: '{"n":"1","bytes":"2","password":"(secret)"}',
    bytes: '5',
    'file.base64': '(secret)',
    'file.name': 'a.pdf',
  });
});
