// A path and its handler. The gateway mounts the routes that subgraphs and other parts give to it; a subgraph in its own process mounts those that it serves
// itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure } from './errors.ts';
import type { Origin, Viewer } from './identity.ts';
import type { Language } from './language.ts';

/** One request on the public port. */
export interface Call {
  /** `req_...`, generated here; none is accepted from outside. */
  requestId: string;
  /** The client's address, according to the trusted proxies. */
  address: string;
  /** The client's User-Agent, shortened: it is stored with sessions, and in memory while a connection is open. */
  userAgent?: string;
  /** The language that the request asks for. */
  language?: Language;
  url: URL;
  /** performance.now() when the request arrived. */
  started: number;
  /** Details for the request's one log line, added while it is handled. */
  logFields: LogFields;
}

/** Only names and ids, because this is logged. */
export interface LogFields {
  caller?: Viewer;
  /** The account of a session that this request has started. */
  accountId?: string;
  /** The name of an operation, an endpoint, a tool or a page. */
  operation?: string;
  /** Set when tracing is on. */
  traceId?: string | undefined;
  /** Requested by our own programs, or for a part of a page: logged at debug only. */
  quiet?: boolean;
}

/** The origin of a request, for accounts and for logs. */
export const originOf = ({ address, userAgent, language, requestId }: Call): Origin => ({
  address,
  requestId,
  ...(userAgent !== undefined && { userAgent }),
  ...(language !== undefined && { language }),
});

export interface Route {
  /** The name in metrics and logs; constant, never a path with ids in it. */
  name?: string;
  matches(pathname: string): boolean;
  /** A Failure that it throws is answered with its status; any other error is logged and answered as `internal`. */
  handle(request: IncomingMessage, response: ServerResponse, call: Call): void | Promise<void>;
  /** Answers a failure in the route's own format; without it the answer is `{ code, message, requestId }`. */
  refuse?(failure: Failure, request: IncomingMessage, response: ServerResponse, call: Call): void | Promise<void>;
  /** The same for a request that could not be parsed. */
  unreadable?(failure: Failure, requestId: string): { body: string; headers: Record<string, string> };
  /** Answered even when the process is overloaded. */
  vital?: boolean;
  /** A client that has used up a budget waits for its refusal: a loop that retries at once would cost more than the clients that are served. */
  slowRefusals?: boolean;
  /** Requested by our own parts on behalf of everybody: no limit per client address. */
  shared?: boolean;
  /** Ends the route's open-ended responses. Called while the port still listens; later requests are refused. */
  close?(): void | Promise<void>;
}

export interface UpgradeRoute {
  /** The name in logs. */
  name?: string;
  matches(pathname: string): boolean;
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, call: Call): void | Promise<void>;
  /** Closes open sockets with 1012 (service restart). */
  close(): Promise<void>;
}
