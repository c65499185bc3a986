// A customer's connection, whoever deals with it in turn.
import type { SocketListener, TcpSocket } from './tcp-socket.ts';

export class Customer implements SocketListener {
  readonly socket: TcpSocket;
  readonly address: string;
  listener: SocketListener;
  readonly #left: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `left` is called once it is gone. */
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

  /** It is gone unless `inTime` is called before. */
  expectWithin(milliseconds: number): void {
    this.#timer = setTimeout(() => this.socket.destroy(), milliseconds);
  }

  inTime(): void {
    clearTimeout(this.#timer);
  }

  /** Writes a last answer and takes the connection away once the customer can have read it; what it still sends is thrown away. */
  dismiss(answer: Buffer, lingerMs: number): void {
    this.inTime();
    this.listener = LEAVING;
    this.socket.write(answer);
    this.socket.end();
    this.socket.resume();
    setTimeout(() => this.socket.destroy(), lingerMs).unref();
  }
}

/** Nobody deals with it any more. */
const LEAVING: SocketListener = {
  data: () => {},
  drain: () => {},
  end: () => {},
  error: () => {},
  close: () => {},
};
