// The hypervisor as a whole: its API, its machines, their guests, and the strings that tests pull.
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Clock } from '#shared/clock.ts';
import type { Dice } from '../dice.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, table, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { createHypervisorApi } from './api.ts';
import type { HypervisorFaults } from './faults.ts';
import { openGuests } from './guests.ts';
import { addressOf, passTime } from './life.ts';
import { emptyHypervisorState } from './state.ts';
import type { Backup, Machine } from './state.ts';

export interface SandboxHypervisor {
  readonly url: string;
  /** Where booted guests answer, each at its own address. */
  readonly guestPort: number;
  readonly faults: HypervisorFaults;
  /** Lets everything happen that the clock has passed; it also happens once a second, and before every request. */
  tick(): Promise<void>;
  /** What really exists, templates left out. */
  machines(): readonly Machine[];
  machine(name: string): Machine;
  backups(): readonly Backup[];
  /** A node stops answering, or comes back; nothing goes on on it meanwhile. */
  down(node: string): Promise<void>;
  up(node: string): Promise<void>;
  /** Something changed by a person at the hypervisor's own console. */
  change(name: string, how: (machine: Machine) => void): Promise<void>;
  close(): Promise<void>;
}

export interface SandboxHypervisorOptions {
  host: string;
  port: number;
  guestPort: number;
  dataDir: string | undefined;
  clock: Clock;
  dice: Dice;
  token: string;
  vendors: () => VendorUrls;
}

const TICK_MS = 1_000;

export async function startHypervisor(options: SandboxHypervisorOptions): Promise<SandboxHypervisor> {
  const { clock } = options;
  const snapshot = await openSnapshot(options.dataDir, 'hypervisor', emptyHypervisorState());
  const { state, changed } = snapshot;
  const guests = await openGuests(state, options.host, options.guestPort);
  const faults: HypervisorFaults = { next: [], ratios: {} };
  const tick = async (): Promise<void> => {
    const now = clock.now().getTime();
    if (passTime(state, now)) changed();
    await guests.settle(now);
  };
  const app = new Hono<NodeBindings>();
  app.route('/api2/json', createHypervisorApi({ state, clock, dice: options.dice, faults, token: options.token, tick, changed }));
  const machines = (): Machine[] => Object.values(state.machines).filter(({ template }) => !template);
  app.get('/', async (c) => {
    await tick();
    const rows = machines().map((machine) => [
      machine.name,
      machine.node,
      machine.lock ?? (machine.running ? 'running' : 'stopped'),
      addressOf(machine) ?? '',
      machine.vmid,
    ]);
    const body = html`${table({ columns: ['Machine', 'Node', 'State', 'Address', 'Number'], rows })} ${vendorLinks(options.vendors())}`;
    return c.html(page({ vendor: 'Sandbox hypervisor', title: 'Machines', body }), 200, pageHeaders);
  });
  const listener = await listen(app, options.host, options.port).catch(async (error: unknown) => {
    await guests.close();
    throw error;
  });
  const ticking = setInterval(() => {
    tick().catch((cause: unknown) => process.stderr.write(`${String(cause)}\n`));
  }, TICK_MS).unref();
  const find = (name: string): Machine => {
    const machine = machines().find((one) => one.name === name);
    if (!machine) throw new Error(`No such machine: ${name}`);
    return machine;
  };
  const after = async (change: () => void): Promise<void> => {
    await tick();
    change();
    changed();
    await tick();
  };
  await tick();

  return {
    url: listener.url,
    guestPort: guests.port,
    faults,
    tick,
    machines,
    machine: find,
    backups: () => Object.values(state.backups),
    down: (node) => after(() => void state.down.push(node)),
    up: (node) => after(() => void (state.down = state.down.filter((one) => one !== node))),
    change: (name, how) => after(() => how(find(name))),
    async close() {
      clearInterval(ticking);
      await listener.close();
      await guests.close();
      await snapshot.flush();
    },
  };
}
