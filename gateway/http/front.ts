// The one public port: gives each request an id and an address, and hands it to the route that matches its path.
import { type IncomingMessage, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '#platform/clock.ts';
import { type Failure, because, fail, toFailure } from '#platform/errors.ts';
import { type HttpPortLimits, type UnreadableRequest, createHttpPort, drainHttpPort } from '#platform/http-port.ts';
import { newId } from '#platform/ids.ts';
import { httpUrl } from '#platform/own-address.ts';
import { languageOf } from '#platform/language.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Ticks } from '#platform/budget.ts';
import { clientAddress, proxyNotice } from './client-address.ts';
import { type ConcurrencyLimits, createConcurrencyLimit } from './concurrency.ts';
import { type OverloadGuard, type OverloadLimits, createOverloadGuard } from './overload.ts';
import { RequestAdmission } from './request-admission.ts';
import { requestLogger, logSocket } from './request-log.ts';
import { failureBody, retryAfter, sendFailure } from '#platform/respond.ts';
import type { Call, Route, UpgradeRoute } from '#platform/route.ts';
import { urlOf, userAgentOf } from './request-claims.ts';
import { prepareHead } from './answer-head.ts';
import { securityHeaders } from './security-headers.ts';
import { traceId, traced, traceparentOf } from '#platform/tracing.ts';
import { type UpgradeGate, type UpgradeLimits, createUpgradeGate } from './upgrades.ts';

export interface FrontOptions {
  /** 0 takes a free port. */
  port: number;
  host: string;
  /** The URL that browsers use; https turns HSTS on. Default: the address on which the port listens. */
  publicUrl?: string;
  /** In the order in which they are matched; the dashboard's route, which matches every path, comes last. */
  routes: readonly Route[];
  upgrades: readonly UpgradeRoute[];
  upgradeLimits?: Partial<UpgradeLimits>;
  /** Whether the process is about to stop: each answer then closes its connection, so that the client's next request goes to another process. */
  stopping?: () => boolean;
  /** The time that budgets go by; default: monotonic time. */
  now?: Ticks;
  /** The number of our reverse proxies that append to X-Forwarded-For. Default 0: the header is ignored. */
  trustProxyHops?: number;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  timeouts?: Partial<typeof TIMEOUTS>;
  overload?: Partial<OverloadLimits>;
  /** Limits of the requests that run at once while the event loop is busy. */
  concurrency?: Partial<ConcurrencyLimits>;
  /** Waits before a refusal of a route with `slowRefusals`; default: PAUSE_MS, or until the caller has gone. */
  pause?: (response: ServerResponse) => Promise<void>;
  /** Behind reverse proxies all connections are theirs, so that connections per address are not limited. */
  connections?: Partial<HttpPortLimits>;
}

export interface Front {
  listen(): Promise<{ port: number; url: string }>;
  /** Runs the routes' own `close`, while it takes no more connections and lets requests finish for up to 10 s. */
  close(): Promise<void>;
}

/** Milliseconds. Node's own defaults let slow clients hold a connection for minutes. */
const TIMEOUTS = {
  /** Until all headers have arrived. */
  headers: 5_000,
  /** Until the whole request has arrived. */
  request: 15_000,
  /** Without traffic in either direction: for clients that have stopped reading. */
  idle: 15_000,
  keepAlive: 10_000,
  /** How often Node checks the timeouts of headers and requests. */
  check: 1_000,
  /** How long requests may still run when the process ends. */
  drain: 10_000,
};

/** Twenty clients that retry without pause then make eighty requests a second instead of thousands. */
const PAUSE_MS = 250;
const pauseOf = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const HEADER_BYTES = 16_384;

const UNREADABLE = { 400: undefined, 408: 'request_timed_out', 413: 'request_too_large', 431: 'headers_too_large' } as const;

export const createFront = (options: FrontOptions): Front => new HttpFront(options);

class HttpFront implements Front {
  readonly #options: FrontOptions;
  readonly #timeouts: typeof TIMEOUTS;
  readonly #trustProxyHops: number;
  readonly #everywhere: Readonly<Record<string, string>>;
  readonly #guard: OverloadGuard;
  readonly #admission: RequestAdmission;
  readonly #admitUpgrade: UpgradeGate;
  readonly #server: Server;
  readonly #noticeProxy: (request: IncomingMessage) => void;
  #closing = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.#trustProxyHops = options.trustProxyHops ?? 0;
    const https = options.publicUrl?.startsWith('https://') ?? false;
    this.#everywhere = securityHeaders(https);
    this.#noticeProxy = proxyNotice(this.#trustProxyHops, options.log);
    this.#guard = createOverloadGuard(options.overload, options.now);
    this.#admission = new RequestAdmission(this.#guard, createConcurrencyLimit(options.concurrency, options.now));
    this.#admitUpgrade = createUpgradeGate(options.upgradeLimits, options.now);
    this.#server = this.#createServer();
    if (https && this.#trustProxyHops === 0)
      options.log.warn({}, 'PUBLIC_URL is https while TRUST_PROXY_HOPS is 0: set it to the number of reverse proxies in front');
  }

  #createServer(): Server {
    const timeouts = this.#timeouts;
    const server = createHttpPort(
      {
        headersTimeout: timeouts.headers,
        requestTimeout: timeouts.request,
        connectionsCheckingInterval: timeouts.check,
        keepAliveTimeout: timeouts.keepAlive,
        maxHeaderSize: HEADER_BYTES,
      },
      {
        request: (request, response) => void this.#answer(request, response),
        upgrade: (request, socket, head) => void this.#upgrade(request, socket, head),
        unreadable: (fault) => this.#answerUnreadable(fault),
      },
      { ...(this.#trustProxyHops > 0 && { connectionsPerAddress: Number.POSITIVE_INFINITY }), ...this.#options.connections },
    );
    server.timeout = timeouts.idle;
    return server;
  }

  /** The answer to a request that Node could not parse, in the format of its route, as far as the first line names one. */
  #answerUnreadable({ status, target }: UnreadableRequest): string {
    const requestId = newId('req', this.#options.clock);
    const code = UNREADABLE[status];
    const failure = code ? fail(code) : fail('parameter_invalid', { reason: because('path_unfit') });
    const pathname = target.split(/[?#]/)[0] ?? '';
    const route = this.#options.routes.find((candidate) => candidate.matches(pathname));
    const { body, headers } = route?.unreadable?.(failure, requestId) ?? { body: failureBody(failure, requestId), headers: {} };
    const lines = Object.entries({
      'Content-Type': 'application/json; charset=utf-8',
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${body}`;
  }

  #callOf(request: IncomingMessage): Call {
    const language = languageOf(request.headers);
    return {
      requestId: newId('req', this.#options.clock),
      address: clientAddress(request, this.#trustProxyHops),
      ...userAgentOf(request),
      ...(language && { language }),
      url: urlOf(request),
      started: performance.now(),
      logFields: {},
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#noticeProxy(request);
    let call: Call;
    try {
      call = this.#callOf(request);
    } catch {
      this.#prepare(response);
      return sendFailure(response, fail('parameter_invalid', { reason: because('path_unfit') }), newId('req', this.#options.clock));
    }
    this.#prepare(response, call);
    const route = this.#options.routes.find((candidate) => candidate.matches(call.url.pathname));
    this.#follow(request, response, route, call);
    try {
      if (!route) throw fail('route_not_found');
      const admitted = route.vital || this.#admission.admit(route, request, response, call);
      if (admitted !== true && !(await admitted)) return;
      await this.#handle(route, request, response, call);
    } catch (error) {
      await this.#refuse(route, error, request, response, call);
    }
  }

  #prepare(response: ServerResponse, call?: Call): void {
    const isLast = this.#closing || this.#options.stopping?.() === true;
    const headers = {
      ...this.#everywhere,
      ...(call && { 'X-Request-Id': call.requestId }),
      ...(isLast && { Connection: 'close' }),
    };
    prepareHead(response, headers, () => this.#admission.release(response));
  }

  async #handle(route: Route, request: IncomingMessage, response: ServerResponse, call: Call): Promise<void> {
    const name = `${request.method} ${route.name ?? 'other'}`;
    // A stranger's traceparent is ignored: otherwise anybody could decide which of our requests are traced.
    const believed = route.shared || this.#trustProxyHops > 0;
    const traceparent = believed ? traceparentOf(request) : undefined;
    await traced({ name, kind: 'server', traceparent }, async ({ attributes }) => {
      attributes['egress.request_id'] = call.requestId;
      call.logFields.traceId = traceId();
      try {
        await route.handle(request, response, call);
      } finally {
        Object.assign(attributes, {
          'http.request.method': request.method,
          'http.route': route.name,
          'http.response.status_code': response.statusCode,
          'graphql.operation.name': call.logFields.operation,
        });
      }
    });
  }

  async #refuse(route: Route | undefined, error: unknown, request: IncomingMessage, response: ServerResponse, call: Call) {
    const { log, pause = pauseOf } = this.#options;
    const failure: Failure = toFailure(error);
    if (response.destroyed) return;
    if (failure.code === 'internal') log.error({ requestId: call.requestId, route: route?.name, err: error }, 'a request failed');
    if (response.headersSent) return void response.destroy();
    if (route?.slowRefusals && failure.code === 'too_many_attempts') {
      this.#admission.release(response);
      await pause(response);
    }
    try {
      if (route?.refuse) await route.refuse(failure, request, response, call);
      else sendFailure(response, failure, call.requestId);
    } catch (again) {
      log.error({ requestId: call.requestId, route: route?.name, err: again }, 'a refusal failed');
      response.destroy();
    }
  }

  #follow(request: IncomingMessage, response: ServerResponse, route: Route | undefined, call: Call): void {
    const { metrics, log } = this.#options;
    const name = route?.name ?? (route ? 'other' : 'none');
    if (route?.shared) call.logFields.quiet = true;
    const logRequest = requestLogger(request, response, { log, route: name, call });
    response.on('close', () => {
      metrics.requests.inc({ route: name, status: response.statusCode });
      metrics.requestSeconds.observe({ route: name }, (performance.now() - call.started) / 1_000);
      logRequest();
    });
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const call = this.#callOf(request);
      const route = this.#options.upgrades.find((candidate) => candidate.matches(call.url.pathname));
      if (this.#closing || !route) throw fail(this.#closing ? 'overloaded' : 'route_not_found');
      this.#guard.check('upgrade', '');
      this.#admitUpgrade(call.address, socket);
      logSocket(socket, { log: this.#options.log, route: route.name ?? 'other', call });
      await route.handle(request, socket, head, call);
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === 'internal') this.#options.log.error({ err: error }, 'an upgrade failed');
      const more = Object.entries(retryAfter(failure)).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.end(`HTTP/1.1 ${failure.status} ${failure.code}\r\n${more.join('')}Connection: close\r\nContent-Length: 0\r\n\r\n`);
    }
  }

  async listen(): Promise<{ port: number; url: string }> {
    const { port: wanted, host, publicUrl } = this.#options;
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const { port } = server.address() as AddressInfo;
    return { port, url: publicUrl ?? httpUrl(host, port) };
  }

  async close(): Promise<void> {
    const { routes, upgrades } = this.#options;
    const server = this.#server;
    this.#closing = true;
    if (!server.listening) return;
    // Clients that are told to connect again, by feed or socket, are told before the port closes.
    const notified = Promise.all([...routes, ...upgrades].map((route) => route.close?.()));
    await Promise.all([drainHttpPort(server, this.#timeouts.drain), notified]);
  }
}
