// The hypervisor: starts the API and the guests' servers, and provides the controls for tests.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '../random.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, table, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import { openSnapshot } from '../snapshot.ts';
import { createHypervisorApi } from './api.ts';
import { fetchDue } from './downloads.ts';
import { runOnNode } from './node-shell.ts';
import type { HypervisorFaults } from './faults.ts';
import { createConsoles } from './consoles.ts';
import { leaves } from './firewall-calls.ts';
import { openGuests } from './guests.ts';
import { addressOf, passTime } from './life.ts';
import { createLogins } from './logins.ts';
import { type RealNode, openRealNode } from './real/real-node.ts';
import { AGENT, NODES, REAL_NODE, blankMachine, emptyHypervisorState, isReal, storagesOf, templatesOn } from './state.ts';
import type { Backup, HypervisorState, Machine } from './state.ts';

export interface SandboxHypervisor {
  readonly url: string;
  /** The port on which booted guests answer, each at its own address. */
  readonly guestPort: number;
  /** What its operator types where it is made known: its address, who may call it and who opens consoles, and its storage of snippets. */
  readonly terms: { url: string; token: string; consoleUser: string; consolePassword: string; snippets?: string };
  readonly faults: HypervisorFaults;
  /** What the operator has not set up: names of privileges, of storages, of images. */
  readonly lacking: string[];
  /** Processes everything that is due by the clock. Also done once a second, and before every request. */
  tick(): Promise<void>;
  /** All machines except templates. */
  machines(): readonly Machine[];
  machine(name: string): Machine;
  backups(): readonly Backup[];
  /** A backup by the datacenter's own operator, with its own notes, on the storage that the product uses too. Returns the volume. */
  dump(name: string, notes: string): Promise<string>;
  /** A node stops answering, or answers again; nothing progresses on it meanwhile. */
  down(node: string): Promise<void>;
  up(node: string): Promise<void>;
  /** Moves a machine to another node, by migration or after its own node has failed. */
  move(name: string, node: string): Promise<void>;
  /** Makes a storage of a node full, or not full; default: `local`. */
  fill(node: string, full: boolean, storage?: string): Promise<void>;
  /** Runs a block of commands as root on a node, and returns what they print. */
  shell(block: string): Promise<string>;
  /** Makes a machine of the operator's own, with this number, which runs or is off. */
  install(vmid: number, node: string, name: string, running: boolean): Promise<void>;
  /** Every template and machine of a node, by name. */
  onNode(node: string): readonly Machine[];
  /** Makes the cluster lose its quorum, or regain it. */
  loseQuorum(lost: boolean): Promise<void>;
  /** The datacenter's main switch: while it is off, nothing is filtered. */
  switchFirewall(on: boolean): Promise<void>;
  /** Sets the version, for example `9.1.2`. */
  upgrade(version: string): void;
  /** Whether a packet with this source address leaves the machine by one of its cards. */
  leaves(name: string, card: string, source: string): boolean;
  /** A change that a person makes at the hypervisor's own console. */
  change(name: string, how: (machine: Machine) => void): Promise<void>;
  /** Resolves when no real machine is starting or stopping. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

export interface SandboxHypervisorOptions {
  host: string;
  port: number;
  guestPort: number;
  /** Another hypervisor holds that port for the guests of both. */
  sharesGuestPort?: boolean;
  /** Names of its nodes. */
  nodes?: readonly string[];
  dataDir: string | undefined;
  clock: Clock;
  random: Random;
  token: string;
  /** The password of `CONSOLE_USER`, who may open consoles. */
  consolePassword?: string | undefined;
  /** The directory of its storage for snippets; default: in `dataDir`. */
  snippetsDir?: string;
  /** The state after an installation: no templates, and its firewall off. */
  bare?: boolean;
  /** Its certificate, as PEM; without one it uses HTTP. */
  tls?: { key: string; cert: string };
  /** The path of QEMU: adds a node with real machines. */
  qemu?: string | undefined;
  vendors: () => VendorUrls;
}

const TICK_MS = 1_000;
export const CONSOLE_USER = 'egress-console@pve';

