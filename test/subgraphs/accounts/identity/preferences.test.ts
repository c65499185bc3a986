// How pages show things to the owner of an account: kept with the account, checked, recorded.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf } from '../../../kit/platform.ts';
import { rowOf, rowsOf } from '../../../kit/tables.ts';
import { type AccountsWorld, PASSWORD, codeOf, dataOf, startAccounts, visitor } from '../world.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const FIELDS = 'preferences { timeZone dateFormat density }';
const SET = `mutation ($input: PreferencesInput!) { accountSetPreferences(input: $input) { ${FIELDS} } }`;
const shown = async (viewer: Parameters<AccountsWorld['ask']>[0]) =>
  dataOf<{ preferences: unknown }>(await world.ask(viewer, `{ me { ${FIELDS} } }`), 'me').preferences;
const set = async (viewer: Parameters<AccountsWorld['ask']>[0], input: object) =>
  dataOf<{ preferences: unknown }>(await world.ask(viewer, SET, { input }), 'accountSetPreferences').preferences;

test('an account shows pages as the browser and the language say, until its owner chooses', async () => {
  const { viewer } = await world.account('ada@example.com');
  expect(await shown(viewer)).toEqual({ timeZone: null, dateFormat: 'LOCALE', density: 'COMFORTABLE' });
});

test('what is chosen stays in every session, one choice at a time, and is recorded once', async () => {
  const { id } = await world.account('bob@example.com');
  const { viewer } = await world.logIn('bob@example.com');
  await set(viewer, { timeZone: 'America/New_York' });
  await set(viewer, { timeZone: 'America/New_York' });
  await set(viewer, { dateFormat: 'ISO', density: 'COMPACT' });
  const other = await world.logIn('bob@example.com');
  expect(await shown(other.viewer)).toEqual({ timeZone: 'America/New_York', dateFormat: 'ISO', density: 'COMPACT' });
  expect(await set(viewer, { timeZone: null })).toEqual({ timeZone: null, dateFormat: 'ISO', density: 'COMPACT' });
  const lines = await rowsOf(world.query, 'accounts.activity', { account_id: id, type: 'account.preferences_set' }, { columns: 'data' });
  expect(lines).toHaveLength(3);
});

test.each(['Mars/Olympus', '+02:00', '', 'Europe/Berlin; drop', 'x'.repeat(100)])(
  'the zone %j is refused by the field',
  async (timeZone) => {
    const { viewer } = await world.account(
      `zone-${Math.abs(Buffer.from(timeZone).reduce((sum, byte) => sum * 31 + byte, 7)) % 1e9}@example.com`,
    );
    const answer = await world.ask(viewer, SET, { input: { timeZone } });
    expect(codeOf(answer)).toBe('parameter_invalid');
    expect(answer.errors?.[0]?.message).toContain('time zone');
    expect(answer.errors?.[0]?.extensions).toMatchObject({ field: 'timeZone' });
    expect(await shown(viewer)).toMatchObject({ timeZone: null });
  },
);

test.each(['UTC', 'Asia/Kolkata', 'Asia/Calcutta', 'Australia/Lord_Howe'])('the zone %s is taken', async (timeZone) => {
  const { viewer } = await world.account(`${timeZone.replaceAll(/\W/g, '').toLowerCase()}@example.com`);
  expect(await set(viewer, { timeZone })).toMatchObject({ timeZone });
});

test('no key reads or sets them, and nobody who is signed out', async () => {
  const { id } = await world.account('eve@example.com');
  const key = keyOf(id, ['read', 'generate', 'servers', 'billing']);
  expect(codeOf(await world.ask(key, SET, { input: { density: 'COMPACT' } }))).toBe('forbidden');
  expect(codeOf(await world.ask(key, `{ me { ${FIELDS} } }`))).toBe('forbidden');
  expect(codeOf(await world.ask(visitor(), SET, { input: { density: 'COMPACT' } }))).toBe('session_invalid');
});

test('the zone, which says where somebody lives, goes when the account is closed', async () => {
  const { id } = await world.account('carla@example.com');
  const { viewer } = await world.logIn('carla@example.com');
  await set(viewer, { timeZone: 'Europe/Vienna' });
  await world.ask(viewer, 'mutation ($password: String) { accountClose(password: $password) { kind } }', { password: PASSWORD });
  expect(await rowOf(world.query, 'accounts.account', { id }, { columns: 'time_zone' })).toEqual({ time_zone: null });
});
