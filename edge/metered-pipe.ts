// One direction of a connection through the node: what the meter lets pass is written, the rest is held until the next grant.
import type { Flow, Meter } from './plan-meter.ts';
import type { TcpSocket } from './tcp-socket.ts';

export class MeteredPipe {
  readonly to: TcpSocket;
  readonly #meter: Meter;
  readonly #flow: Flow;
  readonly #upward: boolean;
  #held: Buffer | undefined;
  #ending = false;
  #ended: (() => void) | undefined;

  constructor(meter: Meter, flow: Flow, to: TcpSocket, upward: boolean) {
    this.#meter = meter;
    this.#flow = flow;
    this.to = to;
    this.#upward = upward;
  }

  /** Counts and writes. False: read no more until the meter resumes the flow, or `to` drains. */
  write(bytes: Buffer): boolean {
    if (this.#held) {
      this.#held = Buffer.concat([this.#held, bytes]);
      return false;
    }
    const passed = this.#meter.take(this.#flow, bytes.length, this.#upward);
    if (passed === bytes.length) return this.to.write(bytes);
    if (passed > 0) this.to.write(bytes.subarray(0, passed));
    this.#held = bytes.subarray(passed);
    return false;
  }

  /** Writes what was held. False: the meter ran dry again. */
  flush(): boolean {
    const held = this.#held;
    if (!held) return true;
    this.#held = undefined;
    this.write(held);
    if (this.#held) return false;
    if (this.#ending) this.#finish();
    return true;
  }

  /** After what is held, calls back; default: half-closes `to`. */
  end(ended: () => void = () => this.to.end()): void {
    this.#ending = true;
    this.#ended = ended;
    if (!this.#held) this.#finish();
  }

  get blocked(): boolean {
    return this.#held !== undefined || this.to.full;
  }

  #finish(): void {
    this.#ending = false;
    this.#ended?.();
  }
}
