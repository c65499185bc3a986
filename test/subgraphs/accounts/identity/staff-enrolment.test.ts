// The password of a member of staff alone does not open the desk: whoever has only the password cannot set up the second factor.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { createPasskeyDevice } from './passkey-device.ts';
import { type AccountsWorld, PASSWORD, codeOf, dataOf, startAccounts } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { totpCode } from '../../../kit/totp.ts';

let world: AccountsWorld;
let colleague: Viewer;
beforeAll(async () => {
  world = await startAccounts({ PUBLIC_URL: 'http://localhost:4000' });
  ({ viewer: colleague } = await world.account('colleague@desk.example', 'STAFF'));
});
afterAll(() => world.close());

const TOTP_START = 'mutation ($password: String) { totpStart(password: $password) { secret } }';
const TOTP_CONFIRM = 'mutation ($code: String!) { totpConfirm(code: $code) { codes } }';
const TOTP_REMOVE = 'mutation ($password: String, $code: String!) { totpRemove(password: $password, code: $code) { id } }';
const PASSKEY_START = 'mutation ($password: String) { passkeyStart(password: $password) { token options } }';
const PASSKEY_ADD =
  'mutation ($token: String!, $response: String!) { passkeyAdd(token: $token, response: $response, name: "Key") { recoveryCodes } }';
const RENEW = 'mutation ($password: String) { recoveryCodesRenew(password: $password) { codes } }';
const LINK = 'mutation ($id: ID!) { supportEnrolmentLink(accountId: $id) { url expiresAt } }';
const ACCEPT = 'mutation ($token: String!) { staffEnrolmentAccept(token: $token) }';

const codeNow = (secret: string) => totpCode(secret, world.clock);
const start = (viewer: Viewer) => world.ask(viewer, TOTP_START, { password: PASSWORD });
const accept = (viewer: Viewer, token: string) => world.ask(viewer, ACCEPT, { token });
async function linkFor(id: string): Promise<string> {
  const { url } = dataOf<{ url: string }>(await world.ask(colleague, LINK, { id }), 'supportEnrolmentLink');
  expect(url).toMatch(/^http:\/\/localhost:4000\/settings\/enrol\?token=[\w-]{43}$/);
  return new URL(url).searchParams.get('token') ?? '';
}
async function setUp(viewer: Viewer): Promise<{ secret: string; codes: string[] }> {
  const { secret } = dataOf<{ secret: string }>(await start(viewer), 'totpStart');
  const { codes } = dataOf<{ codes: string[] }>(await world.ask(viewer, TOTP_CONFIRM, { code: codeNow(secret) }), 'totpConfirm');
  world.clock.advance(30 * SECOND);
  return { secret, codes };
}

test('with the password alone nobody sets up an app, a passkey or recovery codes of a staff account', async () => {
  await world.account('ada@desk.example', 'STAFF');
  const { viewer } = await world.logIn('ada@desk.example');
  expect(codeOf(await start(viewer))).toBe('enrolment_link_needed');
  expect(codeOf(await world.ask(viewer, TOTP_CONFIRM, { code: '123456' }))).toBe('enrolment_link_needed');
  expect(codeOf(await world.ask(viewer, PASSKEY_START, { password: PASSWORD }))).toBe('enrolment_link_needed');
  expect(codeOf(await world.ask(viewer, PASSKEY_ADD, { token: 'x', response: '{}' }))).toBe('enrolment_link_needed');
  expect(codeOf(await world.ask(viewer, RENEW, { password: PASSWORD }))).toBe('action_not_allowed');
});

