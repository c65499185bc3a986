// A chat platform with OAuth 2.0: authorization code with PKCE, tokens that read one profile, and people who are created when they are first named.
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
import { AuthorizationServer } from './authorization-server.ts';
import type { NamedPerson } from './authorization-server.ts';
import type { ChatPerson } from './person.ts';
import { consentPage, peoplePage, refusalPage } from './pages.ts';

export interface ChatPlatform {
  readonly url: string;
  readonly terms: { authorizeUrl: string; tokenUrl: string; profileUrl: string };
  /** Logs a person in and consents, as the consent page does. Returns the URL to which the browser is redirected. */
  consent(authorizeUrl: string, person: NamedPerson): string;
  /** Refuses on the consent page. */
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

export async function startChatPlatform(options: ChatPlatformOptions): Promise<ChatPlatform> {
  const { clock, clientId, clientSecret } = options;
  const snapshot = await openSnapshot(options.dataDir, 'chat', { people: {} as Record<string, ChatPerson> });
  const server = new AuthorizationServer({
    clock,
    clientId,
    clientSecret,
    people: snapshot.state.people,
    changed: snapshot.changed,
  });
  const app = new Hono<NodeBindings>();
  app.get('/', async (c) => c.html(await peoplePage(server.people(), vendorLinks(options.vendors())), 200, pageHeaders));
  app.route('/oauth2', consentRoutes(server, clientId));
  app.route('/api', apiRoutes(server));
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
    consent: (url, person) => consented(server, authorizationOf(url), person),
    deny: (url) => back(authorizationOf(url), { error: 'access_denied' }),
    people: () => server.people(),
    async close() {
      await listener.close();
      await snapshot.flush();
    },
  };
}

/** The URL to which the browser of a person who has consented is redirected. */
const consented = (server: AuthorizationServer, authorization: Authorization, person: NamedPerson): string =>
  back(authorization, { code: server.grant(authorization, server.personNamed(person)) });

/** The page on which a person consents or refuses. */
function consentRoutes(server: AuthorizationServer, clientId: string): Hono<NodeBindings> {
  const app = new Hono<NodeBindings>();
  app.get('/authorize', async (c) => {
    const authorization = readAuthorization(new URL(c.req.url).searchParams, clientId);
    if (typeof authorization === 'string') return c.html(await refusalPage(authorization), 400, pageHeaders);
    return c.html(await consentPage(server.people()), 200, pageHeaders);
  });
  app.post('/authorize', async (c) => {
    const authorization = readAuthorization(new URL(c.req.url).searchParams, clientId);
    if (typeof authorization === 'string') return c.html(await refusalPage(authorization), 400, pageHeaders);
    const form = await c.req.parseBody();
    const word = (name: string) => (typeof form[name] === 'string' ? form[name].trim() : '');
    if (word('action') !== 'allow') return c.redirect(back(authorization, { error: 'access_denied' }), 303);
    const username = word('username');
    if (!/^[\w.]{2,32}$/.test(username))
      return c.html(await consentPage(server.people(), 'A username has 2 to 32 letters, figures, _ or .'), 400, pageHeaders);
    const email = word('email');
    return c.redirect(
      consented(server, authorization, { username, ...(email !== '' && { email, verified: word('verified') === 'on' }) }),
      303,
    );
  });
  return app;
}

/** The API that the product calls: a token for a code, and the token's profile. */
function apiRoutes(server: AuthorizationServer): Hono<NodeBindings> {
  const app = new Hono<NodeBindings>();
  app.post('/oauth2/token', async (c) => {
    const form = await c.req.parseBody();
    const word = (name: string) => (typeof form[name] === 'string' ? form[name] : '');
    const [id, secret] = basicOf(c) ?? [word('client_id'), word('client_secret')];
    if (!server.isClient(id, secret)) return c.json({ error: 'invalid_client' }, 401);
    if (word('grant_type') !== 'authorization_code') return c.json({ error: 'unsupported_grant_type' }, 400);
    const redeemed = server.redeem(word('code'), word('redirect_uri'), word('code_verifier'));
    if (!redeemed) return c.json({ error: 'invalid_grant', error_description: 'Invalid "code" in request.' }, 400);
    return c.json({ access_token: redeemed.token, token_type: 'Bearer', expires_in: 604_800, scope: redeemed.scope });
  });
  app.get('/users/@me', (c) => {
    const person = server.personOf(/^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '');
    if (!person) return c.json({ message: '401: Unauthorized', code: 0 }, 401);
    return c.json({ id: person.id, username: person.username, global_name: null, email: person.email, verified: person.verified });
  });
  return app;
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
