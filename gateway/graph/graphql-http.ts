// /graphql over HTTP: POST of JSON for operations, and GET for GraphiQL in a browser.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { type Failure, fail, toExtensions, toFailure } from '#platform/errors.ts';
import type { Origin, Viewer } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import { readBody, requireJson } from '#platform/read-body.ts';
import type { Access } from '../sign-in/access.ts';
import { type Gateway, type PreparedOperation, WrittenAnswer } from './gateway.ts';
import { EventStreams, type STREAM_LIMITS } from './event-streams.ts';
import { GraphiqlPage } from './graphiql-page.ts';
import { MEDIA_TYPE, NOT_REGISTERED, type Params, isEventStream, jsonTypeFor, readParams } from './graphql-request.ts';
import { isAway, refusal, statusOf, waitOf } from './graphql-result.ts';
import type { GraphqlAdmission } from './graphql-admission.ts';
import type { OperationCost } from './operation-cost.ts';
import { type RequireKnown, anyDocument } from './known-documents.ts';
import { RegisteredDocuments } from './registered-documents.ts';
import { requireMayRun } from './access-rules.ts';
import { credentialOf } from './socket-connections.ts';
import type { OriginPolicy } from '../http/origins.ts';
import type { Rate } from '../http/rate-limit.ts';
import { graphqlCaller, setRate } from './graphql-caller.ts';
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
  /** Default: none is stored. */
  documents?: RegisteredDocuments;
  streams?: Partial<typeof STREAM_LIMITS>;
}

const PATH = '/graphql';
const BODY_LIMIT = 262_144;

interface ServerContext extends Record<string, unknown> {
  logFields: LogFields;
  viewer: Viewer;
  origin: Origin;
  signal: AbortSignal;
  /** Tells what is left of the budget of costs. */
  charged(cost: OperationCost | undefined): void;
  /** Throws `rate_limited`. */
  countGenerations(generations: number): Promise<void>;
}

export const createGraphqlRoute = (options: GraphqlHttpOptions): Route => new GraphqlRoute(options);

class GraphqlRoute implements Route {
  readonly name = 'graphql';
  readonly slowRefusals = true;
  readonly #options: GraphqlHttpOptions;
  readonly #page = new GraphiqlPage(PATH);
  readonly #documents: RegisteredDocuments;
  readonly #streams: EventStreams;
  readonly #yoga: ReturnType<typeof createYoga<ServerContext>>;
  /** Answers that the gateway caches for everybody, already encoded. */
  readonly #fixed = new WeakMap<ExecutionResult, Buffer>();

  constructor(options: GraphqlHttpOptions) {
    this.#options = options;
    this.#documents = options.documents ?? new RegisteredDocuments();
    this.#streams = new EventStreams(options.access, options.streams);
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
    requireJson(request);
    const { viewer, rate } = await graphqlCaller(this.#options, request, response, call);
    let requests = rate;
    call.logFields.caller = viewer;
    const body = await readBody(request, BODY_LIMIT);
    const type = jsonTypeFor(request.headers.accept);
    const context: ServerContext = {
      viewer,
      origin: originOf(call),
      signal,
      logFields: call.logFields,
      charged: (cost) => requests && cost && setRate(response, requests, cost.budget),
      countGenerations: async (generations) => {
        requests = (await this.#countGenerations(viewer, request, response, generations)) ?? requests;
      },
    };
    if (!type && !isEventStream(request.headers.accept)) return this.#throughYoga(request, response, body, context);
    const params = await readParams(body, viewer, this.#documents);
    // Clients of the protocol then send the document whole: to them this is an answer.
    if (!params) return sendJson(response, 200, refusal(fail('persisted_query_not_found', {}, NOT_REGISTERED), call.requestId));
    if (!type) return this.#stream(request, response, params, context);
    const result = await this.#run(params, context, 'write');
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
    { variables, ...asked }: Params,
    context: ServerContext,
    how: How,
  ): Promise<Awaited<ReturnType<Gateway[How]>> | ExecutionResult> {
    const { gateway } = this.#options;
    const { viewer, signal } = context;
    try {
      const operation = await this.#admit(asked, context);
      const result = await gateway[how](operation, { variables, viewer, signal });
      context.charged(result.extensions?.['cost'] as OperationCost | undefined);
      if (operation.introspection === 'ALONE' && !(result instanceof WrittenAnswer) && !this.#fixed.has(result))
        this.#fixed.set(result, Buffer.from(JSON.stringify(result)));
      return result;
    } catch (error) {
      const { status } = toFailure(error);
      if (status === 429 || status === 503) throw error;
      return refusal(error, viewer.requestId);
    }
  }

  /** Throws what keeps the caller from this operation. */
  async #admit({ query, operationName }: Params, { viewer, logFields, countGenerations }: ServerContext): Promise<PreparedOperation> {
    const { gateway, requireKnown = anyDocument } = this.#options;
    requireKnown(viewer, query);
    await this.#documents.require(viewer, query);
    const operation = await gateway.prepareFor(viewer, query, operationName);
    logFields.operation = operation.name ?? operation.kind;
    requireMayRun(viewer, operation);
    await countGenerations(operation.generations);
    return operation;
  }

  /** Answers with events; what cannot begin is answered with its status, and without any. */
  async #stream(
    request: IncomingMessage,
    response: ServerResponse,
    { variables, ...asked }: Params,
    context: ServerContext,
  ): Promise<void> {
    const { gateway, cookie } = this.#options;
    const { viewer } = context;
    const operation = await this.#admit(asked, context);
    if (operation.kind !== 'subscription') {
      const result = await gateway.execute(operation, { variables, viewer, signal: context.signal });
      context.charged(result.extensions?.['cost'] as OperationCost | undefined);
      return this.#streams.sendOne(response, result);
    }
    if (!('accountId' in viewer)) throw fail('session_invalid');
    const credential = credentialOf(request.headers.authorization, cookie.read(request));
    await this.#streams.send(response, { credential, viewer, origin: context.origin }, () =>
      gateway.subscribe(operation, { variables, viewer, signal: context.signal }),
    );
  }

  close(): void {
    this.#streams.close();
  }

  async #countGenerations(
    viewer: Viewer,
    request: IncomingMessage,
    response: ServerResponse,
    generations: number,
  ): Promise<Rate | undefined> {
    const { failure, rate } = await this.#options.admission.countGenerations(viewer, request.headers.authorization, generations);
    // Rate headers are for keys only.
    if (rate && viewer.kind === 'key') setRate(response, rate);
    if (failure) throw failure;
    return rate;
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
