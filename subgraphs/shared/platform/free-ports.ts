// Free ports of this machine for a platform that is started beside others.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { SANDBOX_PORTS } from './sandbox-terms.ts';

const isFree = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const probe = createServer().once('error', () => answer(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => answer(true)));
  });

/** Hands out free ports from `from` up to but not including `to`, one after another: a port that was handed out and is not yet used is not handed out again. */
export class FreePorts {
  readonly #from: number;
  readonly #to: number;
  #next: number;

  /** By default below the range of ephemeral ports. */
  constructor(from = 12_000, to = 30_000) {
    this.#from = from;
    this.#to = to;
    this.#next = randomInt(from, to);
  }

  /** The first of `count` consecutive free ports. */
  async take(count: number): Promise<number> {
    for (;;) {
      if (this.#next + count > this.#to) this.#next = this.#from;
      const first = this.#next;
      this.#next += count;
      const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
      if (free.every(Boolean)) return first;
    }
  }
}

/** How many consecutive ports a platform needs: its own, then those of its sandbox from `SANDBOX_PORT` on. */
export const PLATFORM_PORTS = 2 + Math.max(...Object.values(SANDBOX_PORTS));
