// Measures what leases, metering and journal cost the proxy node: alternately with and without them in one process, since two processes differ as much by
// their memory layout. The result is the median of the ratios of many pairs. The ledger runs in the node's process, so its work counts against the node.
import { median } from '../world.ts';
import { newTunnels, transfer } from './load.ts';
import { type Peer, type Target, edge, startScript } from './peers.ts';

const FULL = { pairs: 40, milliseconds: 1_000 };
const SMOKE = { pairs: 1, milliseconds: 150 };

/** The CPU time of one measurement. */
const WORKS: Record<string, (peer: Peer, target: Target, milliseconds: number) => Promise<number>> = {
  'per GB down, 8 tunnels': async (...how) => (await transfer(how[0], how[1], 'down', 8, how[2])).cpuSecondsPerGigabyte,
  'per GB up, 8 tunnels': async (...how) => (await transfer(how[0], how[1], 'up', 8, how[2])).cpuSecondsPerGigabyte,
  'per new tunnel': async (...how) => (await newTunnels(how[0], how[1], 32, how[2])).cpuMicroseconds,
};

export async function bench(short: boolean): Promise<void> {
  const { pairs, milliseconds } = short ? SMOKE : FULL;
  const behind = await startScript('serve-target.ts');
  const target = { address: '127.0.0.1', port: behind.port };
  const node = await edge('egress', 'http', { exits: 1 }).start(target);
  try {
    for (const [name, work] of Object.entries(WORKS)) {
      const ratios: number[] = [];
      let leased = true;
      for (let pair = -1; pair < pairs; pair++) {
        const first = await work(node, target, milliseconds);
        node.signal('SIGUSR2');
        const second = await work(node, target, milliseconds);
        // The order alternates, so that neither is always the second.
        if (pair >= 0) ratios.push(leased ? first / second : second / first);
        leased = !leased;
      }
      if (!leased) node.signal('SIGUSR2');
      const sorted = ratios.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(2);
      console.log(
        `  leased : unmetered   CPU ${name.padEnd(24)}${median(ratios).toFixed(3)}   half of the pairs ${at(0.25)} to ${at(0.75)}`,
      );
    }
  } finally {
    await node.stop();
    await behind.stop();
  }
}
