// One direction of a connection: writes what the meter allows and holds the rest until the next grant.
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

  /** Counts and writes. False: stop reading until the meter resumes the flow or `to` drains. */
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

  /** Writes the held bytes. False: the meter's leases were used up again. */
  flush(): boolean {
    const held = this.#held;
    if (!held) return true;
    this.#held = undefined;
    this.write(held);
    if (this.#held) return false;
    if (this.#ending) this.#finish();
    return true;
  }

  /** Calls back when the held bytes are written; default: half-closes `to`. */
  end(ended: () => void = () => this.to.end()): void {
    this.#ending = true;
    this.#ended = ended;
    if (!this.#held) this.#finish();
  }

  /** Bytes that the meter has not allowed yet. */
  get held(): number {
    return this.#held?.length ?? 0;
  }

  get blocked(): boolean {
    return this.#held !== undefined || this.to.full;
  }

  #finish(): void {
    this.#ending = false;
    this.#ended?.();
  }
}
