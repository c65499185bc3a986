// Connects to an address, optionally from a given address and port of this machine.
import { connect } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { HandleSocket } from './handle-socket.ts';
import { StreamSocket } from './stream-socket.ts';
import type { Endpoint } from './target-guard.ts';
import { HANDLES, type TcpHandles } from './tcp-handles.ts';
import type { TcpSocket } from './tcp-socket.ts';

/** Resolves with a connected, paused socket. Rejects with the system's error. With port 0 in `from` the system chooses the port. */
export type OpenSocket = (to: Endpoint, timeoutMs: number, from?: Endpoint) => Promise<TcpSocket>;

/** The system's error as node:net reports it. */
const systemError = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

const overHandles =
  (handles: TcpHandles): OpenSocket =>
  (to, timeoutMs, from) =>
    new Promise((resolve, reject) => {
      const handle = new handles.TCP(handles.SOCKET);
      let over = false;
      const give = (code: string) => {
        over = true;
        clearTimeout(timer);
        handle.close(() => {});
        reject(systemError(code));
      };
      const timer = setTimeout(() => give('ETIMEDOUT'), timeoutMs);
      const request = new handles.TCPConnectWrap();
      request.oncomplete = (status) => {
        if (over) return;
        if (status !== 0) return give(getSystemErrorName(status));
        clearTimeout(timer);
        resolve(new HandleSocket(handle, handles));
      };
      const isSix = to.address.includes(':');
      let error = 0;
      if (from) error = isSix ? handle.bind6(from.address, from.port, 0) : handle.bind(from.address, from.port, 0);
      if (error === 0) error = isSix ? handle.connect6(request, to.address, to.port) : handle.connect(request, to.address, to.port);
      if (error !== 0) give(getSystemErrorName(error));
    });

const overStreams: OpenSocket = (to, timeoutMs, from) =>
  new Promise((resolve, reject) => {
    const socket = connect({
      host: to.address,
      port: to.port,
      noDelay: true,
      allowHalfOpen: true,
      ...(from && { localAddress: from.address, ...(from.port > 0 && { localPort: from.port }) }),
    });
    const expire = () => socket.destroy(systemError('ETIMEDOUT'));
    socket.setTimeout(timeoutMs, expire);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0, expire);
      socket.removeListener('error', reject);
      resolve(new StreamSocket(socket));
    });
  });

/** Without `handles` it uses streams of node:net. */
export const createOpener = (handles: TcpHandles | undefined): OpenSocket => (handles ? overHandles(handles) : overStreams);

export const openSocket = createOpener(HANDLES);
