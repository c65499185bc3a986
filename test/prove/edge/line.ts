// A TCP relay between a node and the platform, which a proof can cut.
import { type Server, type Socket, connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Line {
  url: string;
  /** Disconnects everything and refuses new connections for this long. */
  cut(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function openLine(port: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect({ port, host: '127.0.0.1' });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async cut(milliseconds) {
      isCut = true;
      breakAll();
      await new Promise((done) => setTimeout(done, milliseconds));
      isCut = false;
    },
    async close() {
      breakAll();
      await new Promise((done) => server.close(done));
    },
  };
}
