// Serves a subgraph over HTTP and graphql-ws to gateways that hold the secret, with the same answers as in process.
import type { SigningKeys } from './mac.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Clock } from './clock.ts';
import { fail, toExtensions, toFailure } from './errors.ts';
import { closeSocket, createGraphqlSockets } from './graphql-socket.ts';
import { createHttpPort, drainHttpPort } from './http-port.ts';
import { type Viewer, createViewerCheck } from './identity.ts';
import type { Log } from './log.ts';
import { httpUrl } from './own-address.ts';
import { newId } from './ids.ts';
import { plainAddress } from './address-group.ts';
import { readJsonObject } from './read-body.ts';
import { type Look, createReadiness, mayBeSent } from './readiness.ts';
import { callerGone, sendFailure, sendJson } from './respond.ts';
import type { Call, Route } from './route.ts';
import type { Subgraph } from './subgraph.ts';
import type { SubgraphRequest } from './ask.ts';
import { traceparentOf, traced } from './tracing.ts';
import { type ResultStream, type SubgraphRunner, createSubgraphRunner } from './subgraph-runner.ts';

export interface ServeOptions {
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** The keys with which gateways sign viewers. */
  secret: SigningKeys;
  clock: Clock;
  log: Log;
  /** Paths beside the graph; each authenticates its callers itself. */
  routes?: readonly Route[];
  /** The result for `/health/ready`. While it is stopping, connections are closed after their response. Absent: always ready. */
  readiness?: Look;
}

export interface ServedSubgraph {
  /** The URL for remoteSource. */
  url: string;
  /** Ends feeds and sockets, accepts no more connections, and lets open requests finish for up to ten seconds. */
  close(): Promise<void>;
}

/** The name of the header, or of the connection parameter, with the signed viewer. */
export const VIEWER_HEADER = 'egress-viewer';
/** The content with which a socket's viewer is signed: its operations are not known yet. */
export const SOCKET_CONTENT = 'socket';
/** Large enough for the representations of a long list. */
const BODY_LIMIT = 4 * 1024 * 1024;
const PATH = '/graphql';
/** How much of an operation's text is logged as its name. */
const NAME_CHARACTERS = 120;
/** High, because one gateway forwards the feeds of all nodes from one address. */
const CONNECTIONS_PER_ADDRESS = 16_384;
/** For open requests when the process stops. */
const DRAIN_MS = 10_000;

export async function serveSubgraph(subgraph: Subgraph, options: ServeOptions): Promise<ServedSubgraph> {
  const { port, host, secret, clock, log, routes = [], readiness = createReadiness({}, {}, log) } = options;
  const runner = createSubgraphRunner(subgraph, log);
  const verify = createViewerCheck(secret, clock, subgraph.name);
  const answers = new Answers(runner, verify, { ...options, readiness });
  let closing = false;
  const subscriptions = serveSubscriptions(runner, log, (header) => {
    const { viewer, covers } = verify(header);
    covers(SOCKET_CONTENT);
    return viewer;
  });
  const server = createHttpPort(
    { headersTimeout: 5_000, requestTimeout: 15_000, connectionsCheckingInterval: 1_000 },
    {
      request: (request, response) => void answers.answer(request, response),
      upgrade(request, socket, head) {
        socket.on('error', () => socket.destroy());
        if (closing) socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n');
        else if (request.url === PATH) subscriptions.open(request, socket, head, {});
        else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
      },
    },
    { connectionsPerAddress: CONNECTIONS_PER_ADDRESS },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(server.off('error', reject) && undefined));
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `${httpUrl(host, bound)}${PATH}`,
    async close() {
      closing = true;
      const notified = Promise.all([...routes.map((route) => route.close?.()), subscriptions.close()]);
      await Promise.all([drainHttpPort(server, DRAIN_MS), notified]);
    },
  };
}

/** Answers the port's requests: health, paths beside the graph, operations. */
class Answers {
  readonly #runner: SubgraphRunner;
  readonly #verify: ReturnType<typeof createViewerCheck>;
  readonly #options: ServeOptions & { readiness: Look };

