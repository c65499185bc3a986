// Bytes that were written to a customer's connection and are not acknowledged yet. They are subtracted from the lease, so that no byte is spent
// twice, but not reported, so that bytes that never arrive can be given back. An acknowledged byte is reported and never given back: reports only grow.
import type { CountedUse, Lease } from './lease.ts';

/** Up to this many unacknowledged bytes per connection count as arrived: reports show what customers receive, not what their connections acknowledge. */
const UNDER_WAY_BYTES = 65_536;

/** The part of a connection that is needed here. */
interface Written {
  /** Bytes that the other side has not acknowledged. */
  readonly outstanding: number;
  /** Closes the connection when the other side has reset it. */
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
  /** In the order in which they were written. Rarely more than one: a lease is far larger than what is in flight. */
  readonly #pieces: Piece[] = [];
  #bytes = 0;
  #settled: (() => void) | undefined;

  constructor(socket: Written) {
    this.#socket = socket;
  }

  /** Adds bytes that were counted and are about to be written. The connection stays in `unsettled` as long as some of them are not acknowledged. */
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

  /** Counts acknowledged bytes as delivered. */
  settle(): void {
    if (this.#bytes === 0) return;
    const { outstanding } = this.#socket;
    if (outstanding <= UNDER_WAY_BYTES) this.#deliver(this.#bytes);
    else {
      this.#deliver(this.#bytes - outstanding);
      this.#socket.notice();
    }
  }

  /** Whether nothing is waiting for an acknowledgement. */
  get isSettled(): boolean {
    this.settle();
    return this.#bytes === 0;
  }

  /** Calls back when all bytes are delivered or lost, at once if they already are. */
  whenSettled(then: () => void): void {
    if (this.isSettled) then();
    else this.#settled = then;
  }

  /** The connection has closed, and its last `lost` bytes have not arrived. */
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
