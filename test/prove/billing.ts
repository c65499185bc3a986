// The proofs of billing: notices that come twice, late, crossed or never, repeats, forgeries, killed processes, every path of a renewal, chains of changes, a year.
import { spawnSync } from 'node:child_process';

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;

/** The exit code of the process says whether they hold. `smoke`: a small part of it, to see in a minute that it runs. */
export async function prove(smoke: boolean): Promise<void> {
  const environment = { ...process.env, SCALE: process.env['SCALE'] ?? (smoke ? '0.01' : '1') };
  const run = spawnSync(process.execPath, [vitest, 'run', '--config', 'test/prove/billing/vitest.config.ts'], {
    stdio: 'inherit',
    env: environment,
  });
  process.exitCode = run.status ?? 1;
}
