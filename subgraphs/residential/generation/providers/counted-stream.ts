// What goes through an open tunnel, counted in both directions as a proxy node counts it: the payload, without the handshake with the proxy.
import { Duplex } from 'node:stream';

export class CountedStream extends Duplex {
  readonly #inner: Duplex;
  up = 0;
  down = 0;

  /** `early`: what the proxy sent behind its answer. */
  constructor(inner: Duplex, early: Buffer) {
    super({ allowHalfOpen: true });
    this.#inner = inner;
    inner.on('data', (bytes: Buffer) => {
      this.down += bytes.length;
      if (!this.push(bytes)) inner.pause();
    });
    inner.once('end', () => this.push(null));
    inner.once('error', (error) => this.destroy(error));
    inner.once('close', () => this.destroy());
    if (early.length > 0) inner.unshift(early);
  }

  override _read(): void {
    this.#inner.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.up += bytes.length;
    this.#inner.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#inner.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner.destroy();
    done(error);
  }
}
