// The paths of the authorization server on the public port.
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { DoorParts } from '#platform/doors.ts';
import type { Failure } from '#platform/errors.ts';
import { systemViewer } from '#platform/identity.ts';
import type { OutsideRules } from '#platform/outside-address.ts';
import { readJsonObject } from '#platform/read-body.ts';
import { retryAfter, sendJson } from '#platform/respond.ts';
import type { Call, Route } from '#platform/route.ts';
import { toClientMetadata } from './client-metadata.ts';
import { answerConsent } from './consent.ts';
import { OAUTH_PATHS } from './oauth-paths.ts';

const BODY_LIMIT = 16_384;
const COUNT = 'mutation oauthRegistrationCount { counted: oauthRegistrationCount }';
/** What a client may do that asks for nothing in particular. */
const USUAL_SCOPES = 'read generate';

const DISCOVERY = new Set(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']);
const isOAuth = (pathname: string): boolean => pathname.startsWith('/oauth/') || DISCOVERY.has(pathname);

interface Parts extends Pick<DoorParts, 'ask' | 'session' | 'checkOrigin' | 'config' | 'clock' | 'log'> {
  outside: OutsideRules;
}

/** The library is loaded with the first request: its two hundred files are a tenth of what a process of accounts would load at its start. */
async function start(parts: Parts) {
  const { createAuthorizationServer } = await import('./authorization-server.ts');
  const provider = createAuthorizationServer(parts);
  return { provider, answer: provider.callback() };
}

/** `/oauth/...` and the metadata of the authorization server (RFC 8414). Refusals have the form of OAuth: `{ error, error_description }`. */
export function createOAuthRoute(parts: Parts): Route {
  const { ask, config } = parts;
  let server: ReturnType<typeof start> | undefined;

  async function register(request: IncomingMessage, call: Call): Promise<IncomingMessage> {
    await ask(COUNT, {}, { ...systemViewer('oauth', call.requestId), address: call.address });
    const { client_id: _id, ...metadata } = toClientMetadata(await readJsonObject(request, BODY_LIMIT));
    return withBody(request, JSON.stringify(metadata));
  }

  return {
    name: 'oauth',
    matches: isOAuth,
    async handle(request, response, call) {
      const { provider, answer } = await (server ??= start(parts));
      const { pathname } = call.url;
      call.logFields.operation = DISCOVERY.has(pathname) ? 'metadata' : (pathname.split('/')[2] ?? '');
      tellOrigin(request, call, config.PUBLIC_URL);
      if (pathname.startsWith(`${OAUTH_PATHS.interactions}/`))
        return answerConsent(provider, { ...parts, publicUrl: config.PUBLIC_URL }, request, response, call);
      if (pathname === OAUTH_PATHS.authorization) askUsualScopes(request, call.url);
      const registers = pathname === OAUTH_PATHS.registration && request.method === 'POST';
      await answer(registers ? await register(request, call) : request, response);
    },
    refuse: (failure, _request, response, { requestId }) => refuse(response, failure, requestId),
  };
}

/** The library builds no address of these, but sets cookies by them. The public port has judged what proxies say of the client. */
function tellOrigin({ headers }: IncomingMessage, { address }: Call, publicUrl: string): void {
  headers['x-forwarded-proto'] = new URL(publicUrl).protocol.slice(0, -1);
  headers['x-forwarded-for'] = address;
  delete headers['x-forwarded-host'];
}

function askUsualScopes(request: IncomingMessage, url: URL): void {
  if (request.method !== 'GET' || url.searchParams.get('scope')?.trim()) return;
  const asked = new URLSearchParams(url.searchParams);
  asked.set('scope', USUAL_SCOPES);
  request.url = `${url.pathname}?${asked}`;
}

/** The same request with another body; the first one is read. */
function withBody(request: IncomingMessage, body: string): IncomingMessage {
  const copy = new IncomingMessage(request.socket);
  const { method, url, httpVersion } = request;
  const headers = { ...request.headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  delete headers['transfer-encoding'];
  Object.assign(copy, { method, url, httpVersion, headers, complete: true });
  copy.push(body);
  copy.push(null);
  return copy;
}

function refuse(response: ServerResponse, failure: Failure, requestId: string): void {
  const error = failure.status === 429 ? 'temporarily_unavailable' : failure.status >= 500 ? 'server_error' : 'invalid_request';
  const { code, message } = failure;
  sendJson(response, failure.status, { error, error_description: message, code, message, requestId }, retryAfter(failure));
}
