// Delivers messages to the product at least once: retries until they are acknowledged, with the faults of a real network on demand.
import { Agent, request } from 'undici';
import type { Clock } from '#platform/clock.ts';
import type { Random } from './random.ts';
import { Waits } from './waits.ts';

/** Faults of the delivery, each as the share of messages that it hits, 0 to 1. */
export interface DeliveryFaults {
  /** The message arrives twice, at the same time or the second one later. */
  duplicate: number;
  /** The message is never sent. */
  drop: number;
  /** The message waits up to `delayMs` before it is sent. */
  delay: number;
  delayMs: number;
  /** The message is sent after a later one has arrived. */
  reorder: number;
  /** A copy with a wrong signature arrives first. */
  forge: number;
}

export interface Retry {
  /** The wait after the first failure; it doubles after each further one, up to `maxMs`. */
  firstMs: number;
  maxMs: number;
  /** After how many attempts a message is given up. */
  attempts: number;
}

/** A pending message; it is stored in the vendor's state, so that it survives a restart. */
export interface Message {
  id: string;
  /** For people: the event's type. */
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
  /** Sends a message. Resolves when its fate is known, possibly after many attempts. */
  send(message: Pick<Message, 'id' | 'kind' | 'body'>): Promise<Fate>;
  /** Ends all waits (delay, back-off, reordering) and resolves when nothing is pending. */
  deliver(): Promise<void>;
  /** Resolves when nothing is pending, without ending any wait. */
  idle(): Promise<void>;
  /** All attempts of this run, oldest first. */
  attempts(): readonly Attempt[];
  close(): Promise<void>;
}

export interface SenderOptions {
  clock: Clock;
  random: Random;
  faults: DeliveryFaults;
  retry: Retry;
  /** The URL for messages; called for each attempt, since the product may start to listen after the vendor. */
  address: () => string;
  /** The body of the next attempt, when it depends on the number of attempts; default: the message's own. */
  bodyOf?: (message: Readonly<Message>) => string;
  /** Called after each attempt, with its body. */
  onAttempt?: (attempt: Attempt, body: string) => void;
  /** The headers that sign `body`; with `forged`, headers that must be refused. */
  sign: (body: string, forged: boolean) => Record<string, string>;
  /** The pending messages, stored in the vendor's state. */
  underWay: Record<string, Message>;
  changed: () => void;
  onAcknowledged?: (messageId: string) => void;
}

export const noDeliveryFaults = (): DeliveryFaults => ({ duplicate: 0, drop: 0, delay: 0, delayMs: 500, reorder: 0, forge: 0 });

/** A reordered message that no other message follows is sent after this time. */
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
  /** Waits for delays and back-off; those of reordered messages are separate, since they end when another message has arrived. */
  readonly #waits = new Waits();
  readonly #heldBack = new Waits();
  #hurried = 0;
  #closed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Continues with the messages that were pending before a restart. */
  resume(): void {
    for (const message of Object.values(this.#options.underWay)) void this.#track(this.#settle(message));
  }

  send({ id, kind, body }: Pick<Message, 'id' | 'kind' | 'body'>): Promise<Fate> {
    const { random, faults, underWay, changed } = this.#options;
    // Every message draws the same number of random values, so that the faults of one do not change those of the next.
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
      // No answer, or half of one, counts as a refusal and is retried.
    }
    const done: Attempt = { messageId: message.id, kind: message.kind, at: clock.now().toISOString(), forged, status };
    this.attempts.push(done);
    onAttempt?.(done, body);
    return status !== null && status >= 200 && status < 300;
  }

  /** Sends one message until it is acknowledged; a forged copy is sent first, and its answer does not count. */
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

  /** Counts `work` as pending until it ends. When `deliver` has ended the waits and only messages are pending that wait for a later one, all of them are sent. */
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
