// The machines' own answers: a guest that has booted accepts connections at its address, as long as it runs. All addresses are in 127.0.0.0/8, which
// Linux routes to itself as a whole; elsewhere they are added to the loopback interface by hand. One port for all, that no other sandbox has.
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { addressOf, isBooted } from './life.ts';
import type { HypervisorState } from './state.ts';

export interface Guests {
  /** Where every guest answers. */
  readonly port: number;
  /** Opens and closes ports until they are as the machines are. */
  settle(now: number): Promise<void>;
  close(): Promise<void>;
}

export async function openGuests(state: HypervisorState, host: string, port: number): Promise<Guests> {
  // Held for the sandbox's life, so that no other takes the number.
  const holder = await listen(host, port, () => {});
  const taken = (holder.server.address() as AddressInfo).port;
  const open = new Map<string, Listening>();
  let settling = Promise.resolve();

  const adjust = async (now: number): Promise<void> => {
    const wanted = new Map<string, string>();
    for (const machine of Object.values(state.machines)) {
      const address = addressOf(machine);
      if (address?.startsWith('127.') && isBooted(machine, now) && !state.down.includes(machine.node)) wanted.set(address, machine.name);
    }
    for (const [address, { close }] of open) {
      if (wanted.has(address)) continue;
      open.delete(address);
      await close();
    }
    for (const [address, name] of wanted) {
      if (!open.has(address))
        open.set(address, await listen(address, taken, (socket) => void socket.end(`SSH-2.0-OpenSSH_9.6 ${name}\r\n`)));
    }
  };
  return {
    port: taken,
    settle: (now) => (settling = settling.catch(() => {}).then(() => adjust(now))),
    async close() {
      await settling.catch(() => {});
      for (const { close } of [holder, ...open.values()]) await close();
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
      reject(new Error(`A guest of the sandbox cannot listen on ${host}:${port} (${cause.code}).`, { cause })),
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
