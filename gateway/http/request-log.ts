// The one line that the log has of each request, at info, and the two of each socket: who asked for what, and what became of it. Never a query, a body or a secret.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Viewer } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import type { Call } from '#platform/route.ts';

export interface LoggedRequest {
  log: Log;
  route: string;
  call: Call;
}

/** Longer names are cut: a path, and the name of an operation, are the caller's choice. */
const NAME_CHARACTERS = 120;
/** As proxies in front say it of a client that left before its answer. */
const CLIENT_LEFT = 499;

/** Call what it returns when the answer is over. */
export function requestLogger(request: IncomingMessage, response: ServerResponse, { log, route, call }: LoggedRequest): () => void {
  const { socket } = request;
  // A connection carries one request after the other.
  const before = socket.bytesWritten;
  return () => {
    const line = {
      ...fieldsOf(route, call),
      method: request.method,
      status: response.writableFinished ? response.statusCode : CLIENT_LEFT,
      ms: Math.round(performance.now() - call.started),
      bytes: socket.bytesWritten - before,
    };
    if (call.logFields.quiet) log.debug(line, 'a request');
    else log.info(line, 'a request');
  };
}

/** One line now, and one when it is over. */
export function logSocket(socket: Duplex & { bytesWritten?: number }, { log, route, call }: LoggedRequest): void {
  log.info(fieldsOf(route, call), 'a socket opened');
  socket.once('close', () => {
    const ms = Math.round(performance.now() - call.started);
    log.info({ ...fieldsOf(route, call), ms, bytes: socket.bytesWritten ?? 0 }, 'a socket closed');
  });
}

const fieldsOf = (route: string, { requestId, address, logFields: { caller, accountId, operation, traceId } }: Call) => ({
  requestId,
  ...(traceId !== undefined && { traceId }),
  route,
  ...(operation !== undefined && { operation: operation.slice(0, NAME_CHARACTERS) }),
  ...(caller && callerFields(caller)),
  ...(accountId !== undefined && { accountId }),
  address,
});

/** Ids, never what they are proven by. */
const callerFields = (viewer: Viewer): object => {
  if (viewer.kind === 'key') return { accountId: viewer.accountId, keyId: viewer.keyId };
  if (viewer.kind === 'session') return { accountId: viewer.accountId, ...(viewer.staff && { staff: true }) };
  return {};
};
