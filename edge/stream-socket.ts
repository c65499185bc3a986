// A connection over a socket of node:net or node:tls.
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Delivery } from './delivery.ts';
import { SEND_QUEUE } from './send-queue.ts';
import { NOBODY, type SocketListener, type TcpSocket } from './tcp-socket.ts';

/** What a socket of node:net reads and writes by. */
interface Handle {
  readonly fd: number;
  /** Bytes written that the system has not taken. */
  readonly writeQueueSize: number;
  close(done?: () => void): void;
}

/** Null once it is closed. */
const handleOf = (socket: Socket): Handle | null => (socket as unknown as { _handle: Handle | null })._handle;

export class StreamSocket implements TcpSocket {
  listener: SocketListener = NOBODY;
  reader: TcpSocket | undefined;
  delivery: Delivery | undefined;
  readonly #socket: Socket;
  /** Itself, or the one below where it speaks TLS. */
  readonly #carrier: Socket;
  #idle: (() => void) | undefined;
  /** It ends without the other side's doing, and what the system has is on its way. */
  #isLeaving = false;

  /** A socket that nobody has read from yet; half-open allowed. */
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

  /** Bytes that the system has not taken: those that wait for a write to end, and what is left of that. */
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
    // TLS has no reset of its own.
    if (this.#socket instanceof TLSSocket) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  /** A socket tells of its end when its descriptor is closed, and then nobody can be asked any more what of it has arrived. */
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
