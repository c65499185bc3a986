// The proofs of servers: that every order ends in a server or in its refund whatever fails, and nothing is left over; that storms and tickets hold.
import { spawnSync } from 'node:child_process';

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;

/** The exit code of the process says whether they hold. `smoke`: a fiftieth, to see that it runs. SCALE=0.2: a fifth. */
export async function prove(smoke: boolean): Promise<void> {
  const environment = { ...process.env, SCALE: smoke ? '0.02' : (process.env['SCALE'] ?? '1') };
  const run = spawnSync(process.execPath, [vitest, 'run', '--config', 'test/prove/servers/vitest.config.ts'], {
    stdio: 'inherit',
    env: environment,
  });
  process.exitCode = run.status ?? 1;
}
