// A customer's connection. It passes all events to its current `listener`, which changes as the connection goes on.
import type { SocketListener, TcpSocket } from './tcp-socket.ts';

export class Customer implements SocketListener {
  readonly socket: TcpSocket;
  readonly address: string;
  listener: SocketListener;
  readonly #left: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `left` is called when the connection has closed. */
  constructor(socket: TcpSocket, address: string, listener: SocketListener, left: () => void) {
    this.socket = socket;
    this.address = address;
    this.listener = listener;
    this.#left = left;
    socket.listener = this;
    socket.resume();
  }

  data(bytes: Buffer, socket: TcpSocket): void {
    this.listener.data(bytes, socket);
  }

  drain(socket: TcpSocket): void {
    this.listener.drain(socket);
  }

  end(socket: TcpSocket): void {
    this.listener.end(socket);
  }

  error(socket: TcpSocket): void {
    this.listener.error(socket);
  }

  close(socket: TcpSocket): void {
    clearTimeout(this.#timer);
    this.listener.close(socket);
    this.#left();
  }

  /** Destroys the connection unless `inTime` is called before. */
  expectWithin(milliseconds: number): void {
    this.#timer = setTimeout(() => this.socket.destroy(), milliseconds);
  }

  inTime(): void {
    clearTimeout(this.#timer);
  }

  /** Writes a last answer and destroys the connection after `lingerMs`, so that the customer can read it. Further input is discarded. */
  dismiss(answer: Buffer, lingerMs: number): void {
    this.inTime();
    this.listener = LEAVING;
    this.socket.write(answer);
    this.socket.end();
    this.socket.resume();
    setTimeout(() => this.socket.destroy(), lingerMs).unref();
  }
}

/** Ignores all events of a dismissed connection. */
const LEAVING: SocketListener = {
  data: () => {},
  drain: () => {},
  end: () => {},
  error: () => {},
  close: () => {},
};
