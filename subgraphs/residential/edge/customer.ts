// A customer's connection: one set of listeners for its whole life, whoever takes it on in turn. Taking listeners off and putting others on at every step
// of a handshake would cost more than the step.
import type { Socket } from 'node:net';

/** Who deals with the connection now. */
export interface Turn {
  data(bytes: Buffer): void;
  /** What was written is on its way. */
  drain(): void;
  /** The customer will send nothing more. */
  end(): void;
  /** It broke off. */
  error(): void;
  close(): void;
}

export class Customer {
  readonly socket: Socket;
  readonly address: string;
  turn: Turn;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, address: string, turn: Turn) {
    this.socket = socket;
    this.address = address;
    this.turn = turn;
    socket.on('data', (bytes: Buffer) => this.turn.data(bytes));
    socket.on('drain', () => this.turn.drain());
    socket.on('end', () => this.turn.end());
    socket.on('error', () => this.turn.error());
    socket.on('close', () => {
      clearTimeout(this.#timer);
      this.turn.close();
    });
  }

  /** It is gone unless `inTime` is called before. */
  expectWithin(milliseconds: number): void {
    this.#timer = setTimeout(() => this.socket.destroy(), milliseconds);
  }

  inTime(): void {
    clearTimeout(this.#timer);
  }

  /** Writes a last answer and takes the socket away once the customer can have read it; what it still sends is thrown away. */
  dismiss(answer: string | Buffer, lingerMs: number): void {
    this.inTime();
    this.turn = new Leaving(this.socket);
    this.socket.end(answer);
    this.socket.resume();
    setTimeout(() => this.socket.destroy(), lingerMs).unref();
  }
}

/** Nobody deals with it any more. */
class Leaving implements Turn {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  data(): void {}

  drain(): void {}

  end(): void {}

  error(): void {
    this.#socket.destroy();
  }

  close(): void {}
}
