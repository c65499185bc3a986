// The desk's commands that tell customers something above every page.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY, after } from '#platform/clock.ts';
import { DESK_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-commands.ts';
import { runCommand } from '#platform/desk-command.ts';
import type { Words } from '../../../../subgraphs/accounts/commands/desk.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type AccountsWorld, dataOf, startAccounts } from '../world.ts';

type Person = Awaited<ReturnType<AccountsWorld['account']>>;
let world: AccountsWorld;
let [desk, customer]: Person[] = [];
beforeAll(async () => {
  world = await startAccounts();
  desk = await world.account('ada@example.com', 'STAFF');
  customer = await world.account('carl@example.com');
});
afterAll(() => world.close());

const run = (name: string, of: string, more: Partial<Words> = {}) =>
  runCommand(world.as(desk!.viewer), name, DESK_COMMANDS[name] ?? expect.fail(`no ${name}`), { ...more, of });
const shown = async () =>
  dataOf<{ announcements: unknown[] }>(await world.ask(customer!.viewer, '{ me { announcements { title { en de } } } }'), 'me')
    .announcements;
const told = { title: 'New places | Neue Orte', terms: 'Vienna is here.' };

test('tells customers something from now on, lists it, and ends it, each as an act of the member of staff', async () => {
  const to = after(world.clock.now(), 7 * DAY).toISOString();
  const [id = '', ...rest] = (await run('announce', 'everybody', { ...told, to })).split(' ');
  expect(rest.join(' ')).toBe(`is shown from ${world.clock.now().toISOString()} to ${to}.`);
  expect(await shown()).toEqual([{ title: { en: 'New places', de: 'Neue Orte' } }]);
  dataOf(await world.ask(customer!.viewer, 'mutation ($id: ID!) { announcementDismiss(id: $id) }', { id }), 'announcementDismiss');
  expect(await run('announcements', 'open')).toBe(
    [id, 'EVERYBODY', world.clock.now().toISOString(), to, 'dismissed by 1', 'en,de', 'New places'].join('\t'),
  );
  expect(await run('announcement-end', id)).toBe(`${id} is over.`);
  expect(await run('announcements', 'open')).toBe('');
  expect(await run('announcements', 'over')).toContain(`${id}\tEVERYBODY`);
  await expect(run('announcement-end', id)).rejects.toMatchObject({ code: 'announcement_not_found' });
  await vi.waitFor(async () => {
    const acts = await rowsOf<{ act: string }>(world.query, 'accounts.staff_act', { account_id: desk!.id }, { columns: 'act' });
    expect(acts).toEqual([{ act: 'announce' }, { act: 'announcement-end' }]);
  });
});

test('tells it later, where that is wanted', async () => {
  const [from, to] = [1, 2].map((days) => after(world.clock.now(), days * DAY).toISOString()) as [string, string];
  await run('announce', 'EVERYBODY', { ...told, from, to });
  expect(await shown()).toEqual([]);
  world.clock.advance(DAY);
  expect(await shown()).toHaveLength(1);
});

test.each<[string, string, Partial<Words>, string]>([
  ['an audience that there is not', 'everyone', { ...told, to: '2999-01-01' }, 'everybody, customers, residential, static, compute'],
  ['no end', 'customers', told, '--to AT'],
  ['an end that is no instant', 'customers', { ...told, to: 'tomorrow' }, 'not tomorrow'],
  ['no title', 'customers', { ...told, title: ' | Neue Orte', to: '2999-01-01' }, '--title'],
])('refuses %s with a sentence that says what is asked for', async (_, of, more, sentence) => {
  await expect(run('announce', of, more)).rejects.toThrow(sentence);
});