test('with the link of a colleague, once and in one session, for half an hour; the session is then a strong one', async () => {
  const { id } = await world.account('bob@desk.example', 'STAFF');
  const [mine, other] = [await world.logIn('bob@desk.example'), await world.logIn('bob@desk.example')];
  const token = await linkFor(id);
  expect(codeOf(await accept(mine.viewer, token))).toBeUndefined();
  expect(codeOf(await accept(mine.viewer, token))).toBe('token_invalid');
  expect(codeOf(await start(other.viewer))).toBe('enrolment_link_needed');
  world.clock.advance(30 * MINUTE);
  expect(codeOf(await start(mine.viewer))).toBe('enrolment_link_needed');
  await accept(mine.viewer, await linkFor(id));
  const { secret } = await setUp(mine.viewer);
  expect((await world.callerOf(mine.token)).viewer).toMatchObject({ staff: true });
  // From then on the second factor is the proof: another needs no link, even after the first was removed.
  expect(codeOf(await world.ask(mine.viewer, PASSKEY_START, { password: PASSWORD }))).toBeUndefined();
  expect(codeOf(await world.ask(mine.viewer, TOTP_REMOVE, { password: PASSWORD, code: codeNow(secret) }))).toBeUndefined();
  expect(codeOf(await start(mine.viewer))).toBeUndefined();
  const later = await world.logIn('bob@desk.example');
  expect(codeOf(await start(later.viewer))).toBe('enrolment_link_needed');
});

test('a link is for one account, lives a day, and dies with the next', async () => {
  const { id } = await world.account('cat@desk.example', 'STAFF');
  await world.account('eve@desk.example', 'STAFF');
  const { viewer } = await world.logIn('cat@desk.example');
  const { viewer: stranger } = await world.logIn('eve@desk.example');
  const [first, second] = [await linkFor(id), await linkFor(id)];
  expect(codeOf(await accept(viewer, first))).toBe('token_invalid');
  expect(codeOf(await accept(stranger, second))).toBe('token_invalid');
  world.clock.advance(DAY);
  const { viewer: late } = await world.logIn('cat@desk.example');
  expect(codeOf(await accept(late, second))).toBe('token_invalid');
  expect(JSON.stringify(await rowsOf(world.query, 'accounts.staff_enrolment'))).not.toContain(second);
});

test('links are for members of staff without a second factor, and come from another member of staff', async () => {
  const { id: customer } = await world.account('dan@example.com');
  const { id, viewer } = await world.account('fay@desk.example', 'STAFF');
  expect(codeOf(await world.ask(colleague, LINK, { id: customer }))).toBe('action_not_allowed');
  expect(codeOf(await world.ask(colleague, LINK, { id: 'acct_none' }))).toBe('account_not_found');
  expect(codeOf(await world.ask(viewer, LINK, { id }))).toBe('own_account_refused');
  expect(codeOf(await world.ask({ ...viewer, staff: false } as Viewer, LINK, { id: customer }))).toBe('forbidden');
  const session = await world.logIn('fay@desk.example');
  await accept(session.viewer, await linkFor(id));
  await setUp(session.viewer);
  expect(codeOf(await world.ask(colleague, LINK, { id }))).toBe('action_not_allowed');
  expect(
    (
      await rowsOf<{ type: string; actor: string }>(
        world.query,
        'accounts.activity',
        { account_id: id },
        { columns: 'type, actor', orderBy: 'id' },
      )
    )
      .map(({ type, actor }) => `${actor} ${type}`)
      .filter((line) => line.includes('enrolment')),
  ).toEqual(['SUPPORT account.enrolment_link_issued', 'OWNER account.enrolment_link_used']);
});

test('recovery codes from before the first factor, whoever stored them, are void with it', async () => {
  const { id } = await world.account('gus@example.com');
  const { viewer } = await world.logIn('gus@example.com');
  expect(codeOf(await world.ask(viewer, RENEW, { password: PASSWORD }))).toBe('action_not_allowed');
  const { secret, codes } = await setUp(viewer);
  expect(codes).toHaveLength(10);
  await world.ask(viewer, TOTP_REMOVE, { password: PASSWORD, code: codeNow(secret) });
  world.clock.advance(30 * SECOND);
  const device = createPasskeyDevice('http://localhost:4000');
  const { token, options } = dataOf<{ token: string; options: string }>(
    await world.ask(viewer, PASSKEY_START, { password: PASSWORD }),
    'passkeyStart',
  );
  const { recoveryCodes } = dataOf<{ recoveryCodes: string[] }>(
    await world.ask(viewer, PASSKEY_ADD, { token, response: device.create(options) }),
    'passkeyAdd',
  );
  expect(recoveryCodes).toHaveLength(10);
  expect(await rowsOf(world.query, 'accounts.recovery_code', { account_id: id })).toHaveLength(10);
});
