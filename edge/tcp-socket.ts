// A connection as the node carries it: bytes one way and the other, and pressure against both. Customers come by one, targets are reached by one.

import type { Delivery } from './delivery.ts';

/** Who listens to a connection now. */
export interface SocketListener {
  /** The bytes may be kept, unless the socket has a `reader`: then while it is paused, or the reader has something queued. */
  data(bytes: Buffer, socket: TcpSocket): void;
  /** What was written is on its way. */
  drain(socket: TcpSocket): void;
  /** The other side will send nothing more. */
  end(socket: TcpSocket): void;
  /** It broke off; `close` follows. */
  error(socket: TcpSocket): void;
  /** It is gone, whoever ended it. Called once, and never from within a call. */
  close(socket: TcpSocket): void;
}

export interface TcpSocket {
  listener: SocketListener;
  /** Where its bytes are written to: what the reader's system has taken, the next read may overwrite. Undefined: the bytes are kept. */
  reader: TcpSocket | undefined;
  /** Nothing is read or written any more. */
  readonly closed: boolean;
  /** Bytes of writes that the system has not wholly taken. */
  readonly queued: number;
  /** Bytes written that the other side has not acknowledged, as far as the system tells; queued ones among them. */
  readonly outstanding: number;
  /** Breaks off where the other side has done so and nobody noticed, since nothing is read. */
  notice(): void;
  /** Of what is written to a customer. The socket ends it when it is gone: with what was queued, or, when it broke off, with what was outstanding. */
  delivery: Delivery | undefined;
  /** More is queued than should be: write on after `drain`. */
  readonly full: boolean;
  /** Address of this end and of the other, as the system writes them. */
  readonly localAddress: string;
  readonly remoteAddress: string;
  /** False: write no more until `drain`. On a socket that has ended it does nothing. */
  write(bytes: Buffer): boolean;
  /** Half-closes after what is queued, then calls back. Closes when both sides have. */
  end(then?: () => void): void;
  /** It begins paused. */
  pause(): void;
  resume(): void;
  /** Calls back when nothing was read or written for so long; 0: never. */
  idleAfter(milliseconds: number, then: () => void): void;
  /** As if something had been read. */
  touch(): void;
  destroy(): void;
  /** The remote side is notified that what was on its way is lost. */
  reset(): void;
}

/** More than this queued is too much. */
export const MAX_QUEUE = 65_536;

/** Nobody deals with it: it is taken away. */
export const NOBODY: SocketListener = {
  data: (_, socket) => socket.destroy(),
  drain: () => {},
  end: (socket) => socket.destroy(),
  error: () => {},
  close: () => {},
};
