// Where a socket reads into: a buffer of its own that grows with the traffic, half the CPU per byte of one that is new for every read.

const MIN_BYTES = 2_048;
/** However many there are. */
const MODEST = 65_536;
/** As long as there is memory for it. */
const LARGE = 262_144;
const MAX_BYTES = 1_048_576;
/** As much of large buffers as a processor keeps near: beyond it larger ones cost more than they save. */
const CACHE_BYTES = 16 * 1_048_576;
/** What large ones may take of the machine's memory. */
const MAX_LARGE_BYTES = 256 * 1_048_576;
/** All sockets begin with this one, and copy what it gets: an idle tunnel owns no buffer. */
const SHARED = Buffer.alloc(MIN_BYTES);

/** How many are larger than modest, and what each of them may have. */
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

  /** What a read has left here. */
  take(length: number): Buffer {
    const { current } = this;
    if (length === current.length) this.#size = current.length * 4;
    else if (length < current.length >> 4) this.#size = Math.max(MIN_BYTES, current.length >> 2);
    const bytes = current.subarray(0, length);
    return current === SHARED ? Buffer.from(bytes) : bytes;
  }

  /** For the next read. `free`: nobody holds what the last one left. */
  next(free: boolean): Buffer {
    this.#size = Math.min(this.#size, max);
    if (this.#isLarge !== this.#size > MODEST) this.#countAs(!this.#isLarge);
    if (this.#size === MIN_BYTES) this.current = SHARED;
    else if (!free || this.current.length !== this.#size) this.current = Buffer.allocUnsafeSlow(this.#size);
    return this.current;
  }

  /** Nothing will be read any more. */
  release(): void {
    if (this.#isLarge) this.#countAs(false);
  }

  #countAs(isLarge: boolean): void {
    this.#isLarge = isLarge;
    count(isLarge ? 1 : -1);
  }
}
