// A connection to a target between two requests of one customer's connection. It counts as open, ends with the log-in, and is dropped on whatever the
// target sends.
import type { Opened, Way } from './admission.ts';
import type { ExitDefinition } from './exit.ts';
import type { KeyedOrigin } from './protocol/origin.ts';
import type { Flow, Meter } from './plan-meter.ts';
import { NOBODY, type SocketListener } from './tcp-socket.ts';

/** Whether a new connection would go the same way as one that is open. */
export const goesAs = ({ way, upstream }: Opened, to: Way): boolean =>
  !upstream.socket.closed &&
  way !== undefined &&
  way.to === to.to &&
  way.port === to.port &&
  way.exit === to.exit &&
  way.country === to.country &&
  way.session === to.session;

export class KeptTarget implements Flow, SocketListener {
  readonly opened: Opened;
  /** When it was opened: monotonic milliseconds. */
  readonly since: number;
  readonly origin: KeyedOrigin;
  readonly lease = undefined;
  readonly part = undefined;
  readonly network: string | undefined;
  #isDropped = false;

  constructor(opened: Opened, since: number, idleMs: number) {
    this.opened = opened;
    this.since = since;
    this.origin = opened.origin;
    this.network = opened.network;
    opened.meter.flows.add(this);
    const { socket } = opened.upstream;
    socket.listener = this;
    socket.idleAfter(idleMs, () => this.drop());
    socket.resume();
  }

  /** For the next request, if it is still open. */
  take(): Opened | undefined {
    if (this.#isDropped) return undefined;
    const { meter, upstream } = this.opened;
    meter.flows.delete(this);
    upstream.socket.pause();
    upstream.socket.idleAfter(0, () => {});
    upstream.socket.listener = NOBODY;
    return { ...this.opened, upstream: { ...upstream, early: NONE } };
  }

  drop(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.opened.meter.flows.delete(this);
    this.opened.upstream.socket.destroy();
    this.opened.release();
  }

  data(): void {
    this.drop();
  }

  end(): void {
    this.drop();
  }

  close(): void {
    this.drop();
  }

  cut(): void {
    this.drop();
  }

  drain(): void {}
  error(): void {}
  pause(): void {}
  resume(): void {}
}

/** The operator's exits have changed: what is kept by one that is gone, or is another now, ends. What is being used goes on. */
export function dropKeptByOthers(meters: Iterable<Pick<Meter, 'flows'>>, exits: ReadonlySet<ExitDefinition>): void {
  for (const { flows } of meters)
    for (const flow of [...flows]) if (flow instanceof KeptTarget && flow.opened.way?.exit && !exits.has(flow.opened.way.exit)) flow.drop();
}

const NONE = Buffer.alloc(0);
