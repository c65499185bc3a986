// The REST protocol: /v1/*. node:http alone, one write per answer: a framework would cost more than all the rest of a small request.
import type { ServerResponse } from 'node:http';
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { Route } from '#platform/route.ts';
import type { Rate } from '../gateway/http/rate-limit.ts';
import { callerGone, sendJson } from '#platform/respond.ts';
import { UNCOUNTED, admit, answerHeaders } from './admission.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { toError, toSuccess } from './envelope.ts';
import type { Graph } from './graph.ts';
import type { FieldName, Input } from './input.ts';
import { readQuery } from './query.ts';
import type { ReadyEndpoint } from './service.ts';

export interface RestOptions {
  graph: Graph;
  endpoints: readonly ReadyEndpoint[];
  log: Log;
}

/** Spec, Endpoints: all are GET. HEAD is GET without the body. */
const METHODS = 'GET, HEAD';

/** An endpoint with its path cut up: a segment is literal text or a parameter's REST name. */
interface RestEndpoint extends ReadyEndpoint {
  segments: readonly (string | { parameter: string })[];
  fieldName: FieldName;
  /** REST name -> input name, of the query's parameters. */
  query: ReadonlyMap<string, string>;
  /** The same of the path's. */
  path: ReadonlyMap<string, string>;
}

/** The parameters of an endpoint by REST name: where each stands and which input it is. */
export function restParameters(endpoint: AnyEndpoint): { name: string; input: string; in: 'path' | 'query' }[] {
  return Object.keys(endpoint.input.shape).map((input) => {
    const name: string = endpoint.restNames[input] ?? input;
    return { name, input, in: endpoint.path.includes(`{${name}}`) ? 'path' : 'query' };
  });
}

function toRest(ready: ReadyEndpoint): RestEndpoint {
  const parameters = restParameters(ready.endpoint);
  const named = (place: string) =>
    new Map(parameters.filter((parameter) => parameter.in === place).map(({ name, input }) => [name, input]));
  return {
    ...ready,
    segments: ready.endpoint.path.split('/').map((segment) => (segment.startsWith('{') ? { parameter: segment.slice(1, -1) } : segment)),
    fieldName: (input) => ready.endpoint.restNames[input] ?? input,
    query: named('query'),
    path: named('path'),
  };
}

/** Text that is not valid percent-encoded UTF-8 is no name of anything: it stays as it came and is not found. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The raw path parameters by input name; undefined when the path is another. */
function matchPath({ segments, path }: RestEndpoint, pathname: string): Input | undefined {
  const parts = pathname.split('/');
  if (parts.length !== segments.length) return undefined;
  const raw: Input = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if (typeof segment === 'string' ? part !== segment : part === '') return undefined;
    if (typeof segment !== 'string') raw[path.get(segment.parameter) ?? segment.parameter] = decodeSegment(part);
  }
  return raw;
}

/** Every path at and below /v1, known or not. */
export function createRestRoute({ graph, endpoints, log }: RestOptions): Route {
  const rest = endpoints.map(toRest);

  /** The endpoint of a path, with its raw path parameters. */
  function find(pathname: string): { endpoint: RestEndpoint; raw: Input } | undefined {
    for (const endpoint of rest) {
      const raw = matchPath(endpoint, pathname);
      if (raw) return { endpoint, raw };
    }
    return undefined;
  }

  return {
    name: 'rest',
    matches: (pathname) => pathname === '/v1' || pathname.startsWith('/v1/'),
    async handle(request, response, call) {
      const { requestId, url, told } = call;
      const gone = callerGone(response);
      const { viewer, failure: refused, rate } = await admit(graph, request, call, log);
      const found = find(url.pathname);
      if (found) told.operation = found.endpoint.endpoint.tool;
      try {
        // The key comes first (401, 403), then the limit (429), then the path and its parameters.
        if (refused || !viewer) throw refused ?? fail('key_missing');
        if (!found) throw fail('route_not_found');
        // Spec is silent: 405 is not among its statuses, so another method is 404 with an Allow header.
        if (request.method !== 'GET' && request.method !== 'HEAD')
          throw fail('route_not_found', {}, `Only ${METHODS} are answered at this path.`);
        const { endpoint, raw } = found;
        Object.assign(raw, readQuery(url.search, endpoint.query));
        const data = await endpoint.call({ raw, fieldName: endpoint.fieldName, viewer, signal: gone });
        sendJson(response, 200, toSuccess(data, endpoint.endpoint.message), answerHeaders(rate, requestId));
      } catch (error) {
        if (gone.aborted) return;
        const failure = toFailure(error);
        if (failure !== error) log.error({ requestId, path: url.pathname, err: error }, 'a REST request failed');
        if (found && failure.code === 'route_not_found') response.setHeader('Allow', METHODS);
        refuse(response, failure, rate, requestId);
      }
    },
    refuse: (failure, _request, response, { requestId }) => refuse(response, failure, UNCOUNTED, requestId),
  };
}

const refuse = (response: ServerResponse, failure: Failure, rate: Rate, requestId: string): void =>
  sendJson(response, failure.status, toError(failure, requestId), answerHeaders(rate, requestId, failure));
