// A connection over a socket of node:net or node:tls.
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { NOBODY, type SocketListener, type TcpSocket } from './tcp-socket.ts';

export class StreamSocket implements TcpSocket {
  listener: SocketListener = NOBODY;
  reader: TcpSocket | undefined;
  readonly #socket: Socket;
  #idle: (() => void) | undefined;

  /** A socket that nobody has read from yet; half-open allowed. */
  constructor(socket: Socket) {
    this.#socket = socket;
    socket.pause();
    socket.on('data', (bytes: Buffer) => this.listener.data(bytes, this));
    socket.on('drain', () => this.listener.drain(this));
    socket.on('end', () => this.listener.end(this));
    socket.on('error', () => this.listener.error(this));
    socket.on('timeout', () => this.#idle?.());
    socket.on('close', () => this.listener.close(this));
  }

  get closed(): boolean {
    return this.#socket.destroyed;
  }

  get queued(): number {
    return this.#socket.writableLength;
  }

  get full(): boolean {
    return this.#socket.writableNeedDrain;
  }

  get localAddress(): string {
    return this.#socket.localAddress ?? '';
  }

  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? '';
  }

  write(bytes: Buffer): boolean {
    return !this.#socket.writable || this.#socket.write(bytes);
  }

  end(then?: () => void): void {
    this.#socket.end(then);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  idleAfter(milliseconds: number, then: () => void): void {
    this.#idle = then;
    this.#socket.setTimeout(milliseconds);
  }

  touch(): void {
    this.#socket.setTimeout(this.#socket.timeout ?? 0);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  reset(): void {
    // TLS has no reset of its own.
    if (this.#socket instanceof TLSSocket) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }
}
