// /graphql over HTTP: POST of JSON for operations, and GET for GraphiQL in a browser.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { failureOf } from '#platform/ask.ts';
import { type Failure, because, fail, isErrorCode, toExtensions, toFailure } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import { readBody } from '#platform/read-body.ts';
import type { Access } from '../sign-in/access.ts';
import { type Gateway, QueryRefused, WrittenAnswer } from './gateway.ts';
import { GraphiqlPage } from './graphiql-page.ts';
import type { GraphqlAdmission } from './graphql-admission.ts';
import { type RequireKnown, anyDocument } from './known-documents.ts';
import { requireMayRun } from './operations.ts';
import type { OriginPolicy } from '../http/origins.ts';
import { type Rate, rateHeaders } from '../http/rate-limit.ts';
import { callerGone, challengeOf, requireMethod, retryAfter, sendJson, sendText } from '#platform/respond.ts';
import { type Call, type Route, type LogFields, originOf } from '#platform/route.ts';
import type { SessionCookie } from '../sign-in/session-cookie.ts';

export interface GraphqlHttpOptions {
  gateway: Gateway;
  access: Access;
  admission: GraphqlAdmission;
  cookie: Pick<SessionCookie, 'read'>;
  origins: OriginPolicy;
  log: Log;
  /** Checks which documents may be asked without a key; default: any document. */
  requireKnown?: RequireKnown;
}

const PATH = '/graphql';
const BODY_LIMIT = 262_144;

interface Params {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

interface ServerContext extends Record<string, unknown> {
  logFields: LogFields;
  viewer: Viewer;
  signal: AbortSignal;
  /** Throws `rate_limited`. */
  countGenerations(generations: number): Promise<void>;
}

export const createGraphqlRoute = (options: GraphqlHttpOptions): Route => new GraphqlRoute(options);

class GraphqlRoute implements Route {
  readonly name = 'graphql';
  readonly slowRefusals = true;
  readonly #options: GraphqlHttpOptions;
  readonly #page = new GraphiqlPage(PATH);
  readonly #yoga: ReturnType<typeof createYoga<ServerContext>>;
  /** Answers that the gateway caches for everybody, already encoded. */
  readonly #fixed = new WeakMap<ExecutionResult, Buffer>();

  constructor(options: GraphqlHttpOptions) {
    this.#options = options;
    this.#yoga = this.#createYoga();
  }

  matches(pathname: string): boolean {
    return pathname === PATH || GraphiqlPage.isFile(pathname);
  }

  async handle(request: IncomingMessage, response: ServerResponse, call: Call): Promise<void> {
    if (call.url.pathname !== PATH) {
      requireMethod(request, response, 'GET', 'HEAD');
      return this.#page.sendFile(call.url.pathname, request, response);
    }
    requireMethod(request, response, 'GET', 'HEAD', 'POST');
    if (request.method !== 'POST') return this.#showPage(request, response, call);
    const signal = callerGone(response);
    if (!/^application\/json(\s*;|$)/i.test(request.headers['content-type'] ?? '')) throw fail('content_type_refused');
    const viewer = await this.#viewerOf(request, response, call);
    call.logFields.caller = viewer;
    const body = await readBody(request, BODY_LIMIT);
    const type = jsonTypeFor(request.headers.accept);
    const context: ServerContext = {
      viewer,
      signal,
      logFields: call.logFields,
      countGenerations: (generations) => this.#countGenerations(viewer, request, response, generations),
    };
    if (!type) return this.#throughYoga(request, response, body, context);
    const result = await this.#run(readParams(body), context, 'write');
    if (result instanceof WrittenAnswer) {
      sendText(response, 200, result.text, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
      return;
    }
    // GraphQL over HTTP: with the older media type every well-formed request is answered with 200; with the newer one the status tells the result.
    const refused = (!('data' in result) && (type === MEDIA_TYPE || statusOf(result) === 429)) || isAway(result);
    sendJson(response, refused ? statusOf(result) : 200, this.#fixed.get(result) ?? result, {
      'Content-Type': `${type}; charset=utf-8`,
      ...waitOf(result),
    });
  }

  refuse(failure: Failure, _request: IncomingMessage, response: ServerResponse, { requestId }: Call): void {
    sendJson(
      response,
      failure.status,
      { errors: [{ message: failure.message, extensions: toExtensions(failure, requestId) }] },
      {
        ...retryAfter(failure),
        ...(failure.code === 'request_too_large' && { Connection: 'close' }),
        ...challengeOf(failure),
      },
    );
  }

  /** Yoga negotiates answers that are not one JSON object. Operations run through `#run` with and without Yoga. */
  #createYoga() {
    const { log } = this.#options;
    return createYoga<ServerContext>({
      graphqlEndpoint: PATH,
      logging: {
        debug: () => {},
        info: () => {},
        warn: (...about) => log.warn({ about }, 'graphql over http'),
        error: (...about) => log.error({ about }, 'graphql over http'),
      },
      batching: false,
      multipart: false,
      cors: false,
      landingPage: false,
      maskedErrors: false,
      maxRequestBodySize: BODY_LIMIT,
      graphiql: false,
      plugins: [
        {
          onParams: ({
            params,
            setResult,
            context,
          }: {
            params: Params;
            setResult(result: ExecutionResult): void;
            context: ServerContext;
          }) =>
            this.#run(params, context, 'execute')
              .catch((error: unknown) => refusal(error, context.viewer.requestId))
              .then(setResult),
        },
      ],
    });
  }

