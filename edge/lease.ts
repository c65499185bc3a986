// A lease: a part of a plan's allowance on this node. Counts what was spent of it, by origin and by exit.
import { type ExitName, type KeyedOrigin, type Origin, keyed } from './protocol/origin.ts';
import type { ExitShare, LeasePart, LeaseReport } from './protocol/control-plane.ts';

/** Bytes of one origin by one exit, so far and as confirmed by the ledger. Connections count directly here. */
export interface CountedUse {
  readonly exit: ExitName | undefined;
  up: number;
  down: number;
  /** The part of `down` that the customer has not acknowledged; it is not reported yet. */
  pending: number;
  confirmedUp: number;
  confirmedDown: number;
}

/** An origin with its use by exit; their sum is reported. */
interface CountedPart {
  readonly origin: Origin;
  readonly uses: Map<string, CountedUse>;
  confirmed: number;
}

/**
 * A lease has at most one part per this many bytes: a customer who sends single bytes to a hundred thousand targets must not create rows in the ledger
 * without limit. Further use is counted under its country alone. Normal traffic never reaches the limit. Exits are limited likewise, to twice as many:
 * further bytes count without an exit.
 */
const BYTES_PER_PART = 1_024;
const MIN_PARTS = 64;

export class Lease {
  readonly id: string;
  readonly planId: string;
  left: number;
  /** Monotonic milliseconds; nothing may be spent later. */
  until: number;
  /** Monotonic milliseconds of the last exchange that reported it. */
  reportedAt = -Infinity;
  /** Counted bytes that customers have not acknowledged; they may be given back. */
  pending = 0;
  /** Nothing more will be spent of it. */
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

  /** The counters of an origin and its exit. */
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

  /** Ends spending. It becomes final when no byte is pending. */
  close(): void {
    this.left = 0;
    this.closed = true;
  }

  /** Its report is complete: all spent bytes have arrived or are lost. */
  get final(): boolean {
    return this.closed && this.pending === 0;
  }

  /** Gives back bytes that never arrived. */
  release(bytes: number): void {
    if (!this.closed) this.left += bytes;
  }

  /** What the ledger does not know yet; undefined when there is nothing to report. The counters are copies. */
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

  /** The ledger has taken this report, the last one that was made. Returns the bytes that were new to it. */
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

/** The unreported bytes by exit. */
function newsOf(uses: ReadonlyMap<string, CountedUse>): Pick<LeasePart, 'exits'> {
  const exits: ExitShare[] = [];
  for (const { exit, up, down, pending, confirmedUp, confirmedDown } of uses.values()) {
    const news = { up: up - confirmedUp, down: down - pending - confirmedDown };
    if (exit && news.up + news.down > 0) exits.push({ ...exit, ...news });
  }
  return exits.length > 0 ? { exits } : {};
}
