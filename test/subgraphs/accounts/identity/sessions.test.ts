// The sessions of an account.
import { expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { systemViewer } from '#platform/identity.ts';
import type { Viewer } from '#platform/identity.ts';
import { codeOf, dataOf, PASSWORD, visitor } from '../world.ts';
import { openWaysIn, world, SESSIONS, logIn } from './ways-in.ts';

openWaysIn();

test('the sessions of an account, each with its device and address, the asking one marked', async () => {
  await world.account('ada@example.com');
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await logIn('ada@example.com', PASSWORD, { ...visitor(), address: '192.0.2.1', userAgent: firefox });
  world.clock.advance(MINUTE);
  const { viewer } = await logIn('ada@example.com', PASSWORD, { ...visitor(), address: '192.0.2.2', userAgent: 'curl/8' });
  expect(dataOf(await world.ask(viewer, SESSIONS), 'me')).toEqual({
    sessions: [
      expect.objectContaining({ current: true, device: 'curl', address: '192.0.2.2', twoFactor: false }),
      expect.objectContaining({ current: false, device: 'Firefox on Linux', address: '192.0.2.1' }),
    ],
  });
});

test("ending one session, the others, and all; another account's is not found", async () => {
  await world.account('bob@example.com');
  const [one, two, three] = [await logIn('bob@example.com'), await logIn('bob@example.com'), await logIn('bob@example.com')];
  const { viewer: stranger } = await world.account('eve@example.com');
  const close = (viewer: Viewer, id: string) => world.ask(viewer, 'mutation ($id: ID!) { sessionClose(id: $id) }', { id });
  const closeAll = (viewer: Viewer, exceptCurrent: boolean) =>
    world.ask(viewer, 'mutation ($exceptCurrent: Boolean!) { sessionCloseAll(exceptCurrent: $exceptCurrent) }', { exceptCurrent });
  expect(codeOf(await close(stranger, one.sessionId))).toBe('session_not_found');
  expect(await close(three.viewer, one.sessionId)).toEqual({ data: { sessionClose: one.sessionId } });
  expect(codeOf(await close(three.viewer, one.sessionId))).toBe('session_not_found');
  expect(await world.isIn(one.token)).toBe(false);
  expect(await closeAll(three.viewer, true)).toEqual({ data: { sessionCloseAll: 1 } });
  expect([await world.isIn(two.token), await world.isIn(three.token)]).toEqual([false, true]);
  expect(await closeAll(three.viewer, false)).toEqual({ data: { sessionCloseAll: 1 } });
  expect(await world.isIn(three.token)).toBe(false);
});

test('a log-in from a device that was never seen is mailed, the first one and a known one are not', async () => {
  await world.account('max@example.com');
  const from = (userAgent: string): Viewer => ({ ...visitor(), userAgent });
  await logIn('max@example.com', PASSWORD, from('Mozilla/5.0 (Macintosh) Firefox/140'));
  await logIn('max@example.com', PASSWORD, from('Mozilla/5.0 (Macintosh) Firefox/140'));
  expect(await world.mailed('max@example.com')).toHaveLength(0);
  await logIn('max@example.com', PASSWORD, { ...from('Mozilla/5.0 (Windows NT 10.0) Chrome/140'), address: '192.0.2.99' });
  const [mail] = await world.mailed('max@example.com');
  expect(mail).toMatchObject({
    subject: 'New sign-in to your Egress account',
    text: expect.stringMatching(/Chrome on Windows, from the address 192\.0\.2\.99/),
  });
});

test('the platform alone asks who is behind a token', async () => {
  const { viewer } = await world.account('pia@example.com');
  const { token } = await logIn('pia@example.com');
  const query = 'query ($token: String!) { callerOfSession(token: $token) { accountId } }';
  expect(codeOf(await world.ask(viewer, query, { token }))).toBe('forbidden');
  expect(codeOf(await world.ask(systemViewer('gateway', 'req_test'), query, { token }))).toBeUndefined();
});
