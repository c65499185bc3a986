// Delivery to the product, at least once: retried until it is acknowledged, and troubled on demand as a real network is.
import { Agent, request } from 'undici';
import type { Clock } from '#platform/clock.ts';
import type { Dice } from './random.ts';
import { Waits } from './waits.ts';

/** What goes wrong on the way, each as the ratio of parcels it happens to, 0 to 1. */
export interface DeliveryFaults {
  /** The parcel arrives twice, both at once or the second one late. */
  duplicate: number;
  /** The parcel never leaves. */
  drop: number;
  /** The parcel waits up to `delayMs` before it leaves. */
  delay: number;
  delayMs: number;
  /** The parcel waits until a later one has arrived. */
  reorder: number;
  /** A copy under a wrong signature arrives first. */
  forge: number;
}

export interface Retry {
  /** The wait after the first refusal, doubled after each further one up to `maxMs`. */
  firstMs: number;
  maxMs: number;
  /** How often a parcel is tried before it is given up. */
  attempts: number;
}

/** A parcel that is still under way; it survives a restart with the vendor's state. */
export interface Parcel {
  id: string;
  /** What it is, for people: an event's type. */
  kind: string;
  body: string;
  attempts: number;
  forge: boolean;
  copies: number;
}

export interface Attempt {
  parcelId: string;
  kind: string;
  /** An instant, ISO 8601. */
  at: string;
  forged: boolean;
  /** The HTTP status, or null when no answer came. */
  status: number | null;
}

export type Fate = 'acknowledged' | 'dropped' | 'given_up' | 'closed';

export interface Courier {
  /** Sends a parcel. Resolves when its fate is known, which may be after many attempts. */
  send(parcel: Pick<Parcel, 'id' | 'kind' | 'body'>): Promise<Fate>;
  /** Ends every wait (delay, back-off, reordering) and resolves when nothing is under way any more. */
  deliver(): Promise<void>;
  /** Resolves when nothing is under way, without hurrying anything. */
  idle(): Promise<void>;
  /** Every attempt of this run, oldest first. */
  attempts(): readonly Attempt[];
  close(): Promise<void>;
}

export interface CourierOptions {
  clock: Clock;
  dice: Dice;
  faults: DeliveryFaults;
  retry: Retry;
  /** Where parcels go, asked for at each attempt: the product may be listening later than the vendor. */
  address: () => string;
  /** The body of the next attempt, where it says how often it was sent; the parcel's own by default. */
  bodyOf?: (parcel: Readonly<Parcel>) => string;
  /** Hears of every attempt with its body. */
  onAttempt?: (attempt: Attempt, body: string) => void;
  /** The headers that prove who sends `body`; with `forged`, headers that must not pass. */
  sign: (body: string, forged: boolean) => Record<string, string>;
  /** The parcels under way, kept by the vendor's state. */
  underWay: Record<string, Parcel>;
  changed: () => void;
  onAcknowledged?: (parcelId: string) => void;
}

export const noDeliveryFaults = (): DeliveryFaults => ({ duplicate: 0, drop: 0, delay: 0, delayMs: 500, reorder: 0, forge: 0 });

/** A reordered parcel whose successor never comes leaves after this time. */
const REORDER_MS = 1_000;
const ANSWER_MS = 10_000;
const PARALLEL = 8;

export function createCourier(options: CourierOptions): Courier {
  const round = new DeliveryRound(options);
  round.resume();
  return {
    send: (parcel) => round.send(parcel),
    deliver: () => round.deliver(),
    idle: () => round.idle(),
    attempts: () => round.attempts,
    close: () => round.close(),
  };
}

