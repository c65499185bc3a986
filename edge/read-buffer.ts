// The buffer that a socket reads into. It belongs to the socket and grows with the traffic: half the CPU per byte compared to a new buffer per read.

const MIN_BYTES = 2_048;
/** Every socket may have a buffer of this size. */
const MODEST = 65_536;
/** Sockets with larger buffers get at least this much while the memory limit allows it. */
const LARGE = 262_144;
const MAX_BYTES = 1_048_576;
/** Total of large buffers that fits in the processor's cache: beyond it, larger buffers cost more than they save. */
const CACHE_BYTES = 16 * 1_048_576;
/** The memory limit for all large buffers. */
const MAX_LARGE_BYTES = 256 * 1_048_576;
/** All sockets start with this buffer and copy what they read: an idle tunnel owns no buffer. */
const SHARED = Buffer.alloc(MIN_BYTES);

/** How many buffers are larger than MODEST, and their present maximum size. */
let large = 0;
let max = MAX_BYTES;

function count(change: 1 | -1): void {
  large += change;
  const share = Math.min(Math.max(LARGE, CACHE_BYTES / large), MAX_LARGE_BYTES / large, MAX_BYTES);
  max = Math.max(MODEST, 2 ** Math.floor(Math.log2(share)));
}

export class ReadBuffer {
  current: Buffer = SHARED;
  #size = MIN_BYTES;
  #isLarge = false;

  /** The bytes of the last read. */
  take(length: number): Buffer {
    const { current } = this;
    if (length === current.length) this.#size = current.length * 4;
    else if (length < current.length >> 4) this.#size = Math.max(MIN_BYTES, current.length >> 2);
    const bytes = current.subarray(0, length);
    return current === SHARED ? Buffer.from(bytes) : bytes;
  }

  /** The buffer for the next read. `free`: the bytes of the last read are no longer in use. */
  next(free: boolean): Buffer {
    this.#size = Math.min(this.#size, max);
    if (this.#isLarge !== this.#size > MODEST) this.#countAs(!this.#isLarge);
    if (this.#size === MIN_BYTES) this.current = SHARED;
    else if (!free || this.current.length !== this.#size) this.current = Buffer.allocUnsafeSlow(this.#size);
    return this.current;
  }

  /** The socket will read no more. */
  release(): void {
    if (this.#isLarge) this.#countAs(false);
  }

  #countAs(isLarge: boolean): void {
    this.#isLarge = isLarge;
    count(isLarge ? 1 : -1);
  }
}
