// An open tunnel: bytes both ways between a customer and a target, each counted before it is forwarded.
import type { Socket } from 'node:net';
import type { Failure } from '#shared/errors.ts';
import type { Origin } from '../domain/lease.ts';
import type { Opened } from './admission.ts';
import type { Customer, Turn } from './customer.ts';
import type { CountedPart, Lease } from './lease.ts';
import type { EdgeLimits } from './limits.ts';
import { MeteredPipe } from './metered-pipe.ts';
import type { Flow } from './plan-meter.ts';

export class Tunnel implements Flow, Turn {
  readonly origin: Origin;
  lease: Lease | undefined;
  part: CountedPart | undefined;
  readonly #client: Socket;
  readonly #target: Socket;
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

  /** `hello` tells the customer that the tunnel stands and is not counted; `first` is what it sent behind its request, `ended`: and then nothing more. */
  start(hello: string | Buffer, first: Buffer, ended = false): void {
    const client = this.#client;
    const target = this.#target;
    const limits = this.#limits;
    const { meter, upstream } = this.#opened;
    meter.flows.add(this);

    client.setTimeout(limits.idleMs, this.#shut);
    // 'close' follows.
    target.on('error', () => {});
    target.on('close', () => {
      if (!this.#closed) this.#down.end(() => client.end(this.#shut));
    });
    target.on('drain', () => this.#readClient());
    target.on('end', () => this.#down.end());

    client.write(hello);
    const more = first.length === 0 || this.#up.write(first);
    if (ended) this.#up.end();
    else if (more) client.resume();
    else client.pause();
    upstream.attach((bytes) => this.#down.write(bytes), client);
  }

  data(bytes: Buffer): void {
    if (!this.#up.write(bytes)) this.#client.pause();
  }

  drain(): void {
    this.#readTarget();
  }

  end(): void {
    this.#up.end();
  }

  /** The target is told as the customer told us: what was still on its way is worth nothing to anybody, and no port waits for it. */
  error(): void {
    this.#target.resetAndDestroy();
    this.#close();
  }

  close(): void {
    if (this.#closed) return;
    // What the customer sent before it left still reaches the target.
    this.#target.setTimeout(this.#limits.lingerMs, this.#shut);
    this.#up.end(() => this.#target.end(this.#shut));
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
    if (!this.#up.blocked && !this.#opened.meter.starved) this.#client.resume();
  }

  #readTarget(): void {
    if (!this.#down.blocked && !this.#opened.meter.starved) this.#target.resume();
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
