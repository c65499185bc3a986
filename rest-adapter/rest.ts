// The REST protocol: /v1/*. On node:http without a framework, which would cost more than all other work of a small request.
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { nearName } from '#platform/near-name.ts';
import { readJsonObject } from '#platform/read-body.ts';
import type { Route } from '#platform/route.ts';
import type { Rate } from '../gateway/http/rate-limit.ts';
import { callerGone, hasTag, sendJson, sendText } from '#platform/respond.ts';
import { errorFormatOf, requireAcceptable } from './accept.ts';
import { UNCOUNTED, admit, answerHeaders } from './admission.ts';
import { type AnyEndpoint, methodOf, successStatusOf } from './endpoint.ts';
import { toError, toProblem, toSuccess } from './envelope.ts';
import type { Graph } from './graph.ts';
import type { FieldName, Input } from './input.ts';
import { type UnknownName, sayUnknown, unknownNames } from './near.ts';
import { readQuery } from './query.ts';
import type { ReadyEndpoint } from './service.ts';

export interface RestOptions {
  graph: Graph;
  endpoints: readonly ReadyEndpoint[];
  log: Log;
}

/** Bytes of a JSON object. */
const BODY_LIMIT = 262_144;

/** Pages of any origin may send requests with a key; cookies are not used here. https://fetch.spec.whatwg.org/#http-cors-protocol */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After, X-Request-Id, ETag, Link, Unknown-Parameters',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const preflightOf = (methods: string, takesBody: boolean) => ({
  ...CORS,
  Allow: methods,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': `Authorization, Accept, ${takesBody ? 'Content-Type, Idempotency-Key, ' : ''}If-None-Match`,
  'Access-Control-Max-Age': '86400',
});

/** Links to the descriptions of the API. RFC 8631. */
const LINK = '</openapi.json>; rel="service-desc", </docs>; rel="service-doc"';

/** An endpoint with its path split into segments: each is literal text or a parameter's REST name. */
interface RestEndpoint extends ReadyEndpoint {
  segments: readonly (string | { parameter: string })[];
  fieldName: FieldName;
  method: string;
  /** From REST name to input name, for the inputs in the query or in the body. */
  query: ReadonlyMap<string, string>;
  queryNames: readonly string[];
  /** The same for the inputs in the path. */
  path: ReadonlyMap<string, string>;
  /** The same for the inputs in headers. */
  headers: ReadonlyMap<string, string>;
}

/** The parameters of an endpoint by REST name: the input of each, and where it is sent. */
export function restParameters(endpoint: AnyEndpoint): { name: string; input: string; in: 'path' | 'header' | 'query' | 'body' }[] {
  const outside = endpoint.method ? 'body' : 'query';
  return Object.keys(endpoint.input.shape).map((input) => {
    const name: string = endpoint.restNames[input] ?? input;
    if (endpoint.headers?.includes(input)) return { name, input, in: 'header' };
    return { name, input, in: endpoint.path.includes(`{${name}}`) ? 'path' : outside };
  });
}

function toRest(ready: ReadyEndpoint, path: string = ready.endpoint.path): RestEndpoint {
  const parameters = restParameters(ready.endpoint);
  const named = (...places: string[]) =>
    new Map(parameters.filter((parameter) => places.includes(parameter.in)).map(({ name, input }) => [name, input]));
  const query = named('query', 'body');
  return {
    ...ready,
    segments: path.split('/').map((segment) => (segment.startsWith('{') ? { parameter: segment.slice(1, -1) } : segment)),
    fieldName: (input) => ready.endpoint.restNames[input] ?? input,
    method: methodOf(ready.endpoint),
    query,
    queryNames: [...query.keys()],
    path: named('path'),
    headers: named('header'),
  };
}

/** Text that is not valid percent-encoded UTF-8 stays as it is; nothing has such a name, so it is not found. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether an endpoint has this path, split into `parts`. */
function matches({ segments }: RestEndpoint, parts: readonly string[]): boolean {
  if (parts.length !== segments.length) return false;
  for (let index = 0; index < parts.length; index++) {
    const segment = segments[index];
    if (typeof segment === 'string' ? parts[index] !== segment : parts[index] === '') return false;
  }
  return true;
}