  constructor(runner: SubgraphRunner, verify: ReturnType<typeof createViewerCheck>, options: ServeOptions & { readiness: Look }) {
    this.#runner = runner;
    this.#verify = verify;
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    // A kept-alive connection would send its next request to a port that closes.
    if (this.#options.readiness.stopping) response.setHeader('connection', 'close');
    if (request.url === '/health/live') return sendJson(response, 200, { status: 'ok' });
    if (request.url === '/health/ready') return this.#answerReady(response);
    let requestId = 'unknown';
    try {
      const url = new URL(request.url ?? '/', 'http://subgraph');
      const route = this.#options.routes?.find((candidate) => candidate.matches(url.pathname));
      if (route)
        return await traced({ name: route.name ?? 'other', kind: 'server', traceparent: traceparentOf(request) }, () =>
          this.#answerRoute(route, request, response, url),
        );
      const header = request.headers[VIEWER_HEADER];
      const { viewer, covers } = this.#verify(typeof header === 'string' ? header : undefined);
      requestId = viewer.requestId;
      if (request.url !== PATH || request.method !== 'POST') throw fail('route_not_found');
      const operation = toRequest(await readJsonObject(request, BODY_LIMIT, covers));
      response.once('close', () => this.#logRequest(operation, viewer, started));
      const beginning = {
        name: `graph ${operation.operationName ?? 'operation'}`,
        kind: 'server',
        traceparent: traceparentOf(request),
      } as const;
      const answer = await traced(beginning, () => this.#runner.execute(operation, viewer, callerGone(response)));
      sendJson(response, 200, answer);
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === 'internal' && !request.destroyed)
        this.#options.log.error({ requestId, err: error }, 'a request to the subgraph failed');
      sendJson(response, failure.status, { errors: [{ message: failure.message, extensions: toExtensions(failure, requestId) }] });
    }
  }

  /** The gateway's log line says who asked for what; this one, with the same id, what this subgraph did for it. */
  #logRequest({ operationName, query }: SubgraphRequest, { requestId, kind }: Viewer, started: number): void {
    const operation = operationName ?? query.slice(0, NAME_CHARACTERS).split(/[({]/)[0]?.trim();
    this.#options.log.debug({ requestId, operation, viewer: kind, ms: Math.round(performance.now() - started) }, 'a question of a gateway');
  }

  async #answerReady(response: ServerResponse): Promise<void> {
    const report = await this.#options.readiness();
    if (!mayBeSent(report)) response.setHeader('retry-after', '2');
    sendJson(response, mayBeSent(report) ? 200 : 503, report);
  }

  /** Answers as the gateway's public port would: failures in the route's own format, or as `{ code, message, requestId }`. */
  async #answerRoute(route: Route, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { clock, log } = this.#options;
    const call: Call = {
      requestId: newId('req', clock),
      address: plainAddress(request.socket.remoteAddress ?? 'unknown'),
      url,
      started: performance.now(),
      logFields: {},
    };
    response.setHeader('x-request-id', call.requestId);
    try {
      await route.handle(request, response, call);
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === 'internal' && !request.destroyed)
        log.error({ requestId: call.requestId, route: route.name, err: error }, 'a request failed');
      if (response.headersSent) return void response.destroy();
      if (route.refuse) await route.refuse(failure, request, response, call);
      else sendFailure(response, failure, call.requestId);
    }
  }
}

/** The viewer of a connection, once it is verified. */
type Connection = { viewer?: Viewer };

/** The runner executes operations; graphql-ws gets an empty document, so that it neither parses nor executes anything itself. */
function serveSubscriptions(runner: SubgraphRunner, log: Log, verify: (header: string | undefined) => Viewer) {
  type Args = ExecutionArgs & { contextValue: { request: SubgraphRequest; viewer: Viewer } };
  return createGraphqlSockets<Connection>(
    {
      connectionInitWaitTimeout: 3_000,
      onConnect({ connectionParams, extra }) {
        const header = connectionParams?.[VIEWER_HEADER];
        try {
          extra.viewer = verify(typeof header === 'string' ? header : undefined);
          return true;
        } catch {
          closeSocket(extra.socket, 4401, 'unsigned_request');
          return false;
        }
      },
      onSubscribe: ({ extra }, _id, payload) => ({
        schema: undefined as never,
        document: { kind: 'Document', definitions: [{ kind: 'OperationDefinition', operation: 'subscription' }] } as never,
        contextValue: { request: toRequest({ ...payload }), viewer: extra.viewer as Viewer },
      }),
      subscribe: (args) => {
        const { request, viewer } = (args as Args).contextValue;
        return runner.subscribe(request, viewer) as Promise<AsyncGenerator<ExecutionResult> & ResultStream>;
      },
    },
    { log, maxPayload: BODY_LIMIT },
  );
}

/** Throws `parameter_invalid` when the body is not a GraphQL request. */
function toRequest({ query, variables, operationName }: Record<string, unknown>): SubgraphRequest {
  if (typeof query !== 'string') throw fail('parameter_invalid', { field: 'query' });
  return {
    query,
    ...(typeof variables === 'object' && variables !== null && { variables: variables as Record<string, unknown> }),
    ...(typeof operationName === 'string' && { operationName }),
  };
}
