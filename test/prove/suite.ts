import { spawnSync } from 'node:child_process';

/** One part of a proof: runs, prints its figures, and says whether it holds. `smoke`: its short form. */
export type Part = (smoke: boolean) => boolean | Promise<boolean>;

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;

const runs = (args: string[], environment: Record<string, string>): boolean =>
  spawnSync(process.execPath, [vitest, 'run', ...args], { stdio: 'inherit', env: { ...process.env, ...environment } }).status === 0;

/** The suite in test/prove/NAME. `short` is the share of its size in the short form; SCALE=0.2: a fifth. */
export const suite =
  (name: string, short: number): Part =>
  (smoke) =>
    runs(['--config', `test/prove/${name}/vitest.config.ts`], { SCALE: smoke ? String(short) : (process.env['SCALE'] ?? '1') });

/** The protocol between nodes and ledger in so many worlds, with lines that are cut and nodes that crash. */
export const simulatedWorlds =
  (whole: number, short: number): Part =>
  (smoke) =>
    runs(['test/edge/simulation.test.ts', '--testTimeout=1200000'], { SEEDS: String(smoke ? short : whole) });
