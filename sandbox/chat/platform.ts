// A chat platform with OAuth 2.0 log-in: authorization code with PKCE, a token that reads one profile, people who come to be when they are named.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Clock } from '#platform/clock.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { pageHeaders, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { readAuthorization } from './authorization.ts';
import type { Authorization } from './authorization.ts';
import type { ChatPerson } from './person.ts';
import { consentPage, peoplePage, refusalPage } from './pages.ts';

export interface ChatPlatform {
  readonly url: string;
  readonly terms: { authorizeUrl: string; tokenUrl: string; profileUrl: string };
  /** Logs a person in and consents, as the consent page does. The address that the browser is sent back to. */
  consent(authorizeUrl: string, person: { username: string; email?: string; verified?: boolean }): string;
  /** Says no on the consent page. */
  deny(authorizeUrl: string): string;
  people(): ChatPerson[];
  close(): Promise<void>;
}

export interface ChatPlatformOptions {
  host: string;
  port: number;
  dataDir: string | undefined;
  clock: Clock;
  clientId: string;
  clientSecret: string;
  vendors: () => VendorUrls;
}

/** RFC 6749, 4.1.2: ten minutes at most; the great platforms give one. */
const CODE_MS = 60_000;

interface Grant extends Authorization {
  personId: string;
  expiresAt: number;
  /** Set once the code is redeemed; shown again, it revokes this token (RFC 6749, 4.1.2). */
  token?: string;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const same = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other));
const random = (): string => randomBytes(24).toString('base64url');

export async function startChatPlatform(options: ChatPlatformOptions): Promise<ChatPlatform> {
  const { clock, clientId, clientSecret } = options;
  const snapshot = await openSnapshot(options.dataDir, 'chat', { people: {} as Record<string, ChatPerson> });
  const { people } = snapshot.state;
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, string>();
  const app = new Hono<NodeBindings>();

  function personNamed({ username, email, verified = true }: { username: string; email?: string; verified?: boolean }): ChatPerson {
    const person = (people[username] ??= {
      id: String(BigInt(`0x${randomBytes(8).toString('hex')}`)),
      username,
      email: null,
      verified: false,
    });
    if (email !== undefined) Object.assign(person, { email, verified });
    snapshot.changed();
    return person;
  }
  function grant(authorization: Authorization, person: ChatPerson): string {
    const code = random();
    grants.set(code, { ...authorization, personId: person.id, expiresAt: clock.now().getTime() + CODE_MS });
    return back(authorization, { code });
  }

  app.get('/', async (c) => c.html(await peoplePage(Object.values(people), vendorLinks(options.vendors())), 200, pageHeaders));

  app.get('/oauth2/authorize', async (c) => {
    const authorization = readAuthorization(new URL(c.req.url).searchParams, clientId);
    if (typeof authorization === 'string') return c.html(await refusalPage(authorization), 400, pageHeaders);
    return c.html(await consentPage(Object.values(people)), 200, pageHeaders);
  });
  app.post('/oauth2/authorize', async (c) => {
    const authorization = readAuthorization(new URL(c.req.url).searchParams, clientId);
    if (typeof authorization === 'string') return c.html(await refusalPage(authorization), 400, pageHeaders);
    const form = await c.req.parseBody();
    const word = (name: string) => (typeof form[name] === 'string' ? form[name].trim() : '');
    if (word('action') !== 'allow') return c.redirect(back(authorization, { error: 'access_denied' }), 303);
    const username = word('username');
    if (!/^[\w.]{2,32}$/.test(username))
      return c.html(await consentPage(Object.values(people), 'A username has 2 to 32 letters, figures, _ or .'), 400, pageHeaders);
    const email = word('email');
    return c.redirect(
      grant(authorization, personNamed({ username, ...(email !== '' && { email, verified: word('verified') === 'on' }) })),
      303,
    );
  });

  app.post('/api/oauth2/token', async (c) => {
    const form = await c.req.parseBody();
    const word = (name: string) => (typeof form[name] === 'string' ? form[name] : '');
    const [id, secret] = basicOf(c) ?? [word('client_id'), word('client_secret')];
    if (!same(id, clientId) || !same(secret, clientSecret)) return c.json({ error: 'invalid_client' }, 401);
    if (word('grant_type') !== 'authorization_code') return c.json({ error: 'unsupported_grant_type' }, 400);
    const granted = grants.get(word('code'));
    if (granted?.token !== undefined) tokens.delete(granted.token);
    const holds =
      granted !== undefined &&
      granted.token === undefined &&
      clock.now().getTime() < granted.expiresAt &&
      word('redirect_uri') === granted.redirectUri &&
      same(sha256(word('code_verifier')).toString('base64url'), granted.codeChallenge);
    if (!holds) return c.json({ error: 'invalid_grant', error_description: 'Invalid "code" in request.' }, 400);
    granted.token = random();
    tokens.set(granted.token, granted.personId);
    return c.json({ access_token: granted.token, token_type: 'Bearer', expires_in: 604_800, scope: granted.scope });
  });

  app.get('/api/users/@me', (c) => {
    const personId = tokens.get(/^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '');
    const person = Object.values(people).find(({ id }) => id === personId);
    if (!person) return c.json({ message: '401: Unauthorized', code: 0 }, 401);
    return c.json({ id: person.id, username: person.username, global_name: null, email: person.email, verified: person.verified });
  });

  const listener = await listen(app, options.host, options.port);
  const authorizationOf = (url: string): Authorization => {
    const authorization = readAuthorization(new URL(url).searchParams, clientId);
    if (typeof authorization === 'string') throw new Error(authorization);
    return authorization;
  };
  return {
    url: listener.url,
    terms: {
      authorizeUrl: `${listener.url}/oauth2/authorize`,
      tokenUrl: `${listener.url}/api/oauth2/token`,
      profileUrl: `${listener.url}/api/users/@me`,
    },
    consent: (url, person) => grant(authorizationOf(url), personNamed(person)),
    deny: (url) => back(authorizationOf(url), { error: 'access_denied' }),
    people: () => Object.values(people),
    async close() {
      await listener.close();
      await snapshot.flush();
    },
  };
}

function back({ redirectUri, state }: Authorization, answer: Record<string, string>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }) })) url.searchParams.set(name, value);
  return url.href;
}

function basicOf(c: Context<NodeBindings>): [string, string] | undefined {
  const encoded = /^Basic (.+)$/.exec(c.req.header('authorization') ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  return [id, secret.join(':')];
}
