// Delivery to the product, at least once: retried until it is acknowledged, and troubled on demand as a real network is.
import { Agent, request } from 'undici';
import type { Clock } from '#platform/clock.ts';
import type { Random } from './random.ts';
import { Waits } from './waits.ts';

/** What goes wrong on the way, each as the ratio of messages it happens to, 0 to 1. */
export interface DeliveryFaults {
  /** The message arrives twice, both at once or the second one late. */
  duplicate: number;
  /** The message never leaves. */
  drop: number;
  /** The message waits up to `delayMs` before it leaves. */
  delay: number;
  delayMs: number;
  /** The message waits until a later one has arrived. */
  reorder: number;
  /** A copy under a wrong signature arrives first. */
  forge: number;
}

export interface Retry {
  /** The wait after the first refusal, doubled after each further one up to `maxMs`. */
  firstMs: number;
  maxMs: number;
  /** How often a message is tried before it is given up. */
  attempts: number;
}

/** A message that is still under way; it survives a restart with the vendor's state. */
export interface Message {
  id: string;
  /** What it is, for people: an event's type. */
  kind: string;
  body: string;
  attempts: number;
  forge: boolean;
  copies: number;
}

export interface Attempt {
  messageId: string;
  kind: string;
  /** An instant, ISO 8601. */
  at: string;
  forged: boolean;
  /** The HTTP status, or null when no answer came. */
  status: number | null;
}

export type Fate = 'acknowledged' | 'dropped' | 'given_up' | 'closed';

export interface Sender {
  /** Sends a message. Resolves when its fate is known, which may be after many attempts. */
  send(message: Pick<Message, 'id' | 'kind' | 'body'>): Promise<Fate>;
  /** Ends every wait (delay, back-off, reordering) and resolves when nothing is under way any more. */
  deliver(): Promise<void>;
  /** Resolves when nothing is under way, without hurrying anything. */
  idle(): Promise<void>;
  /** Every attempt of this run, oldest first. */
  attempts(): readonly Attempt[];
  close(): Promise<void>;
}

export interface SenderOptions {
  clock: Clock;
  random: Random;
  faults: DeliveryFaults;
  retry: Retry;
  /** Where messages go, asked for at each attempt: the product may be listening later than the vendor. */
  address: () => string;
  /** The body of the next attempt, where it says how often it was sent; the message's own by default. */
  bodyOf?: (message: Readonly<Message>) => string;
  /** Hears of every attempt with its body. */
  onAttempt?: (attempt: Attempt, body: string) => void;
  /** The headers that prove who sends `body`; with `forged`, headers that must not pass. */
  sign: (body: string, forged: boolean) => Record<string, string>;
  /** The messages under way, kept by the vendor's state. */
  underWay: Record<string, Message>;
  changed: () => void;
  onAcknowledged?: (messageId: string) => void;
}

export const noDeliveryFaults = (): DeliveryFaults => ({ duplicate: 0, drop: 0, delay: 0, delayMs: 500, reorder: 0, forge: 0 });

/** A reordered message whose successor never comes leaves after this time. */
const REORDER_MS = 1_000;
const ANSWER_MS = 10_000;
const PARALLEL = 8;

export function createSender(options: SenderOptions): Sender {
  const round = new DeliveryRound(options);
  round.resume();
  return {
    send: (message) => round.send(message),
    deliver: () => round.deliver(),
    idle: () => round.idle(),
    attempts: () => round.attempts,
    close: () => round.close(),
  };
}

class DeliveryRound {
  readonly attempts: Attempt[] = [];
  readonly #options: SenderOptions;
  readonly #agent = new Agent({
    connections: PARALLEL,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
    connectTimeout: ANSWER_MS,
  });
  readonly #outstanding = new Set<Promise<unknown>>();
  /** Delays and back-off; those of reordered messages apart, since they end when another message has arrived. */
  readonly #waits = new Waits();
  readonly #heldBack = new Waits();
  #hurried = 0;
  #closed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Carries on with what was under way before a restart. */
  resume(): void {
    for (const message of Object.values(this.#options.underWay)) void this.#track(this.#settle(message));
  }

  send({ id, kind, body }: Pick<Message, 'id' | 'kind' | 'body'>): Promise<Fate> {
    const { random, faults, underWay, changed } = this.#options;
    // Every message draws the same number of times, so that what happens to one does not shift the fate of the next.
    const dropped = random.chance(faults.drop);
    const forge = random.chance(faults.forge);
    const duplicated = random.chance(faults.duplicate);
    const twinAtOnce = random.chance(0.5);
    const delayed = random.chance(faults.delay);
    const delay = random.below(faults.delayMs + 1);
    const reordered = random.chance(faults.reorder);
    if (dropped) return Promise.resolve('dropped');

    const message: Message = { id, kind, body, forge, attempts: 0, copies: duplicated && twinAtOnce ? 2 : 1 };
    underWay[id] = message;
    changed();
    return this.#track(
      (async () => {
        if (delayed) await this.#pause(delay);
        if (reordered && !this.#closed) await this.#heldBack.pause(REORDER_MS);
        const fate = await this.#settle(message);
        if (duplicated && !twinAtOnce && fate === 'acknowledged') {
          void this.#track(this.#pause(delay).then(() => (this.#closed ? false : this.#attempt(message, false))));
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

  async #attempt(message: Message, forged: boolean, body = this.#options.bodyOf?.(message) ?? message.body): Promise<boolean> {
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
    const done: Attempt = { messageId: message.id, kind: message.kind, at: clock.now().toISOString(), forged, status };
    this.attempts.push(done);
    onAttempt?.(done, body);
    return status !== null && status >= 200 && status < 300;
  }

  /** Carries one message until it is acknowledged; a forged copy goes first and proves nothing. */
  async #carry(message: Message): Promise<Fate> {
    const { bodyOf, changed, retry } = this.#options;
    if (message.forge && message.attempts === 0) await this.#attempt(message, true);
    for (;;) {
      if (this.#closed) return 'closed';
      const body = bodyOf?.(message) ?? message.body;
      const copies = Array.from({ length: message.copies }, () => this.#attempt(message, false, body));
      const acknowledged = (await Promise.all(copies)).includes(true);
      message.attempts += 1;
      changed();
      if (acknowledged) return 'acknowledged';
      if (this.#closed) return 'closed';
      if (message.attempts >= retry.attempts) return 'given_up';
      await this.#pause(Math.min(retry.firstMs * 2 ** (message.attempts - 1), retry.maxMs));
    }
  }

  async #settle(message: Message): Promise<Fate> {
    const { underWay, changed, onAcknowledged } = this.#options;
    const fate = await this.#carry(message);
    if (fate !== 'closed') delete underWay[message.id];
    if (fate === 'acknowledged') onAcknowledged?.(message.id);
    changed();
    this.#heldBack.endAll();
    return fate;
  }

  /** Counts `work` as outstanding until it ends; a hurried sender whose every message waits for another lets them all go. */
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
