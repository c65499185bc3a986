// The interface of a TCP connection, for customers and targets: bytes in both directions, with backpressure.

import type { Delivery } from './delivery.ts';

/** Receives the events of a connection. */
export interface SocketListener {
  /** The bytes may be kept. With a `reader`, only while the socket is paused or the reader has queued bytes; otherwise the next read overwrites them. */
  data(bytes: Buffer, socket: TcpSocket): void;
  /** The queue is empty again. */
  drain(socket: TcpSocket): void;
  /** The other side has ended. */
  end(socket: TcpSocket): void;
  /** The connection failed; `close` follows. */
  error(socket: TcpSocket): void;
  /** The connection has closed, from either side. Called once, and never from within a method call. */
  close(socket: TcpSocket): void;
}

export interface TcpSocket {
  listener: SocketListener;
  /** The socket that its bytes are written to: once the reader's system has accepted them, the next read may overwrite them. Undefined: they are kept. */
  reader: TcpSocket | undefined;
  /** Closed: nothing is read or written any more. */
  readonly closed: boolean;
  /** Bytes of writes that the system has not completely accepted. */
  readonly queued: number;
  /** Written bytes that the other side has not acknowledged, including queued ones, as far as the system tells. */
  readonly outstanding: number;
  /** Closes the connection if the other side has reset it, which goes unnoticed while nothing is read. */
  notice(): void;
  /** Tracks bytes written to a customer. At the end the socket reports the lost bytes: the queued ones, or after a failure all that are outstanding. */
  delivery: Delivery | undefined;
  /** Too much is queued: wait for `drain` before writing more. */
  readonly full: boolean;
  /** Addresses of this side and the other one, as the system writes them. */
  readonly localAddress: string;
  readonly remoteAddress: string;
  /** False: wait for `drain` before writing more. Does nothing after `end`. */
  write(bytes: Buffer): boolean;
  /** Half-closes after the queued bytes, then calls back. The connection closes when both sides have ended. */
  end(then?: () => void): void;
  /** A socket starts paused. */
  pause(): void;
  resume(): void;
  /** Calls back when nothing was read or written for this long; 0: never. */
  idleAfter(milliseconds: number, then: () => void): void;
  /** Restarts the time of `idleAfter`. */
  touch(): void;
  destroy(): void;
  /** Closes with a TCP reset, which tells the other side that bytes in flight are lost. */
  reset(): void;
}

/** The queue is full at this many bytes. */
export const MAX_QUEUE = 65_536;

/** The listener of a socket that has none yet: destroys it when something arrives. */
export const NOBODY: SocketListener = {
  data: (_, socket) => socket.destroy(),
  drain: () => {},
  end: (socket) => socket.destroy(),
  error: () => {},
  close: () => {},
};
