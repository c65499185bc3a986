// The proofs of metering: a ledger that is exact whatever is repeated, reordered, split, late or killed; over-use within its bound; and how soon a pause is felt.
import { spawnSync } from 'node:child_process';

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;

/** The exit code of the process says whether they hold. `smoke`: a small part, to see that it runs. SCALE=0.2: a fifth. */
export async function prove(smoke: boolean): Promise<void> {
  const run = (args: string[], environment: Record<string, string>) =>
    spawnSync(process.execPath, [vitest, 'run', ...args], { stdio: 'inherit', env: { ...process.env, ...environment } }).status ?? 1;
  const ledger = run(['--config', 'test/prove/metering/vitest.config.ts'], { SCALE: smoke ? '0.01' : (process.env['SCALE'] ?? '1') });
  // The protocol between nodes and ledger, with lines that are cut and nodes that crash.
  const simulated = run(['test/edge/simulation.test.ts', '--testTimeout=1200000'], { SEEDS: smoke ? '5' : '200' });
  process.exitCode = ledger || simulated;
}
