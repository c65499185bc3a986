// Servers for the machines of the sandbox: each accepts connections at its own address, all on one port that no other sandbox uses, and sends a greeting.
// Addresses are in 127.0.0.0/8, all of which Linux routes to itself; on other systems they must be added to the loopback interface.
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface Answering {
  /** The port on which every machine answers. */
  readonly port: number;
  /** Opens and closes addresses until exactly the wanted ones answer. `wanted`: from address to the name in its greeting. */
  settle(wanted: ReadonlyMap<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** `port` 0 takes a free one; the port is held at `host` as long as the sandbox runs. With `host` undefined other machines of the sandbox hold it. */
export async function openAnswering(host: string | undefined, port: number): Promise<Answering> {
  const holder = host === undefined ? undefined : await listen(host, port, () => {});
  const taken = holder ? (holder.server.address() as AddressInfo).port : port;
  const open = new Map<string, Listening>();
  let settling = Promise.resolve();

  const adjust = async (wanted: ReadonlyMap<string, string>): Promise<void> => {
    for (const [address, { close }] of open) {
      if (wanted.has(address)) continue;
      open.delete(address);
      await close();
    }
    for (const [address, name] of wanted) {
      if (!address.startsWith('127.') || open.has(address)) continue;
      open.set(address, await listen(address, taken, (socket) => void socket.end(`SSH-2.0-OpenSSH_9.6 ${name}\r\n`)));
    }
  };
  return {
    port: taken,
    settle: (wanted) => (settling = settling.catch(() => {}).then(() => adjust(wanted))),
    async close() {
      await settling.catch(() => {});
      for (const { close } of [...(holder ? [holder] : []), ...open.values()]) await close();
    },
  };
}

interface Listening {
  server: Server;
  close(): Promise<void>;
}

async function listen(host: string, port: number, greet: (socket: Socket) => void): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    greet(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new Error(`A machine of the sandbox cannot listen on ${host}:${port} (${cause.code}).`, { cause })),
    );
    server.listen(port, host, resolve);
  });
  server.unref();
  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
