// Where a socket reads into: a buffer of its own that grows with the traffic, half the CPU per byte of one that is new for every read.

const SMALLEST = 2_048;
/** However many there are. */
const MODEST = 65_536;
/** As long as there is memory for it. */
const LARGE = 262_144;
const LARGEST = 1_048_576;
/** As much of large buffers as a processor keeps near: beyond it larger ones cost more than they save. */
const NEAR = 16 * 1_048_576;
/** What large ones may take of the machine's memory. */
const TOGETHER = 256 * 1_048_576;
/** All sockets begin with this one, and copy what it gets: an idle tunnel owns no buffer. */
const SHARED = Buffer.alloc(SMALLEST);

/** How many are larger than modest, and what each of them may have. */
let large = 0;
let most = LARGEST;

function count(change: 1 | -1): void {
  large += change;
  const share = Math.min(Math.max(LARGE, NEAR / large), TOGETHER / large, LARGEST);
  most = Math.max(MODEST, 2 ** Math.floor(Math.log2(share)));
}

export class ReadBuffer {
  current: Buffer = SHARED;
  #size = SMALLEST;
  #isLarge = false;

  /** What a read has left here. */
  take(length: number): Buffer {
    const { current } = this;
    if (length === current.length) this.#size = current.length * 4;
    else if (length < current.length >> 4) this.#size = Math.max(SMALLEST, current.length >> 2);
    const bytes = current.subarray(0, length);
    return current === SHARED ? Buffer.from(bytes) : bytes;
  }

  /** For the next read. `free`: nobody holds what the last one left. */
  next(free: boolean): Buffer {
    this.#size = Math.min(this.#size, most);
    if (this.#isLarge !== this.#size > MODEST) this.#countAs(!this.#isLarge);
    if (this.#size === SMALLEST) this.current = SHARED;
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
