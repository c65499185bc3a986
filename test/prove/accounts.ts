// The proofs of accounts: that nobody learns by the clock which addresses have an account, and that a flood of log-ins stays bounded.
import { spawnSync } from 'node:child_process';

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;

/** The exit code of the process says whether they hold. `smoke`: a fiftieth, to see that it runs. */
export async function prove(smoke: boolean): Promise<void> {
  const environment = { ...process.env, SCALE: smoke ? '0.02' : '1' };
  const run = spawnSync(process.execPath, [vitest, 'run', '--config', 'test/prove/accounts/vitest.config.ts'], {
    stdio: 'inherit',
    env: environment,
  });
  process.exitCode = run.status ?? 1;
}
