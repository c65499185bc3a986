// Limits a socket's receive buffer, so that it looks to a sender like a phone or a program with a small buffer.
import type { Socket } from 'node:net';
import koffi from 'koffi';

const SOL_SOCKET = 1;
const SO_RCVBUF = 8;

const setsockopt = koffi.load(null).func('int setsockopt(int, int, int, const int32_t *, uint32_t)');

/** Must be called before the socket has received anything. The kernel allocates twice as many bytes (socket(7)). */
export function limitReceiveWindow(socket: Socket, bytes: number): void {
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUF, new Int32Array([bytes]), 4) !== 0) throw new Error('the receive buffer cannot be set');
}