  /** Rejects with a failure of status 429 or 503, which tells the client when to retry: that is an answer of HTTP. Every other error becomes a result. */
  async #run<How extends 'execute' | 'write'>(
    { query, variables, operationName }: Params,
    context: ServerContext,
    how: How,
  ): Promise<Awaited<ReturnType<Gateway[How]>> | ExecutionResult> {
    const { gateway, requireKnown = anyDocument } = this.#options;
    const { viewer, signal } = context;
    try {
      requireKnown(viewer, query);
      const operation = await gateway.prepareFor(viewer, query, operationName);
      context.logFields.operation = operation.name ?? operation.kind;
      requireMayRun(viewer, operation.kind);
      await context.countGenerations(operation.generations);
      const result = await gateway[how](operation, { variables, viewer, signal });
      if (operation.introspection === 'ALONE' && !(result instanceof WrittenAnswer) && !this.#fixed.has(result))
        this.#fixed.set(result, Buffer.from(JSON.stringify(result)));
      return result;
    } catch (error) {
      const { status } = toFailure(error);
      if (status === 429 || status === 503) throw error;
      return refusal(error, viewer.requestId);
    }
  }

  /** Sets the rate headers for a key. Throws the failure of a key that is not admitted. */
  async #viewerOf(request: IncomingMessage, response: ServerResponse, call: Call): Promise<Viewer> {
    const { access, admission, cookie, origins } = this.#options;
    const origin = originOf(call);
    const { authorization } = request.headers;
    if (authorization === undefined) {
      origins.check(request);
      admission.takeOfAddress(call.address);
      const viewer = await access.admitSession(cookie.read(request), origin);
      admission.takeOf(viewer);
      return viewer;
    }
    const { viewer, failure, rate } = await access.admitKey(authorization, origin);
    setRate(response, rate);
    if (!viewer) throw failure ?? fail('internal');
    return viewer;
  }

  async #countGenerations(viewer: Viewer, request: IncomingMessage, response: ServerResponse, generations: number): Promise<void> {
    const { failure, rate } = await this.#options.admission.countGenerations(viewer, request.headers.authorization, generations);
    // Rate headers are for keys only.
    if (rate && viewer.kind === 'key') setRate(response, rate);
    if (failure) throw failure;
  }

  #showPage(request: IncomingMessage, response: ServerResponse, { url }: Call): Promise<void> {
    // A query in a GET would need no CORS preflight, and would be stored in logs and browser histories.
    if (!request.headers.accept?.includes('text/html') || url.search) requireMethod(request, response, 'POST');
    return this.#page.send(request, response);
  }

  async #throughYoga(request: IncomingMessage, response: ServerResponse, body: Buffer, context: ServerContext): Promise<void> {
    const headers = new Headers(Object.entries(request.headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
    const init = { method: request.method ?? 'GET', headers, body: new Uint8Array(body) };
    const answer = await this.#yoga.fetch(new Request(`http://egress.internal${PATH}`, init), context);
    answer.headers.forEach((value, name) => response.setHeader(name, value));
    response.setHeader('Cache-Control', 'no-store');
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  }
}

function setRate(response: ServerResponse, rate: Rate): void {
  for (const [name, value] of Object.entries(rateHeaders(rate))) response.setHeader(name, value);
}

const MEDIA_TYPE = 'application/graphql-response+json';

/** The one of the two JSON types that the client prefers; undefined when it accepts neither. */
function jsonTypeFor(accept: string | undefined): string | undefined {
  if (!accept) return 'application/json';
  if (accept.includes(MEDIA_TYPE)) return MEDIA_TYPE;
  return /application\/(json|\*)|\*\/\*/.test(accept) ? 'application/json' : undefined;
}

const statusOf = (result: ExecutionResult): number => {
  const code = result.errors?.[0]?.extensions?.['code'];
  return isErrorCode(code) ? fail(code).status : 400;
};

/** Whether nothing could be answered because a part of the platform is away. The status must then say so, since proxies between us and the client read only the status. */
const isAway = ({ data, errors }: ExecutionResult): boolean =>
  errors?.every(({ extensions }) => extensions['code'] === 'overloaded') === true &&
  Object.values(data ?? {}).every((value) => value === null);

/** `Retry-After` when the first error of the result says when to retry. */
function waitOf(result: ExecutionResult): Record<string, string> {
  const failure = failureOf(result);
  return failure ? retryAfter(failure) : {};
}

/** The result of an operation that did not run: each reason, with its place in the document. */
function refusal(error: unknown, requestId: string): ExecutionResult {
  const failure = toFailure(error);
  const extensions = toExtensions(failure, requestId);
  const reasons = error instanceof QueryRefused ? error.errors : [failure];
  return {
    errors: reasons.map((reason) => ({
      message: reason.message,
      ...('locations' in reason && { locations: reason.locations }),
      extensions,
    })) as never,
  };
}

/** Throws `parameter_invalid` for a body that is not one GraphQL request, and `parameter_missing` without `query`. Batches are not accepted. */
function readParams(body: Buffer): Params {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw fail('parameter_invalid', { reason: because('body_not_json') });
  }
  if (!isObject(value)) throw fail('parameter_invalid', { reason: because('body_not_graphql') });
  const { query, variables, operationName, extensions } = value;
  if (query === undefined || query === null) throw fail('parameter_missing', { field: 'query' });
  if (typeof query !== 'string') throw fail('parameter_invalid', { field: 'query' });
  if (!isObjectOrAbsent(variables)) throw fail('parameter_invalid', { field: 'variables' });
  if (!isObjectOrAbsent(extensions)) throw fail('parameter_invalid', { field: 'extensions' });
  if (operationName != null && typeof operationName !== 'string') throw fail('parameter_invalid', { field: 'operationName' });
  return {
    query,
    ...(isObject(variables) && { variables }),
    ...(typeof operationName === 'string' && { operationName }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isObjectOrAbsent = (value: unknown) => value == null || isObject(value);
