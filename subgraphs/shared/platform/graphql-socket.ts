// graphql-ws on one WebSocket. The package's own binding writes to the console when a client does something wrong; this one writes to our log.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Log } from './log.ts';

/** The type of `extra` in the hooks of graphql-ws: the socket, and what the caller of `open` adds. */
export type SocketExtra<Own extends object> = Own & { socket: WebSocket };

export interface GraphqlSockets<Own extends object> {
  sockets: WebSocketServer;
  /** Handles an upgrade request. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer, own: Own): void;
  /** Closes every socket with 1012 and waits until all are closed, about a second at most. */
  close(): Promise<void>;
}

export interface SocketOptions {
  log: Log;
  /** The maximum size of a message in bytes. */
  maxPayload: number;
  /** Milliseconds between pings. A socket that has not answered a ping by the next one is ended. */
  pingMs?: number;
}

/** How long a client may take to answer a close frame. */
const CLOSE_MS = 1_000;
/** The maximum size of the first message in bytes: it comes from an unknown client and carries a key or a signed viewer. */
const FIRST_MESSAGE_BYTES = 16_384;
/** The maximum of bytes that wait for a client that sends but does not read. Events have their own bounded queue; answers to pings have none. */
const UNREAD_BYTES = 16_777_216;

export function createGraphqlSockets<Own extends object>(
  options: ServerOptions<Record<string, unknown>, SocketExtra<Own>>,
  { log, maxPayload, pingMs = 12_000 }: SocketOptions,
): GraphqlSockets<Own> {
  const server = makeServer(options);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has('graphql-transport-ws') ? 'graphql-transport-ws' : false),
  });

  function opened(socket: WebSocket, own: Own) {
    socket.on('error', (error) => log.debug({ err: error }, 'a socket was closed for what its client sent'));
    let answered = true;
    const ping = setInterval(() => {
      if (!answered) return socket.terminate();
      answered = false;
      socket.ping();
    }, pingMs);
    socket.on('pong', () => {
      answered = true;
    });
    const unread = () => {
      if (socket.bufferedAmount > UNREAD_BYTES) socket.terminate();
    };
    socket.on('ping', unread);
    let first = true;
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (data) =>
          new Promise((resolve) => {
            unread();
            if (socket.readyState !== socket.OPEN) return resolve();
            // Resolves once the data has left this process: until then the next event waits in the bounded queue.
            socket.send(data, () => resolve());
          }),
        close: (code, reason) => closeSocket(socket, code ?? 1000, reason ?? ''),
        onMessage: (handle) =>
          socket.on('message', (data) => {
            const text = String(data);
            const tooLong = first && text.length > FIRST_MESSAGE_BYTES;
            first = false;
            if (tooLong) return closeSocket(socket, 1009, 'request_too_large');
            handle(text).catch((error: unknown) => {
              log.error({ err: error }, 'a socket message failed');
              closeSocket(socket, 4500, 'internal');
            });
          }),
      },
      { ...own, socket },
    );
    socket.once('close', (code, reason) => {
      clearInterval(ping);
      void closed(code, String(reason));
    });
  }

  return {
    sockets,
    open: (request, socket, head, own) => sockets.handleUpgrade(request, socket, head, (webSocket) => opened(webSocket, own)),
    async close() {
      await Promise.all(
        [...sockets.clients].map(
          (socket) =>
            new Promise<void>((resolve) => {
              socket.once('close', () => resolve());
              closeForRestart(socket);
            }),
        ),
      );
      sockets.close();
    },
  };
}

/** RFC 6455's registry: service restart. Clients of graphql-ws, and our pages, connect again at once. */
export const closeForRestart = (socket: WebSocket): void => closeSocket(socket, 1012, 'stopping');

/** Closes a socket, and ends the connection when the client does not answer the close in time. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), CLOSE_MS);
  socket.once('close', () => clearTimeout(timer));
}
