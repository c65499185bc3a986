// The common part of a tunnel and an HTTP exchange: a metered pipe in each direction, with backpressure.
import type { Failure } from '#platform/errors.ts';
import type { KeyedOrigin } from './protocol/origin.ts';
import type { Opened } from './admission.ts';
import { Delivery } from './delivery.ts';
import type { CountedUse, Lease } from './lease.ts';
import { MeteredPipe } from './metered-pipe.ts';
import type { FirstByte } from './place-quality.ts';
import type { Flow } from './plan-meter.ts';
import type { RequestRecord } from './request-record.ts';
import type { TcpSocket } from './tcp-socket.ts';

export abstract class MeteredFlow implements Flow {
  readonly origin: KeyedOrigin;
  lease: Lease | undefined;
  part: CountedUse | undefined;
  readonly delivery: Delivery;
  protected readonly client: TcpSocket;
  protected readonly target: TcpSocket;
  protected readonly up: MeteredPipe;
  protected readonly down: MeteredPipe;
  readonly #opened: Opened;
  #firstByte: FirstByte | undefined;
  #left = false;

  constructor(client: TcpSocket, opened: Opened) {
    const { meter, upstream, origin } = opened;
    this.origin = origin;
    this.client = client;
    this.delivery = client.delivery ??= new Delivery(client);
    this.target = upstream.socket;
    this.#opened = opened;
    // A target that has spoken first answers nothing.
    this.#firstByte = upstream.early.length > 0 ? undefined : opened.firstByte;
    this.up = new MeteredPipe(meter, this, this.target, true);
    this.down = new MeteredPipe(meter, this, client, false);
  }

  abstract cut(why: Failure): void;

  /** It has ended and counts no more bytes. */
  protected get left(): boolean {
    return this.#left;
  }

  /** Of the log of requests, where the plan keeps one. */
  protected get record(): RequestRecord | undefined {
    return this.#opened.record;
  }

  get network(): string | undefined {
    return this.#opened.network;
  }

  /** Bytes that the target has already sent. */
  protected get early(): Buffer {
    return this.#opened.upstream.early;
  }

  /** Bytes go to the target, or come from it. */
  protected passes(upward: boolean): void {
    if (this.#firstByte?.passed(upward)) this.#firstByte = undefined;
  }

  protected begin(): void {
    this.#opened.meter.flows.add(this);
  }

  pause(): void {
    this.client.pause();
    this.target.pause();
  }

  resume(): void {
    if (!this.up.flush() || !this.down.flush()) return;
    this.readClient();
    this.readTarget();
  }

  protected readClient(): void {
    if (this.#left) return;
    if (this.up.blocked || this.#opened.meter.starved) this.client.pause();
    else this.client.resume();
  }

  protected readTarget(): void {
    if (this.#left) return;
    if (this.down.blocked || this.#opened.meter.starved) this.target.pause();
    else this.target.resume();
  }

  /** Removes itself from the meter and releases the exit, once. */
  protected leave(): void {
    if (this.#left) return;
    this.stop();
    this.#opened.release();
  }

  /** Counts no more bytes; the connection to the target stays as it is. */
  protected stop(): void {
    this.#left = true;
    this.#opened.meter.flows.delete(this);
  }
}
