// A connection over a bare TCP handle of Node. Bytes are passed on in the same turn of the event loop in which they are read; writes go out at once or
// are queued by the handle.
import { getSystemErrorMap } from 'node:util';
import type { Delivery } from './delivery.ts';
import { ReadBuffer } from './read-buffer.ts';
import { SEND_QUEUE } from './send-queue.ts';
import type { HandleRequest, TcpHandle, TcpHandles } from './tcp-handles.ts';
import { MAX_QUEUE, NOBODY, type SocketListener, type TcpSocket } from './tcp-socket.ts';

/** The error number of a read after the other side has ended. */
const END_OF_FILE = [...getSystemErrorMap()].find(([, [name]]) => name === 'EOF')?.[0];

/** Filled in by getsockname and getpeername. */
const NAME = { address: '', family: '', port: 0 };

export class HandleSocket implements TcpSocket {
  listener: SocketListener = NOBODY;
  reader: TcpSocket | undefined;
  delivery: Delivery | undefined;
  closed = false;
  queued = 0;
  full = false;
  readonly #handle: TcpHandle;
  readonly #handles: TcpHandles;
  readonly #buffer = new ReadBuffer();
  #prepared = false;
  #paused = true;
  /** The handle is reading. */
  #reading = false;
  /** The other side has ended. */
  #read = false;
  /** Whether this side has ended; 'ending' while queued bytes are still being written. */
  #written: 'no' | 'ending' | 'yes' = 'no';
  #afterEnd: (() => void)[] | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** `handle` must be connected. */
  constructor(handle: TcpHandle, handles: TcpHandles) {
    this.#handle = handle;
    this.#handles = handles;
    handle.owner = this;
    handle.onread = HandleSocket.#onRead;
    handle.setNoDelay(true);
  }

  get outstanding(): number {
    return this.#handle.writeQueueSize + SEND_QUEUE.bytesOf(this.#handle.fd);
  }

  get localAddress(): string {
    return this.#handle.getsockname(NAME) === 0 ? NAME.address : '';
  }

  get remoteAddress(): string {
    return this.#handle.getpeername(NAME) === 0 ? NAME.address : '';
  }

  write(bytes: Buffer): boolean {
    if (this.closed || this.#written !== 'no') return true;
    const request = spare ?? new this.#handles.WriteWrap();
    const error = this.#handle.writeBuffer(request, bytes);
    this.#idle?.refresh();
    // A request is needed only for a write that was queued.
    const isQueued = error === 0 && this.#handles.state[this.#handles.kLastWriteWasAsync] !== 0;
    spare = isQueued ? undefined : request;
    if (error !== 0) this.#failLater();
    if (!isQueued) return true;
    request.owner = this;
    request.buffer = bytes;
    request.oncomplete = HandleSocket.#onWritten;
    this.queued += bytes.length;
    this.full ||= this.queued >= MAX_QUEUE;
    return !this.full;
  }

  end(then?: () => void): void {
    if (this.closed || this.#written === 'yes') {
      if (then) process.nextTick(then);
      return;
    }
    if (then) (this.#afterEnd ??= []).push(then);
    if (this.#written === 'ending') return;
    this.#written = 'ending';
    const request = new this.#handles.ShutdownWrap();
    request.owner = this;
    request.oncomplete = HandleSocket.#onEnded;
    const error = this.#handle.shutdown(request);
    if (error !== 0) process.nextTick(() => this.#ended());
  }

  pause(): void {
    this.#paused = true;
    if (!this.#reading) return;
    this.#reading = false;
    this.#handle.readStop();
  }

  resume(): void {
    this.#paused = false;
    if (this.#reading || this.#read || this.closed) return;
    this.#reading = true;
    if (!this.#prepared) this.#handle.useUserBuffer(this.#buffer.current);
    this.#prepared = true;
    if (this.#handle.readStart() !== 0) this.#failLater();
  }

  notice(): void {
    if (!this.#reading && !this.closed && SEND_QUEUE.isReset(this.#handle.fd)) this.#failLater();
  }

  idleAfter(milliseconds: number, then: () => void): void {
    clearTimeout(this.#idle);
    this.#idle = milliseconds > 0 && !this.closed ? setTimeout(then, milliseconds).unref() : undefined;
  }

  touch(): void {
    this.#idle?.refresh();
  }

  destroy(): void {
    if (this.closed) return;
    this.#leave(this.#handle.writeQueueSize);
    this.#handle.close(HandleSocket.#onClose);
  }

  reset(): void {
    if (this.closed) return;
    this.#leave(this.outstanding);
    // A half-closed connection cannot be reset any more.
    if (this.#handle.reset(HandleSocket.#onClose) !== 0) this.#handle.close(HandleSocket.#onClose);
  }

  /** Marks it closed; `lost` bytes have not arrived. */
  #leave(lost: number): void {
    this.closed = true;
    this.delivery?.end(lost);
    this.#reading = false;
    this.#buffer.release();
    clearTimeout(this.#idle);
  }

  #fail(): void {
    if (this.closed) return;
    this.delivery?.end(this.outstanding);
    this.listener.error(this);
    this.destroy();
  }

  /** In the next tick: events must not fire from within a method call. */
  #failLater(): void {
    process.nextTick(() => this.#fail());
  }

  #received(length: number): Buffer | undefined {
    if (length > 0) {
      const before = this.#buffer.current;
      this.#idle?.refresh();
      this.listener.data(this.#buffer.take(length), this);
      if (this.closed) return undefined;
      const next = this.#buffer.next(!this.#paused && this.reader?.queued === 0);
      return next === before ? undefined : next;
    }
    if (length === 0 || this.closed) return undefined;
    if (length === END_OF_FILE) {
      this.#read = true;
      this.#reading = false;
      this.listener.end(this);
      this.#closeWhenOver();
    } else this.#fail();
    return undefined;
  }

  #wrote(length: number, status: number): void {
    this.queued -= length;
    if (this.closed) return;
    if (status < 0) this.#fail();
    else if (this.full && this.queued === 0) {
      this.full = false;
      this.listener.drain(this);
    }
  }

  #ended(): void {
    this.#written = 'yes';
    for (const then of this.#afterEnd?.splice(0) ?? []) then();
    this.#closeWhenOver();
  }

  #closeWhenOver(): void {
    if (this.#read && this.#written === 'yes') this.destroy();
  }

  static #onRead(this: TcpHandle): Buffer | undefined {
    const socket = this.owner as HandleSocket;
    return socket.#received(socket.#handles.state[socket.#handles.kReadBytesOrError] as number);
  }

  static #onWritten(this: HandleRequest, status: number): void {
    (this.owner as HandleSocket).#wrote(this.buffer?.length ?? 0, status);
  }

  static #onEnded(this: HandleRequest): void {
    (this.owner as HandleSocket).#ended();
  }

  static #onClose(this: TcpHandle): void {
    const socket = this.owner as HandleSocket;
    socket.listener.close(socket);
  }
}

/** The request of a write that finished at once is used again for the next one. */
let spare: HandleRequest | undefined;
