// A connection towards a target, read into a buffer of our own that grows with the traffic: half the CPU per downloaded byte of 'data' events.
import { type Socket, type TcpNetConnectOpts, connect } from 'node:net';

const SMALLEST = 2_048;
const LARGEST = 262_144;
/** All connections begin with this one, and copy what it gets: an idle tunnel owns no buffer. */
const SHARED = Buffer.alloc(SMALLEST);

/** Takes bytes; false: no more for now, until `resume`. The bytes stay valid only while the taker's socket holds them. */
export type Sink = (bytes: Buffer) => boolean;

export class Upstream {
  readonly socket: Socket;
  #sink: Sink | undefined;
  /** Where the sink writes to: a buffer that is still in its queue is not used again. */
  #reader: Socket | undefined;
  #early: Buffer[] = [];
  #buffer: Buffer = SHARED;
  #size = SMALLEST;

  constructor(options: TcpNetConnectOpts) {
    this.socket = connect({
      ...options,
      noDelay: true,
      allowHalfOpen: true,
      onread: { buffer: () => this.#nextBuffer(), callback: (length: number, bytes: Uint8Array) => this.#took(length, bytes as Buffer) },
    });
  }

  /** From now on bytes go to this sink, first those that came before anybody asked. */
  attach(sink: Sink, reader?: Socket): void {
    this.#sink = sink;
    this.#reader = reader;
    const early = this.#early;
    this.#early = [];
    if (early.length === 0 || sink(early.length === 1 ? (early[0] as Buffer) : Buffer.concat(early))) this.socket.resume();
  }

  /** Gives bytes back that belong to the next sink. The present one must answer false. */
  unread(bytes: Buffer): void {
    this.#sink = undefined;
    if (bytes.length > 0) this.#early.push(Buffer.from(bytes));
  }

  #nextBuffer(): Buffer {
    if (this.#size === SMALLEST) this.#buffer = SHARED;
    else if (this.#buffer.length !== this.#size) this.#buffer = Buffer.allocUnsafeSlow(this.#size);
    return this.#buffer;
  }

  #took(length: number, bytes: Buffer): boolean {
    const isShared = this.#buffer === SHARED;
    if (length === bytes.length && this.#size < LARGEST) this.#size = Math.min(LARGEST, this.#size * 4);
    else if (length < bytes.length >> 4 && this.#size > SMALLEST) this.#size = Math.max(SMALLEST, this.#size >> 2);
    const chunk = isShared ? Buffer.from(bytes.subarray(0, length)) : bytes.subarray(0, length);
    if (!this.#sink) {
      this.#early.push(isShared ? chunk : Buffer.from(chunk));
      return false;
    }
    const more = this.#sink(chunk);
    if (!isShared && (!more || (this.#reader?.writableLength ?? 1) > 0)) this.#buffer = EMPTY;
    return more;
  }
}

const EMPTY = Buffer.alloc(0);
