// The ports that lines name. Every port takes both protocols: the first byte tells which one a customer speaks.
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import type { Admission } from './admission.ts';
import { HttpConnection } from './http-connection.ts';
import type { EdgeLimits } from './limits.ts';
import { SocksConnection } from './socks-connection.ts';
import { type Endpoint, plainAddress } from './target-guard.ts';

export interface Listeners {
  listen(endpoint: Endpoint): Promise<Endpoint>;
  /** What is listened on now. */
  endpoints(): readonly Endpoint[];
  /** Open connections of customers: for metrics and draining. */
  connections(): number;
  /** Takes no new connections; those open go on. */
  drain(): void;
  close(): Promise<void>;
}

const SOCKS5 = 5;
/** A burst of new connections waits here rather than being refused. */
const BACKLOG = 4_096;

interface Presence {
  connections: number;
  handshakes: number;
}

export function createListeners(admission: Admission, limits: EdgeLimits): Listeners {
  const servers = new Set<Server>();
  const clients = new Set<Socket>();
  const presences = new Map<string, Presence>();
  const endpoints: Endpoint[] = [];

  function accept(client: Socket): void {
    const address = plainAddress(client.remoteAddress ?? '0.0.0.0');
    const presence = presences.get(address) ?? { connections: 0, handshakes: 0 };
    if (presence.connections >= limits.connectionsPerAddress || presence.handshakes >= limits.handshakesPerAddress) {
      client.destroy();
      return;
    }
    presences.set(address, presence);
    presence.connections++;
    presence.handshakes++;
    clients.add(client);
    let shaking = true;
    const settled = () => {
      if (shaking) presence.handshakes--;
      shaking = false;
    };
    client.once('close', () => {
      settled();
      clients.delete(client);
      if (--presence.connections === 0) presences.delete(address);
    });

    const timer = setTimeout(() => client.destroy(), limits.headMs);
    const destroy = () => client.destroy();
    const forget = () => clearTimeout(timer);
    client.once('error', destroy);
    client.once('end', destroy);
    client.once('close', forget);
    client.once('data', (bytes: Buffer) => {
      clearTimeout(timer);
      client.removeListener('error', destroy);
      client.removeListener('end', destroy);
      client.removeListener('close', forget);
      const options = { admission, limits, address, settled };
      const connection = bytes[0] === SOCKS5 ? new SocksConnection(client, options) : new HttpConnection(client, options);
      connection.first(bytes);
    });
  }

  return {
    listen({ address, port }) {
      const server = createServer({ noDelay: true, allowHalfOpen: true }, accept);
      return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host: address, port, backlog: BACKLOG }, () => {
          server.removeListener('error', reject);
          servers.add(server);
          const bound = server.address() as AddressInfo;
          const endpoint = { address: bound.address, port: bound.port };
          endpoints.push(endpoint);
          resolve(endpoint);
        });
      });
    },
    endpoints: () => endpoints,
    connections: () => clients.size,
    drain() {
      for (const server of servers) server.close();
    },
    async close() {
      const closing = [...servers].map((server) => new Promise((done) => server.close(done)));
      for (const client of clients) client.destroy();
      await Promise.all(closing);
    },
  };
}