/** The raw path parameters, by input name, of a path that the endpoint has. */
function parametersOf({ segments, path }: RestEndpoint, parts: readonly string[]): Input {
  const raw: Input = {};
  for (const [index, segment] of segments.entries()) {
    if (segment === undefined || typeof segment === 'string') continue;
    raw[path.get(segment.parameter) ?? segment.parameter] = decodeSegment(parts[index] ?? '');
  }
  return raw;
}

const groupOf = ({ length, 2: word }: RestEndpoint['segments']): string => `${length} ${typeof word === 'string' ? word : ''}`;

/** Matches every path at and below /v1, also unknown ones. */
export function createRestRoute({ graph, endpoints, log }: RestOptions): Route {
  const rest = endpoints.map((ready) => toRest(ready));
  const former = endpoints.flatMap((ready) => (ready.endpoint.formerPath ? [toRest(ready, ready.endpoint.formerPath)] : []));
  /** Every path begins with `/v1` and a word: only those with the same word, and as long, are compared. */
  const answered = Map.groupBy([...rest, ...former], ({ segments }) => groupOf(segments));

  const beside = (parts: readonly string[]) => answered.get(groupOf(parts)) ?? [];

  /** The endpoint of a path and a method, with the raw path parameters. For a method that the path does not have: the path's first endpoint, with `taken` false. */
  function find(pathname: string, method: string | undefined): Found | undefined {
    const parts = pathname.split('/');
    const asked = method === 'HEAD' ? 'GET' : method;
    const matching = (endpoint: RestEndpoint) => matches(endpoint, parts);
    const match = beside(parts).find((endpoint) => endpoint.method === asked && matching(endpoint));
    const endpoint = match ?? beside(parts).find(matching);
    return endpoint && { endpoint, raw: parametersOf(endpoint, parts), taken: match !== undefined };
  }

  /** The methods of a path that has some, as `Allow` lists them. */
  function methodsOf(pathname: string): string {
    const parts = pathname.split('/');
    const own = beside(parts).flatMap((endpoint) => (matches(endpoint, parts) ? [endpoint.method] : []));
    // HEAD is GET without the body.
    return [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  }

  return {
    name: 'rest',
    matches: (pathname) => pathname === '/v1' || pathname.startsWith('/v1/'),
    async handle(request, response, call) {
      const { requestId, url, logFields } = call;
      const gone = callerGone(response);
      const found = find(url.pathname, request.method);
      // A preflight carries no key, and is not counted. https://fetch.spec.whatwg.org/#cors-preflight-fetch
      if (request.method === 'OPTIONS' && found) {
        const methods = methodsOf(url.pathname);
        return void response
          .writeHead(204, { ...answerHeaders(UNCOUNTED, requestId), ...preflightOf(methods, /POST|PATCH/.test(methods)) })
          .end();
      }
      const { viewer, failure: refused, rate } = await admit(graph, request, call, log);
      if (found) logFields.operation = found.endpoint.endpoint.tool;
      try {
        // The key is checked first (401, 403), then the limit (429), then the path, the method and the parameters.
        if (refused || !viewer) throw refused ?? fail('key_missing');
        if (!found) throw notFound(url.pathname, rest);
        if (!found.taken) throw fail('method_not_allowed', {}, `Only ${methodsOf(url.pathname)} are answered here.`);
        requireAcceptable(request.headers.accept);
        const { endpoint, raw } = found;
        const query = await readInputs(request, url, endpoint);
        const unknown = unknownNames(query.unknown, endpoint.queryNames);
        const answer = await endpoint.call({ raw: { ...raw, ...query.raw }, fieldName: endpoint.fieldName, viewer, signal: gone });
        succeed(request, response, endpoint.endpoint, {
          ...answer,
          unknown,
          headers: answerHeaders(rate, requestId, undefined, answer.budget),
        });
      } catch (error) {
        if (gone.aborted) return;
        const failure = toFailure(error);
        if (failure !== error) log.error({ requestId, path: url.pathname, err: error }, 'a REST request failed');
        if (failure.code === 'method_not_allowed' && found) response.setHeader('Allow', methodsOf(url.pathname));
        refuse(request, response, failure, rate, requestId);
      }
    },
    unreadable: (failure, requestId) => ({
      body: JSON.stringify(toError(failure, requestId)),
      headers: { ...answerHeaders(UNCOUNTED, requestId, failure), ...CORS },
    }),
    refuse: (failure, request, response, { requestId }) => refuse(request, response, failure, UNCOUNTED, requestId),
  };
}

interface Found {
  endpoint: RestEndpoint;
  raw: Input;
  /** Whether the path has the request's method. */
  taken: boolean;
}

/** The value of a header, which may be a quoted string of RFC 9651, 3.3.3, as the draft of `Idempotency-Key` has it, or bare, as others send it. */
function headerText({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name.toLowerCase()]?.toString();
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value ?? '')?.[1];
  return quoted === undefined ? value : quoted.replaceAll(/\\(.)/g, '$1');
}

