// A listening server whose connections come as sockets.
import { type Server, createServer } from 'node:net';
import { HandleSocket } from './handle-socket.ts';
import { StreamSocket } from './stream-socket.ts';
import type { TcpHandle, TcpHandles } from './tcp-handles.ts';
import type { TcpSocket } from './tcp-socket.ts';

/** What a listening server of node:net hands every connection to. */
interface Accepting {
  _handle: { onconnection(status: number, handle: TcpHandle | undefined): void } | null;
}

/** Every socket is paused. `listen` on it as on any server. Without handles it is streams that come. */
export function acceptSockets(take: (socket: TcpSocket) => void, handles: TcpHandles | undefined): Server {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => take(new StreamSocket(socket)));
  if (!handles) return server;
  return server.on('listening', () => {
    const { _handle: listening } = server as unknown as Accepting;
    if (listening)
      // Without a handle there was none left to give: the next connection may find one.
      listening.onconnection = (_status, handle) => {
        if (handle) take(new HandleSocket(handle, handles));
      };
  });
}
