// Logs one line for each request and two for each socket, at level info: the caller, the route and the result. Never a query, a body or a secret.
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

/** Longer names are cut: paths and names of operations are chosen by the caller. */
const NAME_CHARACTERS = 120;
/** The status that reverse proxies log for a client that left before its answer. */
const CLIENT_LEFT = 499;

/** Returns the function that logs the request; call it when the answer has ended. */
export function requestLogger(request: IncomingMessage, response: ServerResponse, { log, route, call }: LoggedRequest): () => void {
  const { socket } = request;
  // A connection carries several requests, one after the other.
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

/** Logs one line now, and one when the socket has closed. */
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

/** Ids, never the key or the session's token. */
const callerFields = (viewer: Viewer): object => {
  if (viewer.kind === 'key') return { accountId: viewer.accountId, keyId: viewer.keyId };
  if (viewer.kind === 'session')
    return {
      accountId: viewer.accountId,
      ...(viewer.staff && { staff: true }),
      ...(viewer.member && { personId: viewer.member.accountId }),
    };
  return {};
};
