// The proofs of the proxy node: a thousand worlds of the metering protocol in simulation, then real nodes on a real ledger.
import { spawnSync } from 'node:child_process';

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;

/** Runs both; the exit code of the process says whether they hold. `smoke`: a fiftieth, to see that it runs. SCALE=0.2: a fifth. */
export async function prove(smoke: boolean): Promise<void> {
  const scale = smoke ? '0.02' : (process.env['SCALE'] ?? '1');
  const run = (args: string[], environment: Record<string, string>) =>
    spawnSync(process.execPath, [vitest, 'run', ...args], { stdio: 'inherit', env: { ...process.env, ...environment } }).status ?? 1;
  const simulated = run(['test/edge/simulation.test.ts', '--testTimeout=1200000'], { SEEDS: smoke ? '20' : '1000' });
  const real = run(['--config', 'test/prove/edge/vitest.config.ts'], { SCALE: scale });
  process.exitCode = simulated || real;
}
