// A TCP relay to a server that tests can break. It can be cut, as by a crash, or hang, as with a hung host or a pulled cable: connections still open and
// bytes are accepted, but none come back.
import { type Socket, connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Relay {
  port: number;
  /** The same URL, but through the relay. */
  through(url: string): string;
  /** No byte passes any more, neither on old connections nor on new ones. */
  hang(): void;
  /** Closes all connections, and closes new ones at once. */
  cut(): void;
  /** New connections pass again. Connections that hung stay hung, as nobody knows which bytes were lost. */
  mend(): void;
  /** How many connections are open. */
  readonly connections: number;
  close(): Promise<void>;
}

export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target);
  let mode: 'passes' | 'hangs' | 'cut' = 'passes';
  const sockets = new Set<Socket>();
  const silence = (socket: Socket) => socket.unpipe().resume();
  const server = createServer((client) => {
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client));
    if (mode === 'cut') return void client.destroy();
    sockets.add(client);
    if (mode === 'hangs') return void client.resume();
    const upstream = connect(Number(port), hostname);
    sockets.add(upstream);
    upstream.on('error', () => client.destroy()).on('close', () => sockets.delete(upstream));
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    through(url) {
      const there = new URL(url);
      there.hostname = '127.0.0.1';
      there.port = String(bound);
      return there.href;
    },
    hang() {
      mode = 'hangs';
      for (const socket of sockets) silence(socket);
    },
    cut() {
      mode = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      mode = 'passes';
    },
    get connections() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
