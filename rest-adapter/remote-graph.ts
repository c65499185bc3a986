// The graph in another process: two signed calls, with the adapter's side and the gateway's side of them.
import { createHmac, randomBytes } from 'node:crypto';
import { type ExecutionResult, OperationTypeNode, getOperationAST, parse } from 'graphql';
import { type Clock, SECOND } from '#platform/clock.ts';
import { type ErrorCode, type ErrorMeta, fail } from '#platform/errors.ts';
import { type Origin, type Viewer, createNonces } from '#platform/identity.ts';
import { type SigningKeys, isSameText } from '#platform/mac.ts';
import { readBody } from '#platform/read-body.ts';
import type { Access, Admission } from '../gateway/sign-in/access.ts';
import type { Route } from '#platform/route.ts';
import type { Gateway } from '../gateway/graph/gateway.ts';
import { callerGone, requireMethod, sendJson } from '#platform/respond.ts';
import type { Gateways } from './gateways.ts';
import type { Graph } from './graph.ts';

const HEADER = 'egress-internal';
/** How long a signature is valid: both processes are ours, so this covers only the transfer and clock skew. */
const VALID_MS = 5 * SECOND;
const BODY_LIMIT = 1_048_576;

interface AdmitCall {
  call: 'admit';
  authorization?: string | undefined;
  origin: Origin;
  accepts?: { tokens: boolean } | undefined;
}

interface ExecuteCall {
  call: 'execute';
  document: string;
  variables: Record<string, unknown>;
  viewer: Viewer;
}

type AdmitAnswer = Omit<Admission, 'failure'> & { failure?: { code: ErrorCode; meta: ErrorMeta; message: string } };

/** `<milliseconds>.<nonce>.<hex HMAC-SHA-256 of milliseconds.nonce.body>`. The body names the call, so that a signature for one call does not fit another. */
const sign = (body: string, secret: string, at: number, nonce: string): string =>
  `${at}.${nonce}.${createHmac('sha256', secret).update(`${at}.${nonce}.${body}`).digest('hex')}`;

/** The gateway's side: accepts a signature that fits the body, is fresh and was not used before. Throws `unsigned_request`. */
function createCheck(keys: SigningKeys, clock: Clock): (header: string | undefined, body: string) => void {
  const once = createNonces(clock, VALID_MS);
  return (header, body) => {
    const [at = '', nonce = ''] = header?.split('.') ?? [];
    const isOurs = keys.some((key) => isSameText(header ?? '', sign(body, key, Number(at), nonce)));
    if (!isOurs || !once(nonce, Number(at))) throw fail('unsigned_request');
  };
}

export interface RemoteGraphOptions {
  gateways: Gateways;
  secret: SigningKeys;
  clock: Clock;
}

/** The graph of gateways in other processes. They plan a document at its first use, so a wrong one is found only then. */
export function remoteGraph({ gateways, secret, clock }: RemoteGraphOptions): Graph {
  function call(payload: AdmitCall | ExecuteCall, repeatable: boolean, signal?: AbortSignal): Promise<unknown> {
    const body = JSON.stringify(payload);
    const headers = () => ({ [HEADER]: sign(body, secret[0], clock.now().getTime(), randomBytes(12).toString('base64url')) });
    return gateways.ask({ path: `/internal/${payload.call}`, body, headers, repeatable, signal });
  }

  return {
    async admit(authorization, origin, accepts) {
      // May be repeated: a request that is counted twice takes one more of its caller's limit, which is better than a refusal.
      const { failure, ...admission } = (await call({ call: 'admit', authorization, origin, accepts }, true)) as AdmitAnswer;
      return { ...admission, ...(failure && { failure: fail(failure.code, failure.meta, failure.message) }) };
    },
    prepare(document) {
      const changes = getOperationAST(parse(document))?.operation !== OperationTypeNode.QUERY;
      return async (variables, viewer, signal) =>
        (await call({ call: 'execute', document, variables, viewer }, !changes, signal)) as ExecutionResult;
    },
    close: () => gateways.close(),
  };
}

export interface InternalGraphRouteOptions {
  gateway: Gateway;
  access: Access;
  secret: SigningKeys;
  clock: Clock;
}

/** The gateway's side of `remoteGraph`: POST /internal/admit and /internal/execute. Refuses requests that are unsigned, altered, repeated or older than 5 s. */
export function createInternalGraphRoute({ gateway, access, secret, clock }: InternalGraphRouteOptions): Route {
  const check = createCheck(secret, clock);

  async function answer(payload: AdmitCall | ExecuteCall, signal: AbortSignal): Promise<unknown> {
    if (payload.call === 'execute')
      return gateway.execute(gateway.prepare(payload.document), { variables: payload.variables, viewer: payload.viewer, signal });
    const { failure, ...admission } = await access.admitKey(payload.authorization, payload.origin, payload.accepts);
    return {
      ...admission,
      ...(failure && { failure: { code: failure.code, meta: failure.meta, message: failure.message } }),
    } satisfies AdmitAnswer;
  }

  return {
    name: 'internal',
    shared: true,
    matches: (pathname) => pathname === '/internal/admit' || pathname === '/internal/execute',
    async handle(request, response, { url }) {
      requireMethod(request, response, 'POST');
      const gone = callerGone(response);
      const body = (await readBody(request, BODY_LIMIT)).toString('utf8');
      check(request.headers[HEADER]?.toString(), body);
      const payload = JSON.parse(body) as AdmitCall | ExecuteCall;
      if (url.pathname !== `/internal/${payload.call}`) throw fail('unsigned_request');
      sendJson(response, 200, await answer(payload, gone));
    },
  };
}
