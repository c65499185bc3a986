// The dedicated machines: starts their controllers' API and their servers, and provides the controls for tests.
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Clock } from '#platform/clock.ts';
import { openAnswering } from '../answering.ts';
import type { Random } from '../random.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, table, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { createLogIn } from './log-in.ts';
import { createRedfishApi } from './api.ts';
import { createConsoles } from './consoles.ts';
import type { RedfishFaults } from './faults.ts';
import { readJoliet } from './joliet.ts';
import { answering as answersNow, begin, passTime } from './life.ts';
import { METAL_IDS, emptyRedfishState } from './state.ts';
import type { Metal } from './state.ts';

export interface SandboxControllers {
  readonly url: string;
  /** The port on which booted systems answer, each at its own address. */
  readonly guestPort: number;
  /** The machines in the form of an operator's inventory file. */
  readonly inventory: readonly InventoryEntry[];
  readonly faults: RedfishFaults;
  /** Processes everything that is due by the clock. Also done once a second, and before every request. */
  tick(): Promise<void>;
  machines(): readonly Metal[];
  machine(id: string): Metal;
  /** A change that a person makes at the machine itself. */
  change(id: string, how: (machine: Metal) => void): Promise<void>;
  close(): Promise<void>;
}

export interface SandboxControllersOptions {
  host: string;
  port: number;
  guestPort: number;
  dataDir: string | undefined;
  clock: Clock;
  random: Random;
  /** The password of every controller; its user is the machine's id. */
  password: string;
  /** An earlier password that machines in stock may still be recorded with; it is accepted too. */
  formerPassword?: string | undefined;
  vendors: () => VendorUrls;
}

export interface InventoryEntry {
  name: string;
  plan: string;
  ip: string;
  prefixLength: number;
  gateway: string;
  controller: { url: string; system: string; username: string; password: string };
}

const TICK_MS = 1_000;

export async function startControllers(options: SandboxControllersOptions): Promise<SandboxControllers> {
  const { clock } = options;
  const snapshot = await openSnapshot(options.dataDir, 'redfish', emptyRedfishState());
  const { state, changed } = snapshot;
  const guests = await openAnswering(options.host, options.guestPort);
  const faults: RedfishFaults = { next: [], ratios: {} };

  let ticking = Promise.resolve();
  const pass = async (): Promise<void> => {
    for (;;) {
      const now = clock.now().getTime();
      if (passTime(state, now)) changed();
      const starting = Object.values(state.machines).filter((machine) => machine.starting);
      if (starting.length === 0) return guests.settle(answersNow(state, now));
      for (const machine of starting) begin(machine, await readSeed(machine.media.usb));
      changed();
    }
  };
  const tick = (): Promise<void> => (ticking = ticking.catch(() => {}).then(pass));

  const app = new Hono<NodeBindings>();
  const { password, formerPassword } = options;
  const logIn = createLogIn(state, formerPassword === undefined ? [password] : [password, formerPassword]);
  app.route('/redfish/v1', createRedfishApi({ state, clock, random: options.random, faults, logIn, tick, changed }));
  app.get('/', async (c) => {
    await tick();
    const rows = Object.values(state.machines).map(({ id, power, running, disk, media }) => [
      ...[id, power, running ?? '', disk ? `${disk.os}, ${disk.hostname}` : 'empty'],
      media.cd?.split('/').at(-1) ?? '',
    ]);
    const body = html`${table({ columns: ['Machine', 'Power', 'Runs', 'Disk', 'Medium'], rows })} ${vendorLinks(options.vendors())}`;
    return c.html(page({ vendor: 'Sandbox datacenter', title: 'Dedicated machines', body }), 200, pageHeaders);
  });
  const consoles = createConsoles(logIn);
  const listener = await listen(app, options.host, options.port, { upgrade: consoles.upgrade }).catch(async (error: unknown) => {
    await guests.close();
    throw error;
  });
  const timer = setInterval(() => {
    tick().catch((cause: unknown) => process.stderr.write(`${String(cause)}\n`));
  }, TICK_MS).unref();
  const find = (id: string): Metal => {
    const machine = state.machines[id];
    if (!machine) throw new Error(`No such machine: ${id}`);
    return machine;
  };
  return {
    url: listener.url,
    guestPort: guests.port,
    inventory: METAL_IDS.map((id, index) => ({
      name: id,
      plan: (id.split('-')[0] ?? '').toUpperCase(),
      ip: `127.81.0.${10 + index}`,
      prefixLength: 16,
      gateway: '127.81.0.1',
      controller: { url: listener.url, system: id, username: id, password: options.password },
    })),
    faults,
    tick,
    machines: () => Object.values(state.machines),
    machine: find,
    async change(id, how) {
      await tick();
      how(find(id));
      changed();
      await tick();
    },
    async close() {
      clearInterval(timer);
      consoles.close();
      await listener.close();
      await ticking.catch(() => {});
      await guests.close();
      await snapshot.flush();
    },
  };
}

/** The files of the second medium; undefined when a machine could not fetch or read it. */
async function readSeed(url: string | null): Promise<Record<string, string> | undefined> {
  if (url === null) return undefined;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    if (!response.ok) return undefined;
    const { label, files } = readJoliet(Buffer.from(await response.arrayBuffer()));
    return label === 'CIDATA' ? files : undefined;
  } catch {
    return undefined;
  }
}
