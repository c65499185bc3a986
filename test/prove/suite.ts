import { spawnSync } from 'node:child_process';

/** One part of a proof: runs, prints its figures, and returns whether it holds. `smoke`: its short form. */
export type Part = (smoke: boolean) => boolean | Promise<boolean>;

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;

const runs = (args: string[], environment: Record<string, string>): boolean =>
  spawnSync(process.execPath, [vitest, 'run', ...args], { stdio: 'inherit', env: { ...process.env, ...environment } }).status === 0;

/** Runs the suite in test/prove/NAME. `short`: the share of its size in the short form; SCALE=0.2: a fifth. */
export const suite =
  (name: string, short: number): Part =>
  (smoke) =>
    runs(['--config', `test/prove/${name}/vitest.config.ts`], { SCALE: smoke ? String(short) : (process.env['SCALE'] ?? '1') });

/** Simulates the protocol between nodes and ledger in this many worlds, with cut connections and crashing nodes. */
export const simulatedWorlds =
  (whole: number, short: number): Part =>
  (smoke) =>
    runs(['test/edge/simulation.test.ts', '--testTimeout=1200000'], { SEEDS: String(smoke ? short : whole) });

/** Makes the described changes in a copy of the tree, which must pass its contracts; the whole form checks the dashboard's types too. */
export const exercises: Part = (smoke) => runs(['test/exercises'], { EXERCISES: smoke ? 'contracts' : 'whole' });

/** Every call of a server's build, actions, changes, backups and networks with every fault, of which the tests try a third; nothing in the short form. */
export const everyFault: Part = (smoke) =>
  smoke ||
  runs(
    [
      'provisioning/build',
      'provisioning/dedicated-faults',
      'backups/backups',
      'orders/change-vps',
      'servers/power',
      'networking/vps-networking',
      'networking/dedicated-networking',
    ].map((file) => `test/subgraphs/compute/${file}.test.ts`),
    { FAULTS: 'whole' },
  );

/** Every page checked by axe, and measured for what moves, in every width and theme, of which the tests try half; nothing in the short form. */
export const everyForm: Part = (smoke) =>
  smoke || runs(['test/browser/axe.test.ts', 'test/browser/layout-shift.test.ts'], { FORMS: 'whole' });
