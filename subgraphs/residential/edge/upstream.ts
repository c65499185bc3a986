// A connection towards a target, read into a buffer of our own that grows with the traffic: half the CPU per downloaded byte of 'data' events.
import { type Socket, type TcpNetConnectOpts, connect } from 'node:net';

const SMALLEST = 2_048;
const LARGEST = 262_144;
/** Up to this size buffers come from Node's pool. */
const POOLED = 4_096;

/** Takes bytes; false: no more for now, until `resume`. The bytes stay valid only while the taker's socket holds them. */
export type Sink = (bytes: Buffer) => boolean;

export class Upstream {
  readonly socket: Socket;
  #sink: Sink | undefined;
  /** Where the sink writes to: a buffer that is still in its queue is not used again. */
  #reader: Socket | undefined;
  #early: Buffer[] = [];
  #buffer = Buffer.allocUnsafe(SMALLEST);
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
    if (this.#buffer.length !== this.#size)
      this.#buffer = this.#size <= POOLED ? Buffer.allocUnsafe(this.#size) : Buffer.allocUnsafeSlow(this.#size);
    return this.#buffer;
  }

  #took(length: number, bytes: Buffer): boolean {
    if (length === bytes.length && this.#size < LARGEST) this.#size = Math.min(LARGEST, this.#size * 4);
    else if (length < bytes.length >> 4 && this.#size > SMALLEST) this.#size = Math.max(SMALLEST, this.#size >> 2);
    const chunk = bytes.subarray(0, length);
    if (!this.#sink) {
      this.#early.push(Buffer.from(chunk));
      return false;
    }
    const more = this.#sink(chunk);
    if (!more || (this.#reader?.writableLength ?? 1) > 0) this.#buffer = EMPTY;
    return more;
  }
}

const EMPTY = Buffer.alloc(0);