export async function startHypervisor(options: SandboxHypervisorOptions): Promise<SandboxHypervisor> {
  const { clock } = options;
  const snapshot = await openSnapshot(options.dataDir, 'hypervisor', emptyHypervisorState(!options.bare, options.nodes));
  const { state } = snapshot;
  // A state that an earlier version has stored lacks newer fields.
  const isFormer = !('files' in state);
  Object.assign(state, { ...emptyHypervisorState(true, options.nodes), ...state });
  for (const machine of Object.values(state.machines)) {
    // Machines of an earlier version have the drive of cloud-init and the agent, without saying so.
    if (isFormer) machine.config['ide2'] ??= `local:vm-${machine.vmid}-cloudinit,media=cdrom`;
    if (isFormer && machine.disk) machine.disk.contents[AGENT] ??= '';
    Object.assign(machine, { ...blankMachine(machine.vmid, machine.node, machine.name), ...machine });
  }
  const now = () => clock.now().getTime();
  const real = await withRealNode(state, options, now, snapshot.changed);
  const changed = () => {
    snapshot.changed();
    real?.press();
  };
  const guests = await openGuests(state, options.sharesGuestPort ? undefined : options.host, options.guestPort);
  const faults: HypervisorFaults = { next: [], ratios: {} };
  const snippets = options.snippetsDir ?? (options.dataDir === undefined ? undefined : join(options.dataDir, 'snippets'));
  const readSnippet = snippetsIn(state, snippets);
  const { token, consolePassword = 'sandbox_console_password' } = options;
  const logins = createLogins(state, token, { user: CONSOLE_USER, password: consolePassword });
  const tick = async (): Promise<void> => {
    real?.look();
    await fetchDue(state, now());
    if (passTime(state, now(), readSnippet)) changed();
    await real?.settle();
    await guests.settle(now());
  };
  const app = new Hono<NodeBindings>();
  app.route('/api2/json', createHypervisorApi({ state, clock, random: options.random, faults, logins, tick, changed }));
  app.get('/', async (c) => {
    await tick();
    return c.html(machinesPage(state, options.vendors()), 200, pageHeaders);
  });
  const consoles = createConsoles({ state, real, logins, now, changed });
  const listener = await listen(app, options.host, options.port, {
    upgrade: consoles.upgrade,
    ...(options.tls && { tls: options.tls }),
  }).catch(async (error: unknown) => {
    await guests.close();
    await real?.close();
    throw error;
  });
  const ticking = setInterval(() => {
    tick().catch((cause: unknown) => process.stderr.write(`${String(cause)}\n`));
  }, TICK_MS).unref();
  await tick();

  return {
    url: listener.url,
    guestPort: guests.port,
    terms: {
      url: listener.url,
      token,
      consoleUser: CONSOLE_USER,
      consolePassword,
      ...(snippets !== undefined && { snippets: `snippets:${resolve(snippets)}` }),
    },
    faults,
    lacking: (state.lacking ??= []),
    tick,
    ...operatorOf({ state, now, changed, tick }),
    quiet: async () => real?.quiet(),
    async close() {
      clearInterval(ticking);
      consoles.close();
      await real?.close();
      await listener.close();
      await guests.close();
      await snapshot.flush();
    },
  };
}

/** Reads a snippet by its volume; undefined: there is no such file. */
const snippetsIn =
  (state: HypervisorState, directory: string | undefined) =>
  (volume: string): string | undefined => {
    const [, storage = '', name] = /^([\w-]+):snippets\/([\w-]+\.yaml)$/.exec(volume) ?? [];
    if (!storagesOf(state)[storage]?.includes('snippets')) return undefined;
    const file = name === undefined || directory === undefined ? undefined : join(directory, name);
    return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };

const machinesOf = ({ machines }: HypervisorState): Machine[] => Object.values(machines).filter(({ template }) => !template);

function machinesPage(state: HypervisorState, vendors: VendorUrls): ReturnType<typeof page> {
  const rows = machinesOf(state).map((machine) => [
    machine.name,
    machine.node,
    machine.lock ?? (machine.running ? 'running' : 'stopped'),
    addressOf(machine) ?? '',
    machine.vmid,
  ]);
  const body = html`${table({ columns: ['Machine', 'Node', 'State', 'Address', 'Number'], rows })} ${vendorLinks(vendors)}`;
  return page({ vendor: 'Sandbox hypervisor', title: 'Machines', body });
}

