// A port that speaks HTTP/1.1 to whoever comes: what Node's own server leaves to its owner.
import { type IncomingMessage, type RequestListener, type Server, type ServerOptions, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressGroup } from './address-group.ts';
import { SECOND } from './clock.ts';
import { Counts } from './counts.ts';

export interface HttpPortLimits {
  /** Connections of an IPv4 address or a /64 that carry no WebSocket: far more than the people of an office hold, and none of anybody's proxy. */
  connectionsPerAddress: number;
  /** Who has an answer to read takes so many bytes in so long, or is ended: each byte by itself keeps a connection busy. */
  readBytes: number;
  readMs: number;
}

export const HTTP_PORT_LIMITS: HttpPortLimits = { connectionsPerAddress: 512, readBytes: 4_096, readMs: 15 * SECOND };

const TOO_MANY = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
/** For a refused connection to read why. */
const GOODBYE_MS = 500;
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** RFC 9112, 3.2: two Host lines are 400, and so is one that two were joined to. HTTP/0.9 has neither headers nor a status to answer with. */
function isFit({ rawHeaders, headers, httpVersionMajor }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return httpVersionMajor === 1 && hosts <= 1 && !headers.host?.includes(',');
}

/** What is known of a request that the parser refused. */
export interface UnreadableRequest {
  status: 400 | 408 | 413 | 431;
  /** The target of its first line, as far as it came; empty: unknown. */
  target: string;
}

const STATUS_OF: Readonly<Record<string, UnreadableRequest['status']>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Whoever wrote it reads why: text that is no URL (people type München as it is), headers too long. Node's `clientError`. */
function answerUnreadable(server: Server, unreadable: NonNullable<HttpPortListeners['unreadable']>): void {
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    const { code = '', rawPacket } = error;
    // An answer that was begun is not followed by another one.
    const isAnswering = (socket as unknown as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;
    if (code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy(error);
    const [, target = ''] = /^[A-Z]+ ([^ \r\n]*)/.exec(rawPacket?.subarray(0, 2_048).toString('latin1') ?? '') ?? [];
    socket.end(unreadable({ status: STATUS_OF[code] ?? 400, target }));
  });
}

export interface HttpPortListeners {
  request: RequestListener;
  /** Answers what could not be read as a request; without it: Node's own empty answer. The whole answer as it is written. */
  unreadable?(fault: UnreadableRequest): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A server that is not listening yet. Requests that are not fit are answered here with 400; connections are counted, readers watched. */
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
    // A WebSocket is counted by who takes it.
    connections.release(request.socket);
    if (isFit(request)) listeners.upgrade(request, socket, head);
    else socket.end(BAD_REQUEST);
  });
  if (listeners.unreadable) answerUnreadable(server, listeners.unreadable);
  endSlowReaders(server, limits);
  return server;
}

/** A connection that was busy at the first look is idle once its answer is sent. */
const LOOK_MS = 50;
/** One that has never said anything, as browsers open them ahead of need, is given so long to begin: Node does not count it as idle. */
const SILENT_MS = 500;

/** Takes no more connections, ends those that are idle, and resolves when all are over, `drainMs` at most. */
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

/** An IPv4 address in IPv6 clothes is the same client. */
const groupOf = ({ remoteAddress = 'unknown' }: Socket): string => addressGroup(remoteAddress.replace(/^::ffff:(?=\d+\.)/, ''));

class Connections {
  readonly #max: number;
  readonly #held = new Counts();
  readonly #groups = new WeakMap<Socket, string>();
  readonly #refused = new WeakSet<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  /** False for a connection that was refused: what it still says is not heard. */
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

/** libuv's counters of a socket: what it was given, and what of it the kernel has not taken. */
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
    // While this process stood still nobody could take anything: it says nothing of the readers.
    if (late > readMs / 4) return;
    // Behind what the sockets have to say by now.
    setImmediate(look);
  }, readMs).unref();
  server.once('close', () => clearInterval(timer));
}
