// An open tunnel: bytes in both directions between a customer and a target, each counted before it is forwarded.
import type { Failure } from '#platform/errors.ts';
import type { Opened } from './admission.ts';
import type { Customer } from './customer.ts';
import type { EdgeLimits } from './limits.ts';
import { MeteredFlow } from './metered-flow.ts';
import type { SocketListener, TcpSocket } from './tcp-socket.ts';

/** Listens to both sides. */
export class Tunnel extends MeteredFlow implements SocketListener {
  readonly #limits: EdgeLimits;

  constructor(customer: Customer, opened: Opened, limits: EdgeLimits) {
    super(customer.socket, opened);
    customer.listener = this;
    this.#limits = limits;
  }

  /**
   * `hello` tells the customer that the tunnel is open, and is not counted; `first` are bytes that followed the request; `ended`: the customer has
   * already ended.
   */
  start(hello: Buffer, first: Buffer, ended = false): void {
    const { client, target } = this;
    this.begin();
    this.record?.answered(200);
    client.idleAfter(this.#limits.idleMs, this.#abandon);
    target.listener = this;
    target.reader = client;
    client.reader = target;
    client.write(hello);
    if (first.length > 0) {
      this.passes(true);
      this.up.write(first);
    }
    if (ended) this.up.end();
    if (this.early.length > 0) this.down.write(this.early);
    this.readClient();
    this.readTarget();
    if (target.closed) this.close(target);
  }

  data(bytes: Buffer, socket: TcpSocket): void {
    const upward = socket !== this.target;
    this.passes(upward);
    if (!(upward ? this.up : this.down).write(bytes)) socket.pause();
  }

  drain(socket: TcpSocket): void {
    if (socket === this.target) this.readClient();
    else this.readTarget();
  }

  end(socket: TcpSocket): void {
    if (socket === this.target) this.down.end();
    else this.up.end();
  }

  /** When the customer's side fails, the target is reset: bytes in flight have no receiver, and the port is free at once. */
  error(socket: TcpSocket): void {
    if (socket === this.target) return;
    this.target.reset();
    this.#close();
  }

  /** Bytes that one side sent before it closed still reach the other. */
  close(socket: TcpSocket): void {
    if (this.left) return;
    if (socket === this.target) this.down.end(() => this.client.end(this.#finish));
    else {
      this.target.idleAfter(this.#limits.lingerMs, this.#shut);
      this.up.end(() => this.target.end(this.#shut));
    }
  }

  /** Counted bytes still reach the customer unless that takes too long. Whoever may no longer log in is cut off at once. */
  cut(why: Failure): void {
    this.record?.failed(why);
    if (LOG_IN_GONE.has(why.code)) {
      this.#close();
      return;
    }
    this.target.destroy();
    this.leave();
    this.client.end();
    setTimeout(() => this.client.destroy(), this.#limits.lingerMs).unref();
  }

  readonly #shut = (): void => this.#close();

  /** Everything is written. The connection stays until it has arrived, so that a customer who breaks off is not charged for the rest. */
  readonly #finish = (): void => {
    this.leave();
    this.target.destroy();
    this.delivery.whenSettled(this.#shut);
  };

  /** The tunnel was idle too long. A reset discards bytes in buffers, since they are not charged. */
  readonly #abandon = (): void => {
    if (this.delivery.isSettled) this.#close();
    else {
      this.leave();
      this.client.reset();
      this.target.destroy();
    }
  };

  #close(): void {
    this.leave();
    this.client.destroy();
    this.target.destroy();
  }
}

/** The password was reset, or the network that stood for it is gone. */
const LOG_IN_GONE: ReadonlySet<string> = new Set(['proxy_credentials_wrong', 'proxy_credentials_required']);