type OperatorAction =
  | ('machines' | 'machine' | 'backups' | 'dump' | 'down' | 'up' | 'change')
  | ('shell' | 'onNode' | 'install')
  | ('move' | 'fill' | 'loseQuorum' | 'switchFirewall' | 'upgrade' | 'leaves');

interface OperatorParts {
  state: HypervisorState;
  now(): number;
  changed(): void;
  tick(): Promise<void>;
}

/** What a person can see and do at the datacenter itself, without the API. */
function operatorOf({ state, now, changed, tick }: OperatorParts): Pick<SandboxHypervisor, OperatorAction> {
  let dumps = 0;
  const find = (name: string): Machine => {
    const machine = machinesOf(state).find((one) => one.name === name);
    if (!machine) throw new Error(`No such machine: ${name}`);
    return machine;
  };
  const after = async (change: () => void): Promise<void> => {
    await tick();
    change();
    changed();
    await tick();
  };
  return {
    machines: () => machinesOf(state),
    machine: find,
    backups: () => Object.values(state.backups),
    async dump(name, notes) {
      const { vmid, disk, config } = find(name);
      const volid = `backup:backup/vzdump-qemu-${vmid}-operator_${++dumps}.vma.zst`;
      await after(() => {
        state.backups[volid] = {
          volid,
          storage: 'backup',
          vmid,
          at: now(),
          disk: structuredClone(disk ?? { gigabytes: 1, contents: {} }),
          config: { ...config },
          notes,
        };
      });
      return volid;
    },
    down: (node) => after(() => void state.down.push(node)),
    up: (node) => after(() => void (state.down = state.down.filter((one) => one !== node))),
    move: (name, node) => after(() => void (find(name).node = node)),
    fill: (node, full, storage = 'local') =>
      after(() => {
        const others = state.full.filter((one) => one !== `${node}/${storage}`);
        state.full = full ? [...others, `${node}/${storage}`] : others;
      }),
    async shell(block) {
      let printed = '';
      await after(() => void (printed = runOnNode(state, block)));
      return printed;
    },
    install: (vmid, node, name, running) =>
      after(() => {
        if (state.machines[vmid]) throw new Error(`There is a machine ${vmid}`);
        const machine = blankMachine(vmid, node, name);
        const disk = { gigabytes: 100, contents: { '/etc/hostname': 'foreign', [AGENT]: '' } };
        const times = running ? { startedAt: now(), bootedAt: now() } : {};
        const config = { cores: 2, memory: '2048', serial0: 'socket', agent: '1', scsi0: `local:vm-${vmid}-disk-0,size=100G` };
        state.machines[vmid] = { ...machine, disk, config, running, ...times };
      }),
    onNode: (node) => Object.values(state.machines).filter((machine) => machine.node === node),
    loseQuorum: (lost) => after(() => void (state.withoutQuorum = lost)),
    switchFirewall: (on) => after(() => void (state.firewall = on)),
    upgrade: (version) => void (state.version = version),
    leaves: (name, card, source) => leaves(state, find(name), card, source),
    change: (name, how) => after(() => how(find(name))),
  };
}

/** Without QEMU the real node counts as down when it still has machines of an earlier run, and is left out otherwise. */
async function withRealNode(
  state: HypervisorState,
  { qemu: program, nodes = NODES }: Pick<SandboxHypervisorOptions, 'qemu' | 'nodes'>,
  now: () => number,
  changed: () => void,
): Promise<RealNode | undefined> {
  const left = Object.values(state.machines).some((machine) => isReal(machine));
  state.nodes = [...nodes, ...(program !== undefined || left ? [REAL_NODE] : [])];
  state.down = state.down.filter((node) => node !== REAL_NODE);
  if (program === undefined) {
    if (left) state.down.push(REAL_NODE);
    return undefined;
  }
  for (const [vmid, template] of templatesOn(REAL_NODE, nodes.length)) state.machines[vmid] ??= template;
  return openRealNode({ program, state, now, changed });
}
