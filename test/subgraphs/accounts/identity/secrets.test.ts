// One marker secret of each kind is used in the ordinary way, and then searched for where it must not be.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFront } from '../../../../gateway/http/front.ts';
import { createOriginPolicy } from '../../../../gateway/http/origins.ts';
import { createSessionCookie } from '../../../../gateway/sign-in/session-cookie.ts';
import { createSignInRoute } from '../../../../gateway/sign-in/sign-in.ts';
import { inProcessSource } from '../../../../gateway/graph/sources/in-process.ts';
import { issueApiKey } from '../../../../subgraphs/accounts/keys/services/issue-api-key.ts';
import { recordingLog } from '../../../gateway/world.ts';
import { type AccountsWorld, codeOf, dataOf, nobody, startAccounts, visitor } from '../world.ts';
import { dump } from '../../../kit/dump.ts';
import { totpCode } from '../../../kit/totp.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

/** All rows of all tables as text, those of the queue and the event log too. */
async function everything(): Promise<string> {
  const text = [...(await dump(world.query)).values()].flat().join('\n');
  // Searches bytes as text too, not only as the hexadecimal that PostgreSQL prints.
  const bytes = [...text.matchAll(/\\\\x([0-9a-f]{8,})/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'));
  return [text, ...bytes].join('\n');
}

test('passwords, links, sessions, challenges, keys, app secrets and codes are in no table, no log and no mail but their own', async () => {
  const { log, lines } = recordingLog();
  const source = inProcessSource(world.subgraph, log);
  const secrets: Record<string, string> = { password: 'marker-password-5d1f', recovered: 'marker-recovered-81ab' };
  const ask = (viewer: Parameters<AccountsWorld['ask']>[0], query: string, variables?: Record<string, unknown>) =>
    source.execute({ query, ...(variables && { variables }) }, viewer);
  const tokenIn = async (index: number) =>
    new URL((await world.mailed('marker@example.com'))[index]?.links[0] ?? '').searchParams.get('token') ?? '';

  await ask(
    visitor(),
    'mutation ($password: String!) { accountSignUp(input: { email: "marker@example.com", password: $password }) { email } }',
    { password: secrets['password'] },
  );
  const verification = await tokenIn(0);
  secrets['verification'] = verification;

  let url = '';
  const front = createFront({
    port: 0,
    host: '127.0.0.1',
    upgrades: [],
    clock: world.clock,
    log,
    metrics: world.platform.metrics,
    routes: [
      createSignInRoute({
        accounts: source,
        access: nobody,
        cookie: createSessionCookie(false),
        origins: createOriginPolicy(() => url),
        clock: world.clock,
      }),
    ],
  });
  ({ url } = await front.listen());
  const signIn = (password: string | undefined) =>
    fetch(`${url}/auth/sign-in`, {
      method: 'POST',
      body: JSON.stringify({ email: 'marker@example.com', password }),
      headers: { 'content-type': 'application/json', cookie: `egress_verification=${verification}` },
    });
  const cookieOf = (response: Response, name: string) =>
    new RegExp(`egress_${name}=([^;]+)`).exec(response.headers.getSetCookie().join('\n'))?.[1] ?? '';
  expect((await signIn('marker-wrong-password-77')).status).toBe(401);
  secrets['wrong password'] = 'marker-wrong-password-77';
  secrets['session'] = cookieOf(await signIn(secrets['password']), 'session');
  const { viewer } = await world.callerOf(secrets['session']);

  const { secret } = dataOf<{ secret: string }>(
    await ask(viewer, 'mutation ($password: String) { totpStart(password: $password) { secret } }', { password: secrets['password'] }),
    'totpStart',
  );
  secrets['app secret'] = secret;
  const code = totpCode(secret, world.clock);
  const { codes } = dataOf<{ codes: string[] }>(
    await ask(viewer, 'mutation ($code: String!) { totpConfirm(code: $code) { codes } }', { code }),
    'totpConfirm',
  );
  secrets['recovery code'] = codes[0] ?? '';
  secrets['plain recovery code'] = codes[0]?.replaceAll('-', '') ?? '';
  secrets['challenge'] = cookieOf(await signIn(secrets['password']), 'challenge');

  const { key } = await issueApiKey(world.context(), { accountId: viewer.kind === 'session' ? viewer.accountId : '', expiresAt: null });
  secrets['key'] = key;
  secrets['key without prefix'] = key.slice('egress_test_'.length);

  await ask(visitor(), 'mutation { accountRecover(email: "marker@example.com") { email } }');
  const mails = await world.mailed('marker@example.com');
  secrets['recovery'] = new URL(mails.find((mail) => mail.subject.startsWith('Choose'))?.links[0] ?? '').searchParams.get('token') ?? '';
  expect(
    codeOf(
      await ask(
        visitor(),
        'mutation ($token: String!, $password: String!) { accountSetPassword(token: $token, password: $password) { email } }',
        { token: secrets['recovery'], password: secrets['recovered'] },
      ),
    ),
  ).toBeUndefined();
  await world.mailed('marker@example.com');
  await front.close();

  const places = { tables: await everything(), logs: JSON.stringify(lines), mails: mails.map((mail) => mail.raw).join('\n') };
  /** The token of a link is allowed in the mail that carries the link. */
  const meant = new Set(['mails verification', 'mails recovery']);
  const found = [];
  for (const [name, value] of Object.entries(secrets)) {
    expect(value.length, name).toBeGreaterThan(8);
    for (const [place, text] of Object.entries(places))
      if (!meant.has(`${place} ${name}`) && text.replace(/=\r?\n/g, '').includes(value)) found.push(`${place}: ${name}`);
  }
  expect(found).toEqual([]);
  expect(places.tables).toContain('marker@example.com');
});
