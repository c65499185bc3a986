// A reader whose system takes no more than so many bytes ahead of it: what a phone, or a program with a buffer of its own choice, is to a sender.
import type { Socket } from 'node:net';
import koffi from 'koffi';

const SOL_SOCKET = 1;
const SO_RCVBUF = 8;

const setsockopt = koffi.load(null).func('int setsockopt(int, int, int, const int32_t *, uint32_t)');

/** Before it has received anything. The system takes twice as much memory for it (socket(7)). */
export function limitReceiveWindow(socket: Socket, bytes: number): void {
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUF, new Int32Array([bytes]), 4) !== 0) throw new Error('the receive buffer cannot be set');
}