/** Reads the inputs from headers, and from the query or from the body, which is a JSON object or empty. */
async function readInputs(request: IncomingMessage, url: URL, endpoint: RestEndpoint): Promise<{ raw: Input; unknown: string[] }> {
  const { raw, unknown } = await (endpoint.method === 'GET' ? readQuery(url.search, endpoint.query) : readBodyInputs(request, endpoint));
  for (const [name, input] of endpoint.headers) raw[input] = headerText(request, name);
  return { raw, unknown };
}

async function readBodyInputs(request: IncomingMessage, endpoint: RestEndpoint): Promise<{ raw: Input; unknown: string[] }> {
  const isEmpty = request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0;
  const body = isEmpty ? {} : await readJsonObject(request, BODY_LIMIT);
  const raw: Input = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const input = endpoint.query.get(name);
    if (input === undefined) unknown.push(name);
    else raw[input] = value;
  }
  return { raw, unknown };
}

/** Names the path that was most likely meant. */
function notFound(pathname: string, endpoints: readonly RestEndpoint[]): Failure {
  const bare = pathname.replace(/\/+$/, '');
  const meant = endpoints.some((endpoint) => matches(endpoint, bare.split('/')))
    ? bare
    : nearName(
        bare,
        endpoints.map(({ endpoint: { path } }) => path),
      );
  const beside = meant === undefined ? pathsBeside(bare, endpoints) : [];
  if (beside.length > 0) return fail('route_not_found', { allowed: beside }, `There is nothing at this path, but at ${beside.join(', ')}.`);
  if (meant === undefined) return fail('route_not_found', {}, 'There is nothing at this path: /openapi.json lists all paths.');
  return fail('route_not_found', { allowed: [meant] }, `There is nothing at this path: did you mean ${meant}?`);
}

/** The paths that differ from this one in the last word alone, below something that an id names: the actions of a server. */
function pathsBeside(pathname: string, endpoints: readonly RestEndpoint[]): string[] {
  const parent = pathname.slice(0, pathname.lastIndexOf('/'));
  const words = endpoints.flatMap(({ segments }) => {
    const last = segments.at(-1);
    const isBelowAnId = segments.some((segment) => typeof segment !== 'string');
    return typeof last === 'string' && isBelowAnId ? [`${parent}/${last}`] : [];
  });
  return [...new Set(words)].filter((path) => endpoints.some((endpoint) => matches(endpoint, path.split('/'))));
}

interface Success {
  data: object;
  message: string;
  unknown: readonly UnknownName[];
  headers: Record<string, string>;
}

/** Sends the data, or 304 when the client has it already. The ETag is weak, since it is of the data, whatever content coding is used. */
function succeed(
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: AnyEndpoint,
  { data, message, unknown, headers }: Success,
): void {
  const said = unknown.length === 0 ? message : `${message} Not known, and without effect: ${sayUnknown(unknown)}.`;
  const text = JSON.stringify(toSuccess(data, said, successStatusOf(endpoint)));
  const sent = {
    'Content-Type': 'application/json; charset=utf-8',
    ...headers,
    ...CORS,
    ...(unknown.length > 0 && { 'Unknown-Parameters': sayUnknown(unknown) }),
    ...(endpoint.readOnly && { ETag: `W/"${hash('sha1', text, 'base64url')}"` }),
  };
  if (sent.ETag !== undefined && hasTag(request, sent.ETag)) return void response.writeHead(304, sent).end();
  sendText(response, successStatusOf(endpoint), text, sent);
}

function refuse(request: IncomingMessage, response: ServerResponse, failure: Failure, rate: Rate, requestId: string): void {
  const isProblem = errorFormatOf(request.headers.accept) === 'problem';
  sendJson(response, failure.status, isProblem ? toProblem(failure, requestId) : toError(failure, requestId), {
    ...answerHeaders(rate, requestId, failure),
    ...CORS,
    ...(failure.status === 404 && { Link: LINK }),
    ...(isProblem && { 'Content-Type': 'application/problem+json; charset=utf-8' }),
  });
}