class DeliveryRound {
  readonly attempts: Attempt[] = [];
  readonly #options: CourierOptions;
  readonly #agent = new Agent({
    connections: PARALLEL,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
    connectTimeout: ANSWER_MS,
  });
  readonly #outstanding = new Set<Promise<unknown>>();
  /** Delays and back-off; those of reordered parcels apart, since they end when another parcel has arrived. */
  readonly #waits = new Waits();
  readonly #heldBack = new Waits();
  #hurried = 0;
  #closed = false;

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  /** Carries on with what was under way before a restart. */
  resume(): void {
    for (const parcel of Object.values(this.#options.underWay)) void this.#track(this.#settle(parcel));
  }

  send({ id, kind, body }: Pick<Parcel, 'id' | 'kind' | 'body'>): Promise<Fate> {
    const { dice, faults, underWay, changed } = this.#options;
    // Every parcel draws the same number of times, so that what happens to one does not shift the fate of the next.
    const dropped = dice.toss(faults.drop);
    const forge = dice.toss(faults.forge);
    const duplicated = dice.toss(faults.duplicate);
    const twinAtOnce = dice.toss(0.5);
    const delayed = dice.toss(faults.delay);
    const delay = dice.below(faults.delayMs + 1);
    const reordered = dice.toss(faults.reorder);
    if (dropped) return Promise.resolve('dropped');

    const parcel: Parcel = { id, kind, body, forge, attempts: 0, copies: duplicated && twinAtOnce ? 2 : 1 };
    underWay[id] = parcel;
    changed();
    return this.#track(
      (async () => {
        if (delayed) await this.#pause(delay);
        if (reordered && !this.#closed) await this.#heldBack.pause(REORDER_MS);
        const fate = await this.#settle(parcel);
        if (duplicated && !twinAtOnce && fate === 'acknowledged') {
          void this.#track(this.#pause(delay).then(() => (this.#closed ? false : this.#attempt(parcel, false))));
        }
        return fate;
      })(),
    );
  }

  async deliver(): Promise<void> {
    this.#hurried += 1;
    this.#waits.endAll();
    this.#releaseStalled();
    await this.idle();
    this.#hurried -= 1;
  }

  async idle(): Promise<void> {
    while (this.#outstanding.size > 0) await Promise.all(this.#outstanding);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#waits.endAll();
    this.#heldBack.endAll();
    await this.#agent.destroy();
    await this.idle();
  }

  async #pause(milliseconds: number): Promise<void> {
    if (!this.#closed && this.#hurried === 0) await this.#waits.pause(milliseconds);
  }

  async #attempt(parcel: Parcel, forged: boolean, body = this.#options.bodyOf?.(parcel) ?? parcel.body): Promise<boolean> {
    const { address, sign, clock, onAttempt } = this.#options;
    let status: number | null = null;
    try {
      const answer = await request(address(), {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json; charset=utf-8', ...sign(body, forged) },
        dispatcher: this.#agent,
      });
      status = answer.statusCode;
      await answer.body.dump();
    } catch {
      // No answer, or half of one: the same as a refusal, it is tried again.
    }
    const done: Attempt = { parcelId: parcel.id, kind: parcel.kind, at: clock.now().toISOString(), forged, status };
    this.attempts.push(done);
    onAttempt?.(done, body);
    return status !== null && status >= 200 && status < 300;
  }

  /** Carries one parcel until it is acknowledged; a forged copy goes first and proves nothing. */
  async #carry(parcel: Parcel): Promise<Fate> {
    const { bodyOf, changed, retry } = this.#options;
    if (parcel.forge && parcel.attempts === 0) await this.#attempt(parcel, true);
    for (;;) {
      if (this.#closed) return 'closed';
      const body = bodyOf?.(parcel) ?? parcel.body;
      const copies = Array.from({ length: parcel.copies }, () => this.#attempt(parcel, false, body));
      const acknowledged = (await Promise.all(copies)).includes(true);
      parcel.attempts += 1;
      changed();
      if (acknowledged) return 'acknowledged';
      if (this.#closed) return 'closed';
      if (parcel.attempts >= retry.attempts) return 'given_up';
      await this.#pause(Math.min(retry.firstMs * 2 ** (parcel.attempts - 1), retry.maxMs));
    }
  }

  async #settle(parcel: Parcel): Promise<Fate> {
    const { underWay, changed, onAcknowledged } = this.#options;
    const fate = await this.#carry(parcel);
    if (fate !== 'closed') delete underWay[parcel.id];
    if (fate === 'acknowledged') onAcknowledged?.(parcel.id);
    changed();
    this.#heldBack.endAll();
    return fate;
  }

  /** Counts `work` as outstanding until it ends; a hurried courier whose every parcel waits for another lets them all go. */
  #track<Value>(work: Promise<Value>): Promise<Value> {
    this.#outstanding.add(work);
    void work.finally(() => {
      this.#outstanding.delete(work);
      this.#releaseStalled();
    });
    return work;
  }

  #releaseStalled(): void {
    if (this.#hurried > 0 && this.#outstanding.size === this.#heldBack.size) this.#heldBack.endAll();
  }
}
