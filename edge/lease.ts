// A slice of a plan's allowance on this node: what was granted, what was spent of it, by whom and by which exit.
import { type ExitName, type KeyedOrigin, type Origin, keyed } from './protocol/origin.ts';
import type { ExitShare, LeasePart, LeaseReport } from './protocol/control-plane.ts';

/** Bytes of an origin by one exit, so far and as the ledger has confirmed them: what a connection counts by. */
export interface CountedUse {
  readonly exit: ExitName | undefined;
  up: number;
  down: number;
  /** Of `down`: what the customer has not acknowledged, and the ledger is not told yet. */
  pending: number;
  confirmedUp: number;
  confirmedDown: number;
}

/** An origin with what it used by each exit: they sum to what is reported of it. */
interface CountedPart {
  readonly origin: Origin;
  readonly uses: Map<string, CountedUse>;
  confirmed: number;
}

/**
 * So many parts for a lease of this many bytes, and no more: who sends single bytes to a hundred thousand targets pays for bytes, not for rows of the
 * ledger. What comes beyond is counted by its country alone. Nobody who fetches anything gets there. As many exits are named again: beyond them bytes
 * count without one.
 */
const BYTES_PER_PART = 1_024;
const MIN_PARTS = 64;

export class Lease {
  readonly id: string;
  readonly planId: string;
  left: number;
  /** Monotonic milliseconds; after it not a byte may be spent. */
  until: number;
  /** Monotonic milliseconds of the last exchange that spoke of it. */
  reportedAt = -Infinity;
  /** Counted bytes that customers have not acknowledged: some of them may come back. */
  pending = 0;
  /** No byte will be spent any more. */
  closed = false;
  readonly #parts = new Map<string, CountedPart>();
  readonly #maxParts: number;
  #uses = 0;

  constructor(id: string, planId: string, granted: number, until: number) {
    this.id = id;
    this.planId = planId;
    this.left = granted;
    this.until = until;
    this.#maxParts = Math.max(MIN_PARTS, granted / BYTES_PER_PART);
  }

  /** The counters of an origin by its exit. */
  useOf(origin: KeyedOrigin): CountedUse {
    const { uses } = this.#partOf(origin);
    const known = uses.get(origin.exit?.id ?? '');
    if (known) return known;
    const exit = this.#uses < 2 * this.#maxParts ? origin.exit : undefined;
    const unnamed = exit ? undefined : uses.get('');
    if (unnamed) return unnamed;
    const use: CountedUse = { exit, up: 0, down: 0, pending: 0, confirmedUp: 0, confirmedDown: 0 };
    uses.set(exit?.id ?? '', use);
    this.#uses++;
    return use;
  }

  #partOf({ key, country, session, host, client }: KeyedOrigin): CountedPart {
    let part = this.#parts.get(key);
    if (!part) {
      if (this.#parts.size >= this.#maxParts) {
        const rest = keyed({ country, session: null, host: '', client: '' });
        if (rest.key !== key) return this.#partOf(rest);
      }
      part = { origin: { country, session, host, client }, uses: new Map(), confirmed: 0 };
      this.#parts.set(key, part);
    }
    return part;
  }

  /** Over, or not wanted any more. In this order: nothing can be spent of it, then it may be final. */
  close(): void {
    this.left = 0;
    this.closed = true;
  }

  /** All that is to be said of it is known: what was spent has arrived, or is lost. */
  get final(): boolean {
    return this.closed && this.pending === 0;
  }

  /** So many bytes never arrived. */
  release(bytes: number): void {
    if (!this.closed) this.left += bytes;
  }

  /** What the ledger does not know yet; undefined when there is nothing to say. Counters in it are copies. */
  report(): LeaseReport | undefined {
    const parts: LeasePart[] = [];
    for (const { origin, uses, confirmed } of this.#parts.values()) {
      let up = 0;
      let down = 0;
      for (const use of uses.values()) {
        up += use.up;
        down += use.down - use.pending;
      }
      if (up + down > confirmed) parts.push({ ...origin, up, down, ...newsOf(uses) });
    }
    return parts.length > 0 || this.final ? { lease: this.id, parts, final: this.final } : undefined;
  }

  /** The ledger has taken this report, the last that was made. Returns the bytes that it did not know before. */
  confirm(report: LeaseReport): number {
    let news = 0;
    for (const reported of report.parts) {
      const part = this.#partOf(keyed(reported));
      const count = reported.up + reported.down;
      if (count > part.confirmed) {
        news += count - part.confirmed;
        part.confirmed = count;
      }
      for (const { id, up, down } of reported.exits ?? []) {
        const use = part.uses.get(id);
        if (!use) continue;
        use.confirmedUp += up;
        use.confirmedDown += down;
      }
    }
    return news;
  }
}

/** What left by named exits since the ledger was last told. */
function newsOf(uses: ReadonlyMap<string, CountedUse>): Pick<LeasePart, 'exits'> {
  const exits: ExitShare[] = [];
  for (const { exit, up, down, pending, confirmedUp, confirmedDown } of uses.values()) {
    const news = { up: up - confirmedUp, down: down - pending - confirmedDown };
    if (exit && news.up + news.down > 0) exits.push({ ...exit, ...news });
  }
  return exits.length > 0 ? { exits } : {};
}
