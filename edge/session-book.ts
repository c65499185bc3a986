// The sticky sessions of a node. Those that have ended are remembered for a day, so that the next session of the same name begins at another exit.
import { DAY } from '#platform/clock.ts';
import type { Exit } from './exit.ts';
import { MAX_ENDED, type SessionStore } from './session-store.ts';

export interface Session {
  /** Undefined: the session uses an exit that this node does not have. */
  exit: Exit | undefined;
  exitId: string;
  /** The country that a seller's gateway was asked for, where the line names several; absent: not known here. */
  country?: string | undefined;
  /** Monotonic milliseconds. */
  until: number;
  /** How many sessions with this key have ended, so that the next one begins at another exit. */
  life: number;
  /** The plan's number of renewals when the platform last told of this session; absent: none was known. */
  renewals?: number | undefined;
}

export class SessionBook {
  readonly #open = new Map<string, Session>();
  /** The earliest ended come first. */
  readonly #ended = new Map<string, Session>();
  readonly #monotonic: () => number;
  readonly #store: SessionStore | undefined;

  constructor(monotonic: () => number, store: SessionStore | undefined) {
    this.#monotonic = monotonic;
    this.#store = store;
    for (const [key, { exitId, leftMs, life, country }] of store?.sessions ?? []) {
      const session = { exit: undefined, exitId, country, until: monotonic() + leftMs, life };
      (leftMs > 0 ? this.#open : this.#ended).set(key, session);
    }
  }

  /** The session of this key, perhaps ended; undefined: there was none within a day. */
  get(key: string): Session | undefined {
    return this.#open.get(key) ?? this.#ended.get(key);
  }

  begin(key: string, session: Omit<Session, 'until'>, leftMs: number): void {
    const { exit, exitId, country, life, renewals } = session;
    this.#open.set(key, { exit, exitId, country, life, renewals, until: this.#monotonic() + leftMs });
    this.#store?.remember(key, { exitId, country, life, leftMs });
  }

  /** The exits were replaced. Sessions go on when an exit that was removed comes back. */
  attach(byId: ReadonlyMap<string, Exit>): void {
    for (const session of this.#open.values()) session.exit = byId.get(session.exitId);
  }

  /** Sessions that were open at the last sweep, or have begun since. */
  get size(): number {
    return this.#open.size;
  }

  sweep(): void {
    const now = this.#monotonic();
    for (const [key, session] of this.#open) {
      if (session.until > now) continue;
      this.#open.delete(key);
      // The one before it would keep its place in the order.
      this.#ended.delete(key);
      this.#ended.set(key, session);
    }
    for (const [key, { until }] of this.#ended) {
      if (until > now - DAY && this.#ended.size <= MAX_ENDED) break;
      this.#ended.delete(key);
    }
  }
}
