// Creates a listening server that passes its connections on as `TcpSocket`s.
import { type Server, createServer } from 'node:net';
import { HandleSocket } from './handle-socket.ts';
import { StreamSocket } from './stream-socket.ts';
import type { TcpHandle, TcpHandles } from './tcp-handles.ts';
import type { TcpSocket } from './tcp-socket.ts';

/** The internal handle of a listening server of node:net, which is called for each connection. */
interface Accepting {
  _handle: { onconnection(status: number, handle: TcpHandle | undefined): void } | null;
}

/** Sockets are passed on paused. The caller calls `listen` on the server. Without `handles` the connections are streams of node:net. */
export function acceptSockets(take: (socket: TcpSocket) => void, handles: TcpHandles | undefined): Server {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => take(new StreamSocket(socket)));
  if (!handles) return server;
  return server.on('listening', () => {
    const { _handle: listening } = server as unknown as Accepting;
    if (listening)
      // Without a handle the accept failed, because no file descriptor was left; the next one may succeed.
      listening.onconnection = (_status, handle) => {
        if (handle) take(new HandleSocket(handle, handles));
      };
  });
}
