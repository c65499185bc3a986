// A TCP relay on this machine that can go dead, as with a failed router or a sleeping laptop: no connection is closed, and no byte arrives.
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export interface TcpLine {
  url: string;
  /** From now on bytes vanish, on new connections too. */
  cut(): void;
  /** New connections work again; older ones stay dead. */
  mend(): void;
  close(): Promise<void>;
}

/** Relays to a port of 127.0.0.1. The listener there may start later. */
export async function startTcpLine(port: number): Promise<TcpLine> {
  const open = new Set<Socket>();
  let isDead = false;
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (isDead) return void near.resume();
    const far = keep(connect(port, '127.0.0.1'));
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isDead = true;
      for (const socket of open) {
        socket.unpipe();
        socket.resume();
      }
    },
    mend() {
      isDead = false;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
