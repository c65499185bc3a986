// Free ports of this machine for a platform that is started beside others.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { SANDBOX_PORTS } from './sandbox-terms.ts';

const isFree = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const probe = createServer().once('error', () => answer(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => answer(true)));
  });

/** The first of `count` consecutive free ports, below the range of ephemeral ports. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(12_000, 30_000 - count);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
}

/** How many consecutive ports a platform needs: its own, then those of its sandbox from `SANDBOX_PORT` on. */
export const PLATFORM_PORTS = 2 + Math.max(...Object.values(SANDBOX_PORTS));
