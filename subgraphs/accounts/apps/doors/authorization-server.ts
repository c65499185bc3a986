// The OAuth 2.1 authorization server of the MCP endpoint, on oidc-provider: authorization codes with PKCE, dynamic registration, client id metadata documents.
// It signs nobody in itself: the dashboard's session says who agrees (`consent.ts`), and each request of a client is agreed to anew.
import { createHash, createPrivateKey } from 'node:crypto';
import Provider, { type Configuration, errors, interactionPolicy } from 'oidc-provider';
import type { Ask } from '#platform/ask.ts';
import { type Clock, SECOND } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { SCOPES } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import type { OutsideRules } from '#platform/outside-address.ts';
import { secretsOf } from '#platform/secrets.ts';
import { APP_LIFETIMES } from '../domain/app-terms.ts';
import { createDocumentFetch } from './client-metadata.ts';
import { CONNECT_PAGE, OAUTH_PATHS, mcpResource } from './oauth-paths.ts';
import { createStorage } from './oauth-storage.ts';

const seconds = (ms: number): number => ms / SECOND;

/** DER of an Ed25519 private key, up to its 32 bytes. RFC 8410, 7. */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key that signs ID tokens. Nobody is given one, but the library wants a key; derived, so that all processes have the same. */
function signingKey(secret: string): Record<string, unknown> {
  const seed = createHash('sha256').update(`oauth ${secret}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([ED25519, seed]), format: 'der', type: 'pkcs8' });
  return { ...key.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig', kid: 'egress' };
}

/** Everybody is asked, each time: which account a browser was signed in to before says nothing about who sits there now. */
function policy(): interactionPolicy.DefaultPolicy {
  const { Check, base } = interactionPolicy;
  const prompts = base();
  prompts
    .get('login')
    ?.checks.add(
      new Check('asked', 'the owner has to agree', ({ oidc }) => (oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT)),
    );
  return prompts;
}

export interface AuthorizationServerOptions {
  ask: Ask;
  config: Config;
  clock: Clock;
  log: Log;
  /** Where documents of clients may be. */
  outside: OutsideRules;
}

/** The library asks to name the draft that the caller knows; its types do not have it. */
const DOCUMENTS_OF_CLIENTS = { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } };

/** Made at the first request: only then is the public URL known. */
export function createAuthorizationServer({ ask, config, clock, log, outside }: AuthorizationServerOptions): Provider {
  const { PUBLIC_URL } = config;
  const resource = mcpResource(PUBLIC_URL);
  const secrets = secretsOf(config);
  const https = PUBLIC_URL.startsWith('https://');
  const cookies = { httpOnly: true, sameSite: 'lax', secure: https, signed: true } as const;
  const { Client: _client, ...ttl } = APP_LIFETIMES;
  const configuration: Configuration = {
    adapter: createStorage(ask, clock),
    routes: OAUTH_PATHS,
    scopes: ['offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'EdDSA', token_endpoint_auth_method: 'none' },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    jwks: { keys: [signingKey(secrets.internal[0])] },
    pkce: { required: () => true },
    ttl: { ...Object.fromEntries(Object.entries(ttl).map(([kind, ms]) => [kind, seconds(ms)])), IdToken: 60 },
    cookies: {
      keys: [...secrets.internal],
      names: { session: 'egress_oauth', interaction: 'egress_oauth_step', resume: 'egress_oauth_resume' },
      long: cookies,
      short: cookies,
    },
    interactions: { policy: policy(), url: (_ctx, { uid }) => `${OAUTH_PATHS.interactions}/${uid}` },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    // A client that may renew its tokens does so until its owner removes it: it need not ask for offline_access.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    // A program in a browser may use its tokens from the page that it returns to.
    clientBasedCORS: (_ctx, origin, client) => (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    renderError(ctx, { error }) {
      ctx.status = 303;
      ctx.redirect(`${CONNECT_PAGE}?${new URLSearchParams({ error })}`);
    },
    fetch: createDocumentFetch(outside) as never,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, asked) {
          if (asked !== resource) throw new errors.InvalidTarget();
          return {
            scope: SCOPES.join(' '),
            audience: resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: seconds(APP_LIFETIMES.AccessToken),
          };
        },
      },
      ...DOCUMENTS_OF_CLIENTS,
    },
  };
  const provider = new Provider(PUBLIC_URL, configuration);
  // The route passes on what the public port knows of the client.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'the authorization server failed'));
  return provider;
}
