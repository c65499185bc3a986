// What a customer's connection was given and has not acknowledged: counted, so that no byte is spent twice, and not reported yet, so that what never
// arrives can be given back. Reports only grow by it: a byte is reported once it is acknowledged, and acknowledged bytes come back no more.
import type { CountedUse, Lease } from './lease.ts';

/** So much may be under way on any line, and counts as arrived: whoever looks at a plan sees what its customer got, not what its line confirmed. */
const UNDER_WAY_BYTES = 65_536;

/** The connection, as far as it tells. */
interface Written {
  /** Bytes that the other side has not acknowledged. */
  readonly outstanding: number;
  /** Breaks off where the other side has done so. */
  notice(): void;
}

interface Piece {
  lease: Lease;
  use: CountedUse;
  bytes: number;
  unsettled: Set<Delivery>;
}

export class Delivery {
  readonly #socket: Written;
  /** In the order in which they were written; seldom more than one, since a lease is far larger than what is under way. */
  readonly #pieces: Piece[] = [];
  #bytes = 0;
  #settled: (() => void) | undefined;

  constructor(socket: Written) {
    this.#socket = socket;
  }

  /** These bytes were counted and are about to be written. `unsettled` knows of the connection as long as something of them is open. */
  add(lease: Lease, use: CountedUse, bytes: number, unsettled: Set<Delivery>): void {
    const last = this.#pieces.at(-1);
    if (last?.use === use) last.bytes += bytes;
    else {
      this.#pieces.push({ lease, use, bytes, unsettled });
      unsettled.add(this);
    }
    use.pending += bytes;
    lease.pending += bytes;
    this.#bytes += bytes;
  }

  /** What was acknowledged by now counts as delivered. */
  settle(): void {
    if (this.#bytes === 0) return;
    const { outstanding } = this.#socket;
    if (outstanding <= UNDER_WAY_BYTES) this.#deliver(this.#bytes);
    else {
      this.#deliver(this.#bytes - outstanding);
      this.#socket.notice();
    }
  }

  /** Nothing of it is open. */
  get isSettled(): boolean {
    this.settle();
    return this.#bytes === 0;
  }

  /** Calls back once all of it is delivered or lost: at once, where it is. */
  whenSettled(then: () => void): void {
    if (this.isSettled) then();
    else this.#settled = then;
  }

  /** The connection is gone, and so many of its last bytes with it. */
  end(lost: number): void {
    this.#deliver(this.#bytes - lost);
    for (let piece = this.#pieces.at(-1); piece; piece = this.#pieces.at(-1)) {
      piece.use.down -= piece.bytes;
      piece.lease.release(piece.bytes);
      this.#take(piece, piece.bytes);
    }
  }

  #deliver(bytes: number): void {
    for (let left = bytes, piece = this.#pieces[0]; piece && left > 0; piece = this.#pieces[0]) {
      const count = Math.min(left, piece.bytes);
      left -= count;
      this.#take(piece, count);
    }
  }

  #take(piece: Piece, count: number): void {
    piece.bytes -= count;
    piece.use.pending -= count;
    piece.lease.pending -= count;
    this.#bytes -= count;
    if (piece.bytes > 0) return;
    this.#pieces.splice(this.#pieces.indexOf(piece), 1);
    const { unsettled } = piece;
    if (!this.#pieces.some((other) => other.unsettled === unsettled)) unsettled.delete(this);
    if (this.#bytes > 0) return;
    const then = this.#settled;
    this.#settled = undefined;
    then?.();
  }
}
