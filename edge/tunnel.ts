// An open tunnel: bytes both ways between a customer and a target, each counted before it is forwarded.
import type { Failure } from '#platform/errors.ts';
import type { KeyedOrigin } from './protocol/origin.ts';
import type { Opened } from './admission.ts';
import type { Customer } from './customer.ts';
import type { CountedPart, Lease } from './lease.ts';
import type { EdgeLimits } from './limits.ts';
import { MeteredPipe } from './metered-pipe.ts';
import type { Flow } from './plan-meter.ts';
import type { Turn, TcpSocket } from './tcp-socket.ts';

/** Deals with both sides. */
export class Tunnel implements Flow, Turn {
  readonly origin: KeyedOrigin;
  lease: Lease | undefined;
  part: CountedPart | undefined;
  readonly #client: TcpSocket;
  readonly #target: TcpSocket;
  readonly #opened: Opened;
  readonly #up: MeteredPipe;
  readonly #down: MeteredPipe;
  readonly #limits: EdgeLimits;
  #closed = false;

  constructor(customer: Customer, opened: Opened, limits: EdgeLimits) {
    const client = customer.socket;
    this.#client = client;
    customer.turn = this;
    this.#opened = opened;
    this.origin = opened.origin;
    this.#limits = limits;
    const { meter, upstream } = opened;
    const target = upstream.socket;
    this.#target = target;
    this.#up = new MeteredPipe(meter, this, target, true);
    this.#down = new MeteredPipe(meter, this, client, false);
  }

  /** `hello` tells the customer that the tunnel stands and is not counted; `first` is what it sent after its request, `ended`: and then nothing more. */
  start(hello: Buffer, first: Buffer, ended = false): void {
    const client = this.#client;
    const target = this.#target;
    const limits = this.#limits;
    const { meter, upstream } = this.#opened;
    meter.flows.add(this);

    client.idleAfter(limits.idleMs, this.#shut);
    target.turn = this;
    target.reader = client;
    client.reader = target;
    client.write(hello);
    if (first.length > 0) this.#up.write(first);
    if (ended) this.#up.end();
    if (upstream.early.length > 0) this.#down.write(upstream.early);
    this.#readClient();
    this.#readTarget();
    if (target.closed) this.close(target);
  }

  data(bytes: Buffer, socket: TcpSocket): void {
    const pipe = socket === this.#target ? this.#down : this.#up;
    if (!pipe.write(bytes)) socket.pause();
  }

  drain(socket: TcpSocket): void {
    if (socket === this.#target) this.#readClient();
    else this.#readTarget();
  }

  end(socket: TcpSocket): void {
    if (socket === this.#target) this.#down.end();
    else this.#up.end();
  }

  /** The target is told as the customer told us: what was still on its way is worth nothing to anybody, and no port waits for it. */
  error(socket: TcpSocket): void {
    if (socket === this.#target) return;
    this.#target.reset();
    this.#close();
  }

  /** What one side sent before it left still reaches the other. */
  close(socket: TcpSocket): void {
    if (this.#closed) return;
    if (socket === this.#target) this.#down.end(() => this.#client.end(this.#shut));
    else {
      this.#target.idleAfter(this.#limits.lingerMs, this.#shut);
      this.#up.end(() => this.#target.end(this.#shut));
    }
  }

  pause(): void {
    this.#client.pause();
    this.#target.pause();
  }

  resume(): void {
    if (!this.#up.flush() || !this.#down.flush()) return;
    this.#readClient();
    this.#readTarget();
  }

  /** What was counted reaches the customer unless it takes too long; after a reset of the password nothing more does. */
  cut(why: Failure): void {
    if (why.code === 'proxy_credentials_wrong') {
      this.#close();
      return;
    }
    this.#target.destroy();
    this.#leave();
    this.#client.end();
    setTimeout(() => this.#client.destroy(), this.#limits.lingerMs).unref();
  }

  #readClient(): void {
    if (this.#up.blocked || this.#opened.meter.starved) this.#client.pause();
    else this.#client.resume();
  }

  #readTarget(): void {
    if (this.#down.blocked || this.#opened.meter.starved) this.#target.pause();
    else this.#target.resume();
  }

  #leave(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#opened.meter.flows.delete(this);
    this.#opened.release();
  }

  readonly #shut = (): void => this.#close();

  #close(): void {
    this.#leave();
    this.#client.destroy();
    this.#target.destroy();
  }
}
