// What is kept of people goes after the days that the operator has set, and customers are told these days.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { readConfig } from '../../../../configuration.ts';
import { registerPage } from '../../../../register-page.ts';
import { RETENTION, RETENTION_KINDS } from '../../../../schema/retention.ts';
import { readRetention } from '#platform/retention.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type AccountsWorld, dataOf, startAccounts, visitor } from '../world.ts';

const SET = {
  RETAIN_ACTIVITY_DAYS: '20',
  RETAIN_MAILS_DAYS: '10',
  RETAIN_LINKS_DAYS: '3',
  RETAIN_STAFF_ACTS_DAYS: '100',
  RETAIN_IDLE_SESSIONS_DAYS: '5',
  RETAIN_SESSIONS_DAYS: '8',
  RETAIN_WEBHOOKS_DAYS: '60',
};
let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts(SET);
});
afterAll(() => world.close());

const RECOVER = 'mutation ($email: String!) { accountRecover(email: $email) { email } }';

test('each kind is there to its last day, and deleted by the sweep after it', async () => {
  const { id } = await world.account('ada@example.com');
  const began = world.clock.now().getTime();
  await world.logIn('ada@example.com');
  dataOf(await world.ask(visitor(), RECOVER, { email: 'ada@example.com' }), 'accountRecover');
  await world.mailed('ada@example.com');
  const count = async (table: string, where: Record<string, string> = { account_id: id }) =>
    (await rowsOf(world.query, `accounts.${table}`, where)).length > 0;
  const leftOn = async (day: number) => {
    world.clock.set(new Date(began + day * DAY));
    await world.platform.queue.runNow('accounts.sweep');
    const kept = {
      links: await count('recovery'),
      sessions: await count('session'),
      mails: await count('mail', { recipient: 'ada@example.com' }),
      activity: await count('activity'),
    };
    return Object.entries(kept).flatMap(([name, isKept]) => (isKept ? [name] : []));
  };
  expect(await leftOn(2.9)).toEqual(['links', 'sessions', 'mails', 'activity']);
  expect(await leftOn(4.9)).toEqual(['sessions', 'mails', 'activity']);
  expect(await leftOn(9.9)).toEqual(['mails', 'activity']);
  expect(await leftOn(19.9)).toEqual(['activity']);
  expect(await leftOn(20.1)).toEqual([]);
});

test('pages are told the days that are set', async () => {
  const terms = dataOf(await world.ask(visitor(), '{ accountClosingTerms { kind days } }'), 'accountClosingTerms');
  expect(terms).toEqual(
    expect.arrayContaining([
      { kind: 'ACTIVITY', days: 20 },
      { kind: 'MAILS', days: 10 },
    ]),
  );
  expect(dataOf(await world.ask(visitor(), '{ accountRules { staffActsDays } }'), 'accountRules')).toEqual({ staffActsDays: 100 });
});

test('the register has the days that are set, and names the variable', () => {
  const page = registerPage(readRetention(SET));
  expect(page).toContain('| who did what, when, from which address and browser | 20 days |');
  expect(page).toContain('| `RETAIN_WEBHOOKS_DAYS` | 60 |');
  expect(page).not.toMatch(/\{\w+\}/);
  for (const kind of RETENTION_KINDS) expect(page).toContain(RETENTION[kind].variable);
});

test.each(RETENTION_KINDS)('%s is refused below its least and above its most', (kind) => {
  const { variable, least, most } = RETENTION[kind];
  for (const days of [least - 1, most + 1]) expect(() => readConfig({ [variable]: String(days) })).toThrow(variable);
});

test('a session cannot be idle for longer than it lasts', () => {
  expect(() => readConfig({ RETAIN_IDLE_SESSIONS_DAYS: '40', RETAIN_SESSIONS_DAYS: '30' })).toThrow(
    'must not be more than RETAIN_SESSIONS_DAYS',
  );
});

test('a lease is not kept longer than the ledger that it is entered into', () => {
  expect(() => readConfig({ RETAIN_LEASES_DAYS: '40', RETAIN_USAGE_DAYS: '30' })).toThrow('must not be more than RETAIN_USAGE_DAYS');
});
