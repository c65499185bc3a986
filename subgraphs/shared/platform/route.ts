// A path and who answers it. Rooms hand theirs in; the gateway's front mounts them, and a subgraph in a process of its own those that it serves itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure } from './errors.ts';
import type { Origin, Viewer } from './identity.ts';
import type { Language } from './language.ts';

/** One request as it was taken in. */
export interface Call {
  /** `req_...`, made here; none is accepted from outside. */
  requestId: string;
  /** The client's address, as far as the trusted proxies say. */
  address: string;
  /** What the client calls itself, cut: it is stored with sessions, and in memory for as long as a connection is open. */
  userAgent?: string;
  /** The language that it asks for. */
  language?: Language;
  url: URL;
  /** performance.now() at the arrival. */
  started: number;
  /** What is learnt of it on its way, for the one line that the log has of it. */
  logFields: LogFields;
}

/** Names and ids alone: it is logged. */
export interface LogFields {
  caller?: Viewer;
  /** Of a page without a session: whose one it has become. */
  accountId?: string;
  /** Of an operation, an endpoint, a tool or a page. */
  operation?: string;
  /** Where traces are told. */
  traceId?: string | undefined;
  /** Asked by programs of ours, or for a part of a page: told at debug alone. */
  quiet?: boolean;
}

/** Where a request comes from, for accounts and for logs. */
export const originOf = ({ address, userAgent, language, requestId }: Call): Origin => ({
  address,
  requestId,
  ...(userAgent !== undefined && { userAgent }),
  ...(language !== undefined && { language }),
});

export interface Route {
  /** For metrics and logs; constant, never a path with ids in it. */
  name?: string;
  matches(pathname: string): boolean;
  /** A Failure that it throws is answered with its status; anything else is logged and answered as `internal`. */
  handle(request: IncomingMessage, response: ServerResponse, call: Call): void | Promise<void>;
  /** Answers a failure in the route's own format; without it as `{ code, message, requestId }`. */
  refuse?(failure: Failure, request: IncomingMessage, response: ServerResponse, call: Call): void | Promise<void>;
  /** The same where there is no request that could be read. */
  unreadable?(failure: Failure, requestId: string): { body: string; headers: Record<string, string> };
  /** Answered even when the process is overloaded. */
  vital?: boolean;
  /** Who has used up a budget here waits for the refusal: a loop that asks again at once would cost more than those who are served. */
  slowRefusals?: boolean;
  /** Asked by our own parts, for everybody: no address has a share of its own. */
  shared?: boolean;
  /** Ends the answers that it never ends by itself. Called while the port still listens; what comes afterwards is refused. */
  close?(): void | Promise<void>;
}

export interface UpgradeRoute {
  /** For logs. */
  name?: string;
  matches(pathname: string): boolean;
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, call: Call): void | Promise<void>;
  /** Closes what is open with 1012 (service restart). */
  close(): Promise<void>;
}
