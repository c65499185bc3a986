// Serves, on the public port, a path of a subgraph that runs in another process: forwards requests to it and returns its responses unchanged.
import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { SECOND } from './clock.ts';
import { fail } from './errors.ts';
import type { Log } from './log.ts';
import { notifyOutage } from './outage.ts';
import type { Call, Route } from './route.ts';
import { traceHeaders } from './tracing.ts';

export interface ForwardRouteOptions {
  name: string;
  matches(pathname: string): boolean;
  /** Any URL of the process that answers; only its origin is used. */
  url: string;
  log: Log;
  /** The Authorization header to send instead of the client's. What it throws is the client's error. */
  authorization?(given: string | undefined): Promise<string>;
}

/** The request headers that are forwarded. Cookies and internal headers are not. */
const ASKED = ['authorization', 'accept', 'content-type', 'content-length', 'range', 'if-none-match', 'user-agent'] as const;
/** Headers of the connection to the other process, which are not forwarded. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);
/** The longest time without a byte in either direction; a feed that stays open sends something every second. */
const SILENCE_MS = 10 * SECOND;

/** Throws `overloaded` while the other process cannot be reached. `close` ends the open-ended responses, as the other process would. */
export function createForwardRoute({ name, matches, url, log, authorization }: ForwardRouteOptions): Route {
  const secure = url.startsWith('https:');
  // No limit on connections: each open feed holds one.
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: SILENCE_MS });
  const send = secure ? httpsRequest : httpRequest;
  const open = new Set<ServerResponse>();
  let closing = false;

  /** Resolves when the response has begun. */
  const ask = (request: IncomingMessage, response: ServerResponse, headers: OutgoingHttpHeaders, { url: { pathname, search } }: Call) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      let begun = false;
      const asked = send(new URL(pathname + search, url), { method: request.method, agent, headers }, (answer) => {
        begun = true;
        resolve(answer);
      });
      asked.setTimeout(SILENCE_MS, () => asked.destroy(new Error('nothing was said for too long')));
      asked.on('error', (error) => {
        if (!begun && !response.destroyed) notifyOutage(log, error, { route: name });
        reject(fail('overloaded'));
      });
      response.once('close', () => asked.destroy());
      request.on('error', () => asked.destroy()).pipe(asked);
    });

  return {
    name,
    vital: true,
    matches,
    async handle(request, response, call) {
      if (closing) throw fail('overloaded');
      const headers: OutgoingHttpHeaders = {};
      for (const known of ASKED) if (request.headers[known] !== undefined) headers[known] = request.headers[known];
      Object.assign(headers, traceHeaders());
      if (authorization) headers.authorization = await authorization(request.headers.authorization);
      const answer = await ask(request, response, headers, call);
      for (const [header, value] of Object.entries(answer.headers))
        if (value !== undefined && !OF_CONNECTION.has(header)) response.setHeader(header, value);
      response.writeHead(answer.statusCode ?? 502);
      // A response without a length may never end.
      if (answer.headers['content-length'] === undefined) open.add(response);
      // The response ends here when it ends there, and breaks here when it breaks there.
      pipeline(answer, response, () => open.delete(response));
    },
    close() {
      closing = true;
      for (const response of open) response.end();
    },
  };
}
