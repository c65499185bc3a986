// A customer's connection, whoever deals with it in turn.
import type { Turn, Wire } from './wire.ts';

export class Customer implements Turn {
  readonly wire: Wire;
  readonly address: string;
  turn: Turn;
  readonly #left: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `left` is called once it is gone. */
  constructor(wire: Wire, address: string, turn: Turn, left: () => void) {
    this.wire = wire;
    this.address = address;
    this.turn = turn;
    this.#left = left;
    wire.turn = this;
    wire.resume();
  }

  data(bytes: Buffer, wire: Wire): void {
    this.turn.data(bytes, wire);
  }

  drain(wire: Wire): void {
    this.turn.drain(wire);
  }

  end(wire: Wire): void {
    this.turn.end(wire);
  }

  error(wire: Wire): void {
    this.turn.error(wire);
  }

  close(wire: Wire): void {
    clearTimeout(this.#timer);
    this.turn.close(wire);
    this.#left();
  }

  /** It is gone unless `inTime` is called before. */
  expectWithin(milliseconds: number): void {
    this.#timer = setTimeout(() => this.wire.destroy(), milliseconds);
  }

  inTime(): void {
    clearTimeout(this.#timer);
  }

  /** Writes a last answer and takes the connection away once the customer can have read it; what it still sends is thrown away. */
  dismiss(answer: Buffer, lingerMs: number): void {
    this.inTime();
    this.turn = LEAVING;
    this.wire.write(answer);
    this.wire.end();
    this.wire.resume();
    setTimeout(() => this.wire.destroy(), lingerMs).unref();
  }
}

/** Nobody deals with it any more. */
const LEAVING: Turn = {
  data: () => {},
  drain: () => {},
  end: () => {},
  error: () => {},
  close: () => {},
};
