// A path that a subgraph answers in a process of its own, on the public port: requests go to it and answers come back as they are.
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
  /** Any address of the process that answers. */
  url: string;
  log: Log;
  /** Instead of what the client sent: what is shown there. Throws what the client is to read. */
  authorization?(given: string | undefined): Promise<string>;
}

/** What the other process is told of a request. Cookies and what our parts show each other are none of it. */
const ASKED = ['authorization', 'accept', 'content-type', 'content-length', 'range', 'if-none-match', 'user-agent'] as const;
/** What is said of the connection between us and the other process, and not of the answer. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);
/** Without a byte in either direction; what stays open beats once a second. */
const SILENCE_MS = 10 * SECOND;

/** Throws `overloaded` while the other process is away. `close` ends the answers that do not end by themselves, as they would be ended there. */
export function createForwardRoute({ name, matches, url, log, authorization }: ForwardRouteOptions): Route {
  const secure = url.startsWith('https:');
  // As many connections as there are feeds.
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: SILENCE_MS });
  const send = secure ? httpsRequest : httpRequest;
  const open = new Set<ServerResponse>();
  let closing = false;

  /** Resolves when the answer has begun. */
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
      // An answer of several parts without a length is one that may never end.
      if (answer.headers['content-length'] === undefined) open.add(response);
      // What ends there ends here, what breaks there breaks here.
      pipeline(answer, response, () => open.delete(response));
    },
    close() {
      closing = true;
      for (const response of open) response.end();
    },
  };
}
