// Which networks of customers' lists somebody has logged in from recently, as status reports tell it.
import { SECOND } from '#platform/clock.ts';
import { NODE_SECONDS } from '../schema/limits.ts';

/** Two reporting intervals, so that one lost report loses nothing. */
const USED_MS = 2 * NODE_SECONDS.report * SECOND;

export class NetworksInUse {
  readonly #usedAt = new Map<string, number>();
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  note(id: string): void {
    this.#usedAt.set(id, this.#monotonic());
  }

  /** Forgets those of which this is not true. */
  keep(listed: (id: string) => boolean): void {
    for (const id of this.#usedAt.keys()) if (!listed(id)) this.#usedAt.delete(id);
  }

  ids(): string[] {
    const since = this.#monotonic() - USED_MS;
    for (const [id, at] of this.#usedAt) if (at < since) this.#usedAt.delete(id);
    return [...this.#usedAt.keys()];
  }
}
