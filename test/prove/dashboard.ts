// The proofs of the dashboard: that every page looks as it was looked at, and that a page which stays open for a day keeps no memory.
import { spawnSync } from 'node:child_process';

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;

/** The exit code of the process says whether they hold. `smoke`: a few pages, a twentieth of the day. */
export async function prove(smoke: boolean): Promise<void> {
  const environment = { ...process.env, SCALE: smoke ? '0.05' : '1' };
  const run = spawnSync(process.execPath, [vitest, 'run', '--config', 'test/prove/dashboard/vitest.config.ts'], {
    stdio: 'inherit',
    env: environment,
  });
  process.exitCode = run.status ?? 1;
}
