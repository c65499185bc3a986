// A connection over a socket of node:net or node:tls.
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Delivery } from './delivery.ts';
import { SEND_QUEUE } from './send-queue.ts';
import { NOBODY, type SocketListener, type TcpSocket } from './tcp-socket.ts';

/** The internal handle of a socket of node:net. */
interface Handle {
  readonly fd: number;
  /** Written bytes that the system has not accepted yet. */
  readonly writeQueueSize: number;
  close(done?: () => void): void;
}

/** Null after the socket is closed. */
const handleOf = (socket: Socket): Handle | null => (socket as unknown as { _handle: Handle | null })._handle;

export class StreamSocket implements TcpSocket {
  listener: SocketListener = NOBODY;
  reader: TcpSocket | undefined;
  delivery: Delivery | undefined;
  readonly #socket: Socket;
  /** The same socket, or with TLS the TCP socket below it. */
  readonly #carrier: Socket;
  #idle: (() => void) | undefined;
  /** This side is closing the connection; bytes in the system's buffers will still be sent. */
  #isLeaving = false;

  /** Nothing may have been read from the socket yet; it must allow half-open connections. */
  constructor(socket: Socket, carrier: Socket = socket) {
    this.#socket = socket;
    this.#carrier = carrier;
    socket.pause();
    socket.on('data', (bytes: Buffer) => this.listener.data(bytes, this));
    socket.on('drain', () => this.listener.drain(this));
    socket.on('end', () => this.listener.end(this));
    socket.on('error', () => this.listener.error(this));
    socket.on('timeout', () => this.#idle?.());
    socket.on('close', () => this.listener.close(this));
    this.#lookBeforeClose();
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

  get outstanding(): number {
    const handle = handleOf(this.#carrier);
    return this.#untaken + (handle ? SEND_QUEUE.bytesOf(handle.fd) : 0);
  }

  /** Bytes that the system has not accepted: those waiting behind a pending write, and the rest of that write. */
  get #untaken(): number {
    const { length, writelen } = (this.#socket as unknown as { _writableState: { length: number; writelen: number } })._writableState;
    return length - writelen + (handleOf(this.#carrier)?.writeQueueSize ?? 0);
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

  notice(): void {
    const handle = handleOf(this.#carrier);
    if (handle && SEND_QUEUE.isReset(handle.fd)) this.#socket.destroy(new Error('the other side broke off'));
  }

  idleAfter(milliseconds: number, then: () => void): void {
    this.#idle = then;
    this.#socket.setTimeout(milliseconds);
  }

  touch(): void {
    this.#socket.setTimeout(this.#socket.timeout ?? 0);
  }

  destroy(): void {
    this.#isLeaving = true;
    this.#socket.destroy();
  }

  reset(): void {
    // A TLS connection cannot be reset.
    if (this.#socket instanceof TLSSocket) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  /** Node emits the end after closing the descriptor, when the system can no longer say what has arrived. So it is asked before the handle closes. */
  #lookBeforeClose(): void {
    const handle = handleOf(this.#carrier);
    if (!handle) return;
    const close = handle.close.bind(handle);
    handle.close = (done) => {
      this.delivery?.end(this.#isLeaving ? this.#untaken : this.outstanding);
      close(done);
    };
  }
}
