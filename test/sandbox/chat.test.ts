import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { startChatPlatform } from '../../sandbox/chat/platform.ts';
import type { ChatPlatform } from '../../sandbox/chat/platform.ts';

const REDIRECT = 'http://shop.test/auth/chat/callback';
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-1';

let chat: ChatPlatform;
const clock = new TestClock();
beforeAll(async () => {
  chat = await startChatPlatform({
    host: '127.0.0.1',
    port: 0,
    dataDir: undefined,
    clock,
    clientId: 'shop',
    clientSecret: 'secret',
    vendors: () => ({ card: '', mail: '', network: '', chat: '', crypto: '' }) as never,
  });
});
afterAll(() => chat.close());

const authorize = (more: Record<string, string> = {}) => {
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const query = {
    response_type: 'code',
    client_id: 'shop',
    redirect_uri: REDIRECT,
    state: 's',
    scope: 'identify',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  return `${chat.terms.authorizeUrl}?${new URLSearchParams({ ...query, ...more })}`;
};
const codeOf = (back: string) => new URL(back).searchParams.get('code') ?? '';
async function redeem(code: string, more: Record<string, string> = {}, secret = 'secret') {
  const answer = await fetch(chat.terms.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER, ...more }),
    headers: { authorization: `Basic ${btoa(`shop:${secret}`)}` },
  });
  return { status: answer.status, ...((await answer.json()) as { access_token?: string; error?: string }) };
}
const profile = async (token = '') => {
  const answer = await fetch(chat.terms.profileUrl, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
};

test('a person consents on the page, and the code becomes a token that reads their profile', async () => {
  expect(await (await fetch(authorize())).text()).toContain('name="username"');
  const form = new URLSearchParams({ username: 'ada', email: 'ada@example.com', action: 'allow' });
  const answer = await fetch(authorize(), { method: 'POST', body: form, redirect: 'manual' });
  const back = answer.headers.get('location') ?? '';
  expect(new URL(back).searchParams.get('state')).toBe('s');
  const { access_token: token } = await redeem(codeOf(back));
  expect(await profile(token)).toMatchObject({ status: 200, username: 'ada', email: 'ada@example.com', verified: false });
});

test('a refusal is reported as an error, and a wrong username on the page', async () => {
  const deny = await fetch(authorize(), { method: 'POST', body: new URLSearchParams({ action: 'deny' }), redirect: 'manual' });
  expect(deny.headers.get('location')).toBe(`${REDIRECT}?error=access_denied&state=s`);
  expect(chat.deny(authorize())).toBe(deny.headers.get('location'));
  const wrong = await fetch(authorize(), {
    method: 'POST',
    body: new URLSearchParams({ action: 'allow', username: '<b>' }),
    redirect: 'manual',
  });
  expect(wrong.status).toBe(400);
});

const WRONG: Record<string, string>[] = [
  { client_id: 'other' },
  { redirect_uri: 'http://shop.test/elsewhere' },
  { response_type: 'token' },
  { code_challenge_method: 'plain' },
  { code_challenge: 'short' },
];

test.each(WRONG)('a request with %j is refused on a page, without a redirect', async (more) => {
  expect((await fetch(authorize(more), { redirect: 'manual' })).status).toBe(400);
});

test('a code is redeemed once, by its client, with its verifier and redirect, within a minute; if it is used again, the token is revoked', async () => {
  const fresh = () => codeOf(chat.consent(authorize(), { username: 'bob' }));
  expect(await redeem(fresh(), {}, 'wrong')).toMatchObject({ status: 401, error: 'invalid_client' });
  expect(await redeem(fresh(), { code_verifier: 'another' })).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await redeem(fresh(), { redirect_uri: 'http://evil.test/auth/chat/callback' })).toMatchObject({ error: 'invalid_grant' });
  expect(await redeem(fresh(), { grant_type: 'password' })).toMatchObject({ error: 'unsupported_grant_type' });
  const code = fresh();
  const { access_token: token } = await redeem(code);
  expect(await profile(token)).toMatchObject({ status: 200 });
  expect(await redeem(code)).toMatchObject({ error: 'invalid_grant' });
  expect(await profile(token)).toMatchObject({ status: 401 });
  const late = fresh();
  clock.advance(60_000);
  expect(await redeem(late)).toMatchObject({ error: 'invalid_grant' });
});

test('people keep their id, and the page lists them', async () => {
  chat.consent(authorize(), { username: 'cat' });
  chat.consent(authorize(), { username: 'cat', email: 'cat@example.com' });
  expect(chat.people().filter(({ username }) => username === 'cat')).toEqual([
    expect.objectContaining({ email: 'cat@example.com', verified: true }),
  ]);
  expect(await (await fetch(chat.url)).text()).toContain('cat@example.com');
});
