// A slice of a plan's allowance on this node: what was granted, what was spent of it, by whom.
import { type KeyedOrigin, keyed } from './protocol/origin.ts';
import type { LeasePart, LeaseReport } from './protocol/control-plane.ts';

/** A part with what the ledger has confirmed of it. */
export interface CountedPart extends LeasePart {
  confirmed: number;
}

/**
 * So many parts for a lease of this many bytes, and no more: who sends single bytes to a hundred thousand targets pays for bytes, not for rows of the
 * ledger. What comes beyond is counted by its country alone. Nobody who fetches anything gets there.
 */
const BYTES_PER_PART = 1_024;
const MIN_PARTS = 64;

export class Lease {
  readonly id: string;
  readonly planId: string;
  left: number;
  /** Monotonic milliseconds; after it not a byte may be spent. */
  until: number;
  /** No byte will be spent any more; set before the final report is made. */
  final = false;
  readonly #parts = new Map<string, CountedPart>();
  readonly #maxParts: number;

  constructor(id: string, planId: string, granted: number, until: number) {
    this.id = id;
    this.planId = planId;
    this.left = granted;
    this.until = until;
    this.#maxParts = Math.max(MIN_PARTS, granted / BYTES_PER_PART);
  }

  partOf({ key, country, session, host, client }: KeyedOrigin): CountedPart {
    let part = this.#parts.get(key);
    if (!part) {
      if (this.#parts.size >= this.#maxParts) {
        const rest = keyed({ country, session: null, host: '', client: '' });
        if (rest.key !== key) return this.partOf(rest);
      }
      part = { country, session, host, client, up: 0, down: 0, confirmed: 0 };
      this.#parts.set(key, part);
    }
    return part;
  }

  /** Over, or not wanted any more. In this order: nothing can be spent of it, then it is final. */
  close(): void {
    this.left = 0;
    this.final = true;
  }

  /** What the ledger does not know yet; undefined when there is nothing to say. Counters in it are copies. */
  report(): LeaseReport | undefined {
    const parts: LeasePart[] = [];
    for (const { confirmed, ...part } of this.#parts.values()) if (part.up + part.down > confirmed) parts.push(part);
    return parts.length > 0 || this.final ? { lease: this.id, parts, final: this.final } : undefined;
  }

  /** The ledger has taken this report. Returns the bytes that it did not know before. */
  confirm(report: LeaseReport): number {
    let news = 0;
    for (const reported of report.parts) {
      const part = this.partOf(keyed(reported));
      const count = reported.up + reported.down;
      if (count > part.confirmed) {
        news += count - part.confirmed;
        part.confirmed = count;
      }
    }
    return news;
  }
}
