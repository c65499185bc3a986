// Where a wire reads into: a buffer of its own that grows with the traffic, half the CPU per byte of one that is new for every read.

const SMALLEST = 2_048;
const LARGEST = 262_144;
/** All wires begin with this one, and copy what it gets: an idle tunnel owns no buffer. */
const SHARED = Buffer.alloc(SMALLEST);

export class ReadBuffer {
  current: Buffer = SHARED;
  #size = SMALLEST;

  /** What a read has left here. */
  take(length: number): Buffer {
    const { current } = this;
    if (length === current.length) this.#size = Math.min(LARGEST, this.#size * 4);
    else if (length < current.length >> 4) this.#size = Math.max(SMALLEST, this.#size >> 2);
    const bytes = current.subarray(0, length);
    return current === SHARED ? Buffer.from(bytes) : bytes;
  }

  /** For the next read. `free`: nobody holds what the last one left. */
  next(free: boolean): Buffer {
    if (this.#size === SMALLEST) this.current = SHARED;
    else if (!free || this.current.length !== this.#size) this.current = Buffer.allocUnsafeSlow(this.#size);
    return this.current;
  }
}
