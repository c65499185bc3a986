// A public HTTP/1.1 port: adds the checks and limits that Node's own server does not have.
import { type IncomingMessage, type RequestListener, type Server, type ServerOptions, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressGroup } from './address-group.ts';
import { MINUTE } from './clock.ts';
import { Counts } from './counts.ts';

export interface HttpPortLimits {
  /** Connections without a WebSocket per IPv4 address or IPv6 /64: far more than an office needs. Traffic of proxies does not come here. */
  connectionsPerAddress: number;
  /**
   * A client must read at least `readBytes` of a waiting response in `readMs`, or its connection is ended: without that, one byte at a time would hold it
   * forever. The kernel takes more only when a third of its buffer (at most 4 MB) is free, so that a client who reads steadily seems to stand still
   * meanwhile; nginx waits as long (`send_timeout`, 60 s).
   */
  readBytes: number;
  readMs: number;
}

export const HTTP_PORT_LIMITS: HttpPortLimits = { connectionsPerAddress: 512, readBytes: 4_096, readMs: MINUTE };

const TOO_MANY = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
/** How long a refused connection may read the reason. */
const GOODBYE_MS = 500;
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** RFC 9112, 3.2: two Host lines must be answered with 400; so is one line that joins two. HTTP/0.9 has neither headers nor a status to answer with. */
function isFit({ rawHeaders, headers, httpVersionMajor }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return httpVersionMajor === 1 && hosts <= 1 && !headers.host?.includes(',');
}

/** What is known of a request that the parser rejected. */
export interface UnreadableRequest {
  status: 400 | 408 | 413 | 431;
  /** The target in its first line, as far as it was received; empty: unknown. */
  target: string;
}

const STATUS_OF: Readonly<Record<string, UnreadableRequest['status']>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Tells the client why its request could not be parsed: a target that is no URL (people type München unencoded), or headers that are too long. Handles Node's
 * `clientError`.
 */
function answerUnreadable(server: Server, unreadable: NonNullable<HttpPortListeners['unreadable']>): void {
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    const { code = '', rawPacket } = error;
    // Nothing may follow a response that has begun.
    const isAnswering = (socket as unknown as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;
    if (code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy(error);
    const [, target = ''] = /^[A-Z]+ ([^ \r\n]*)/.exec(rawPacket?.subarray(0, 2_048).toString('latin1') ?? '') ?? [];
    socket.end(unreadable({ status: STATUS_OF[code] ?? 400, target }));
  });
}

export interface HttpPortListeners {
  request: RequestListener;
  /** Returns the complete raw response to a request that could not be parsed. Without it Node sends its own empty response. */
  unreadable?(fault: UnreadableRequest): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A server that does not listen yet. It answers malformed requests with 400, limits the connections per address and ends slow readers. */
export function createHttpPort(options: ServerOptions, listeners: HttpPortListeners, given: Partial<HttpPortLimits> = {}): Server {
  const limits = { ...HTTP_PORT_LIMITS, ...given };
  const connections = new Connections(limits.connectionsPerAddress);
  const server = createServer(options, (request, response) => {
    if (!connections.has(request.socket)) return;
    if (isFit(request)) listeners.request(request, response);
    else response.writeHead(400, { Connection: 'close', 'Content-Length': 0 }).end();
  });
  server.on('connection', (socket: Socket) => connections.take(socket));
  server.on('upgrade', (request, socket, head) => {
    if (!connections.has(request.socket)) return;
    // The code that takes over the WebSocket has its own limit.
    connections.release(request.socket);
    if (isFit(request)) listeners.upgrade(request, socket, head);
    else socket.end(BAD_REQUEST);
  });
  if (listeners.unreadable) answerUnreadable(server, listeners.unreadable);
  endSlowReaders(server, limits);
  return server;
}

/** How often to look for connections that have become idle, because their response was sent. */
const LOOK_MS = 50;
/** How long a connection may stay silent: browsers open some ahead of need, and Node does not count them as idle. */
const SILENT_MS = 500;

/** Accepts no more connections, ends idle ones, and resolves when all are closed, after `drainMs` at most. */
export async function drainHttpPort(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const silent = setTimeout(() => {
    for (const socket of socketsOf.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
  }, SILENT_MS);
  const force = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(silent);
  clearTimeout(force);
}

const socketsOf = new WeakMap<Server, ReadonlySet<Socket>>();

/** An IPv4-mapped IPv6 address is the same client. */
const groupOf = ({ remoteAddress = 'unknown' }: Socket): string => addressGroup(remoteAddress.replace(/^::ffff:(?=\d+\.)/, ''));

class Connections {
  readonly #max: number;
  readonly #held = new Counts();
  readonly #groups = new WeakMap<Socket, string>();
  readonly #refused = new WeakSet<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns false for a refused connection: its requests are ignored. */
  has(socket: Socket): boolean {
    return !this.#refused.has(socket);
  }

  take(socket: Socket): void {
    const group = groupOf(socket);
    if (this.#held.of(group) >= this.#max) {
      this.#refused.add(socket);
      socket.on('error', () => {});
      socket.end(TOO_MANY);
      setTimeout(() => socket.destroy(), GOODBYE_MS).unref();
      return;
    }
    this.#held.add(group);
    this.#groups.set(socket, group);
    socket.once('close', () => this.release(socket));
  }

  release(socket: Socket): void {
    const group = this.#groups.get(socket);
    if (group === undefined) return;
    this.#groups.delete(socket);
    this.#held.remove(group);
  }
}

/** libuv's counters of a socket: bytes written to it, and how many of them the kernel has not accepted yet. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

function endSlowReaders(server: Server, { readBytes, readMs }: HttpPortLimits): void {
  const sockets = new Set<Socket>();
  socketsOf.set(server, sockets);
  const reading = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const look = (): void => {
    for (const socket of sockets) {
      const handle = (socket as unknown as { _handle: Handle | null })._handle;
      if (!handle || handle.writeQueueSize === 0) {
        reading.delete(socket);
        continue;
      }
      const taken = handle.bytesWritten - handle.writeQueueSize;
      const before = reading.get(socket);
      if (before !== undefined && taken - before < readBytes) socket.destroy();
      else reading.set(socket, taken);
    }
  };
  let due = performance.now() + readMs;
  const timer = setInterval(() => {
    const late = performance.now() - due;
    due = performance.now() + readMs;
    // This process was blocked meanwhile and could not send: nothing can be said about the readers.
    if (late > readMs / 4) return;
    // Runs after pending socket events are handled.
    setImmediate(look);
  }, readMs).unref();
  server.once('close', () => clearInterval(timer));
}
