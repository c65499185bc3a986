// A node between customers and targets on loopback. Names and public addresses exist only in a table: the dialler connects to what the table says, records
// what it was asked for, and refuses everything else, so that tests reach nothing outside this machine.
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { fail } from '#platform/errors.ts';
import { silentLog } from '#platform/log.ts';
import { DialError, type Dialler, createDialler } from '../../edge/dial.ts';
import { type Edge, startEdge } from '../../edge/edge.ts';
import type { EdgeOptions } from '../../edge/edge-options.ts';
import type { ExitDefinition } from '../../edge/exit.ts';
import { refusalOf } from '../../edge/parent-answer.ts';
import type { Resolver } from '../../edge/resolver.ts';
import { createSourcePorts } from '../../edge/source-ports.ts';
import type { Endpoint } from '../../edge/target-guard.ts';
import { MemoryLedger, PASSWORD } from './memory-ledger.ts';

/** A public address that stands for the targets of the tests. */
export const PUBLIC = '93.184.215.14';
export const PRODUCTS = ['PREMIUM', 'PRIVATE_RESIDENTIAL', 'MOBILE', 'ALT_RESIDENTIAL'] as const;

export const localExit = (number: number, place: Partial<ExitDefinition> = {}): ExitDefinition =>
  ({ id: `exit-${number}`, kind: 'local', address: `127.0.0.${number}`, country: 'de', products: PRODUCTS, ...place }) as ExitDefinition;

export interface World {
  ledger: MemoryLedger;
  edge: Edge;
  port: number;
  /** What the dialler was asked for: exit and address:port. */
  dialled: { exit: string; target: string }[];
  /** What the resolver was asked for. */
  resolved: string[];
  /** Maps a name or public address to a real endpoint. Returns the port to ask for. */
  route(host: string, addresses: readonly string[], target: Endpoint): void;
  /** Another node on the same ledger. */
  another(options?: Partial<EdgeOptions>): Promise<Edge>;
  client(port?: number): Promise<Client>;
  close(): Promise<void>;
}

export async function startWorld(options: Partial<EdgeOptions> = {}): Promise<World> {
  const ledger = new MemoryLedger();
  const dialled: World['dialled'] = [];
  const resolved: string[] = [];
  const names = new Map<string, readonly string[]>();
  const places = new Map<string, Endpoint>();
  const clients = new Set<Client>();
  const edges: Edge[] = [];
  const real = createDialler(createSourcePorts());
  const dial: Dialler = (exit, target, timeoutMs, line) => {
    dialled.push({ exit: exit.definition.id, target: `${target.address}:${target.port}` });
    const place = places.get(`${target.address}:${target.port}`);
    if (!place) return Promise.reject(new DialError(refusalOf('target', 'no such target')));
    return real(exit, place, timeoutMs, line);
  };
  const resolver: Resolver = {
    async resolve(name) {
      resolved.push(name);
      const addresses = names.get(name);
      if (!addresses) throw fail('target_name_unknown');
      return addresses;
    },
  };
  const start = async (more: Partial<EdgeOptions>) => {
    const edge = await startEdge({
      controlPlane: ledger.controlPlane(),
      exits: [localExit(11), localExit(12), localExit(13)],
      listen: [{ address: '127.0.0.1', port: 0 }],
      log: silentLog,
      resolver,
      dial,
      ...options,
      ...more,
    });
    edges.push(edge);
    return edge;
  };
  const edge = await start({});
  const port = edge.ports[0] as number;
  return {
    ledger,
    edge,
    port,
    dialled,
    resolved,
    route(host, addresses, target) {
      names.set(host, addresses);
      for (const address of addresses) places.set(`${address}:${target.port}`, target);
    },
    another: start,
    async client(to = port) {
      const client = await openClient(to);
      clients.add(client);
      return client;
    },
    async close() {
      for (const client of clients) client.socket.destroy();
      for (const open of edges) await open.close();
      ledger.close();
    },
  };
}

export const basic = (username: string, password = PASSWORD): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
export const proxyLine = (username: string, password?: string): string => `Proxy-Authorization: ${basic(username, password)}\r\n`;
export const connectHead = (authority: string, username: string, password?: string): string =>
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${proxyLine(username, password)}\r\n`;

/** A raw socket with the bytes it got so far. */
export interface Client {
  socket: Socket;
  readonly received: Buffer;
  write(data: string | Buffer): void;
  /** Resolves when at least this many bytes, or this text, have come since the last `skip`; rejects when the connection ends before. */
  until(wanted: number | string): Promise<Buffer>;
  /** Drops the bytes received so far. */
  skip(length?: number): void;
  /** Resolves with all received bytes when the other side has ended the connection. */
  ended(): Promise<Buffer>;
}

/** `from`: the address that the customer comes from. */
export async function openClient(port: number, host = '127.0.0.1', from = '127.0.0.1'): Promise<Client> {
  const socket = connect({ port, host, localAddress: from, allowHalfOpen: true, noDelay: true });
  let chunks: Buffer[] = [];
  let length = 0;
  let over = false;
  /** Joined only on demand: a fast target sends thousands of chunks. */
  const received = (): Buffer => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] ?? Buffer.alloc(0);
  };
  const waiting = new Set<() => void>();
  const look = () => {
    for (const check of [...waiting]) check();
  };
  socket.on('data', (bytes: Buffer) => {
    chunks.push(bytes);
    length += bytes.length;
    look();
  });
  const end = () => {
    over = true;
    look();
  };
  socket.on('end', end);
  socket.on('close', end);
  socket.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    get received() {
      return received();
    },
    write: (data) => void socket.write(data),
    until: (wanted) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const enough = typeof wanted === 'number' ? length >= wanted : received().includes(wanted);
          if (!enough && !over) return;
          waiting.delete(check);
          if (enough) resolve(received());
          else reject(new Error(`the connection ended after ${JSON.stringify(received().toString('latin1').slice(0, 400))}`));
        };
        waiting.add(check);
        check();
      }),
    skip(count = length) {
      chunks = [received().subarray(count)];
      length -= count;
    },
    ended: () =>
      new Promise((resolve) => {
        const check = () => {
          if (!over) return;
          waiting.delete(check);
          resolve(received());
        };
        waiting.add(check);
        check();
      }),
  };
}

export interface Target {
  endpoint: Endpoint;
  /** Accepted connections, in order. */
  sockets: Socket[];
  close(): Promise<void>;
}

/** A server of raw bytes on loopback. */
export async function startTarget(serve: (socket: Socket) => void): Promise<Target> {
  const sockets: Socket[] = [];
  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    endpoint: { address: '127.0.0.1', port: (server.address() as AddressInfo).port },
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

export const startEcho = (): Promise<Target> =>
  startTarget((socket) => {
    socket.pipe(socket);
  });

/** An HTTP target that records the raw requests and answers each connection with the given bytes once a whole head has come. */
export async function startHttpTarget(
  answer: string | ((request: string) => string | Buffer | undefined),
): Promise<Target & { requests: string[] }> {
  const requests: string[] = [];
  const target = await startTarget((socket) => {
    let text = '';
    let answered = false;
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      requests[target.sockets.indexOf(socket)] = text;
      if (answered || !text.includes('\r\n\r\n')) return;
      const reply = typeof answer === 'string' ? answer : answer(text);
      if (reply === undefined) return;
      answered = true;
      socket.end(reply);
    });
    socket.on('end', () => socket.end());
  });
  return { ...target, requests };
}
