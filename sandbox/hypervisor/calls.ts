// What each endpoint does. Work that takes time answers with the id of its task and happens when the task ends.
import { randomBytes } from 'node:crypto';
import type { EndpointName, FirewallEndpoint } from './endpoints.ts';
import { begin, isBooted } from './life.ts';
import { MB, content, nodeOf, seconds, summary } from './shown.ts';
import { PRIVILEGES, RESCUE_IMAGE, STORAGES, blankMachine } from './state.ts';
import type { ConsoleWish, Effect, HypervisorState, Machine, Task } from './state.ts';

export interface Call {
  path: Record<string, string>;
  given: Record<string, string>;
  /** Milliseconds. */
  at: number;
  /** How the work will end. */
  fate: Task['fate'];
}

/** An answer that says no. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: Record<string, string> | undefined;

  constructor(message: string, status = 500, errors?: Record<string, string>) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

export function machineOf(state: HypervisorState, { path }: Call): Machine {
  const machine = state.machines[path['vmid'] ?? ''];
  if (!machine || machine.node !== path['node'])
    throw new Refusal(`Configuration file 'nodes/${path['node']}/qemu-server/${path['vmid']}.conf' does not exist`);
  return machine;
}

function unlocked(machine: Machine): Machine {
  if (machine.lock) throw new Refusal(`VM is locked (${machine.lock})`);
  return machine;
}

function required(given: Record<string, string>, name: string): string {
  const value = given[name];
  if (value === undefined || value === '')
    throw new Refusal('Parameter verification failed.', 400, { [name]: 'property is missing and it is not optional' });
  return value;
}

const task = (state: HypervisorState, { fate, at }: Call, node: string, type: string, effect: Effect): string =>
  begin(state, effect, { node, type, fate, at }).upid;

const power =
  (type: string, kind: 'start' | 'stop' | 'shutdown' | 'reboot') =>
  (state: HypervisorState, call: Call): string => {
    const machine = unlocked(machineOf(state, call));
    if (machine.template) throw new Refusal("you can't start a vm if it's a template");
    if (kind === 'start' && machine.running) throw new Refusal(`VM ${machine.vmid} already running`);
    if (kind === 'start' && !machine.disk) throw new Refusal(`VM ${machine.vmid} has no bootable device`);
    if (kind !== 'start' && !machine.running) throw new Refusal(`VM ${machine.vmid} not running`);
    return task(state, call, machine.node, type, { kind, vmid: machine.vmid });
  };

/** Seconds. */
const SPANS: Record<string, number> = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000, year: 31_536_000 };

export const CALLS: Record<Exclude<EndpointName, FirewallEndpoint>, (state: HypervisorState, call: Call) => unknown> = {
  permissions: ({ lacking = [] }) => ({
    '/': Object.fromEntries(PRIVILEGES.filter((privilege) => !lacking.includes(privilege)).map((privilege) => [privilege, 1])),
  }),
  version: () => ({ version: '8.4.1', release: '8.4', repoid: 'sandbox' }),
  nextid(state, { given }) {
    if (given['vmid'] !== undefined) {
      if (state.machines[given['vmid']])
        throw new Refusal('Parameter verification failed.', 400, { vmid: `VM ${given['vmid']} already exists` });
      return given['vmid'];
    }
    let id = 100;
    while (state.machines[id]) id++;
    return String(id);
  },
  resources: (state, { given, at }) => [
    ...(given['type'] === undefined || given['type'] === 'node'
      ? state.nodes.map((node) => ({ type: 'node', id: `node/${node}`, ...nodeOf(state, node, at) }))
      : []),
    ...(given['type'] === undefined || given['type'] === 'vm'
      ? Object.values(state.machines).map((machine) => ({
          type: 'qemu',
          id: `qemu/${machine.vmid}`,
          node: machine.node,
          ...summary(machine, at),
          ...(state.down.includes(machine.node) && { status: 'unknown' }),
        }))
      : []),
  ],
  nodes: (state, { at }) => state.nodes.map((node) => nodeOf(state, node, at)),
  machines: (state, { path, at }) =>
    Object.values(state.machines)
      .filter(({ node }) => node === path['node'])
      .map((machine) => summary(machine, at)),
  clone(state, call) {
    const source = unlocked(machineOf(state, call));
    const { given } = call;
    const vmid = Number(required(given, 'newid'));
    if (!Number.isInteger(vmid) || vmid < 100)
      throw new Refusal('Parameter verification failed.', 400, { newid: 'value must have a minimum value of 100' });
    if (state.machines[vmid]) throw new Refusal(`unable to create VM ${vmid}: config file already exists`);
    const target = given['target'] ?? source.node;
    if (!state.nodes.includes(target))
      throw new Refusal('Parameter verification failed.', 400, { target: `no such cluster node '${target}'` });
    const name = given['name'] ?? `Copy-of-VM-${source.name}`;
    if (!/^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,61}[a-zA-Z0-9])?$/.test(name))
      throw new Refusal('Parameter verification failed.', 400, { name: 'invalid format - value does not look like a valid DNS name' });
    const { scsi0: _, ...config } = source.config;
    state.machines[vmid] = {
      ...blankMachine(vmid, target, name),
      config: { ...config, parent: source.vmid, ...(given['description'] !== undefined && { description: given['description'] }) },
    };
    return task(state, call, source.node, 'qmclone', { kind: 'clone', vmid });
  },
  readConfig(state, call) {
    const { config, name, lock } = machineOf(state, call);
    const { parent: _, ...shown } = config;
    return {
      ...shown,
      name,
      ...(lock && { lock }),
      ...(shown['cipassword'] !== undefined && { cipassword: '**********' }),
      digest: 'sandbox',
    };
  },
  config(state, call) {
    const machine = unlocked(machineOf(state, call));
    if (call.fate === 'idle') return null;
    const { name, delete: removed, digest: _, sshkeys, ...rest } = call.given;
    const entries = Object.entries(rest);
    const kept = call.fate === 'half' ? entries.slice(0, Math.ceil(entries.length / 2)) : entries;
    for (const [key, value] of kept) machine.config[key] = value;
    if (call.fate === 'half') throw new Refusal('unable to write configuration: disk quota exceeded');
    if (name !== undefined) machine.name = name;
    if (sshkeys !== undefined) machine.config['sshkeys'] = decodeURIComponent(sshkeys);
    for (const key of removed?.split(',') ?? []) delete machine.config[key];
    return null;
  },
  resize(state, call) {
    const machine = unlocked(machineOf(state, call));
    const size = /^(\+?)(\d+)G$/.exec(required(call.given, 'size'));
    if (required(call.given, 'disk') !== 'scsi0' || !machine.disk) throw new Refusal(`disk '${call.given['disk']}' does not exist`);
    if (!size) throw new Refusal('Parameter verification failed.', 400, { size: 'value does not match the regex pattern' });
    const gigabytes = Number(size[2]) + (size[1] ? machine.disk.gigabytes : 0);
    if (gigabytes < machine.disk.gigabytes) throw new Refusal('shrinking disks is not supported');
    return task(state, call, machine.node, 'resize', { kind: 'resize', vmid: machine.vmid, gigabytes });
  },
  current(state, call) {
    const machine = machineOf(state, call);
    return { ...summary(machine, call.at), qmpstatus: machine.running ? 'running' : 'stopped', agent: 1, ha: { managed: 0 } };
  },
  start: power('qmstart', 'start'),
  stop: power('qmstop', 'stop'),
  shutdown: power('qmshutdown', 'shutdown'),
  reboot: power('qmreboot', 'reboot'),
  password(state, call) {
    const machine = machineOf(state, call);
    if (!isBooted(machine, call.at)) throw new Refusal('QEMU guest agent is not running');
    const [username, password] = [required(call.given, 'username'), required(call.given, 'password')];
    if (call.fate === 'half') throw new Refusal('Agent error: failed to change the password');
    if (call.fate !== 'idle') machine.users[username] = password;
    return {};
  },
  snapshots: (state, call) => [
    ...machineOf(state, call).snapshots.map(({ name, description, at }) => ({ name, description, snaptime: seconds(at) })),
    { name: 'current', description: 'You are here!' },
  ],
  snapshot(state, call) {
    const machine = unlocked(machineOf(state, call));
    const name = required(call.given, 'snapname');
    if (machine.snapshots.some((one) => one.name === name)) throw new Refusal(`snapshot name '${name}' already used`);
    const effect = { kind: 'snapshot' as const, vmid: machine.vmid, name, description: call.given['description'] ?? '' };
    return task(state, call, machine.node, 'qmsnapshot', effect);
  },
  dropSnapshot: (state, call) => onSnapshot(state, call, 'drop_snapshot', 'qmdelsnapshot'),
  rollback: (state, call) => onSnapshot(state, call, 'rollback', 'qmrollback'),
  backup(state, call) {
    const machine = state.machines[required(call.given, 'vmid')];
    if (!machine || machine.node !== call.path['node']) throw new Refusal(`unable to find VM '${call.given['vmid']}'`);
    unlocked(machine);
    return task(state, call, machine.node, 'vzdump', {
      kind: 'backup' as const,
      vmid: machine.vmid,
      storage: call.given['storage'] ?? 'local',
      notes: call.given['notes-template'] ?? '',
    });
  },
  storages: ({ lacking = [] }) =>
    Object.entries(STORAGES)
      .filter(([storage]) => !lacking.includes(storage))
      .map(([storage, taken]) => ({ storage, content: taken, type: 'dir', enabled: 1, active: 1 })),
  content: (state, { path, given }) => [
    ...Object.values(state.backups)
      .filter(({ storage, vmid }) => storage === path['storage'] && (given['vmid'] === undefined || given['vmid'] === String(vmid)))
      .filter(() => given['content'] === undefined || given['content'] === 'backup')
      .map(content),
    ...(path['storage'] === 'local' && given['content'] === 'iso' && !state.lacking?.includes(RESCUE_IMAGE)
      ? [{ volid: RESCUE_IMAGE, content: 'iso', format: 'iso', size: MB }]
      : []),
  ],
  dropContent(state, { path }) {
    const volid = decodeURIComponent(path['volume'] ?? '');
    if (!state.backups[volid]) throw new Refusal(`volume '${volid}' does not exist`);
    delete state.backups[volid];
    return null;
  },
  restore(state, call) {
    const { path, given } = call;
    const vmid = Number(required(given, 'vmid'));
    const volid = required(given, 'archive');
    if (!state.backups[volid]) throw new Refusal(`volume '${volid}' does not exist`);
    const known = state.machines[vmid];
    if (known && given['force'] !== '1') throw new Refusal(`unable to restore VM ${vmid} - already exists`);
    if (known?.running) throw new Refusal(`unable to restore VM ${vmid} - VM is running`);
    const machine = known ? unlocked(known) : (state.machines[vmid] = blankMachine(vmid, path['node'] ?? '', `VM${vmid}`));
    return task(state, call, machine.node, 'qmrestore', { kind: 'restore', vmid, volid });
  },
  metrics(state, call) {
    const machine = machineOf(state, call);
    const timeframe = required(call.given, 'timeframe');
    const span = SPANS[timeframe];
    if (span === undefined)
      throw new Refusal('Parameter verification failed.', 400, { timeframe: 'value does not have a value in the enumeration' });
    const memory = Number(machine.config['memory'] ?? 512) * MB;
    return (timeframe === 'hour' ? machine.samples : machine.halfHours)
      .filter(({ time }) => time > seconds(call.at) - span)
      .map((sample) => ({ ...sample, maxcpu: Number(machine.config['cores'] ?? 1), maxmem: memory }));
  },
  // A serial line is needed for text, and a running machine for either.
  termproxy(state, call) {
    const machine = awake(state, call);
    if (machine.config['serial0'] === undefined) throw new Refusal('unable to find a serial interface');
    return openConsole(state, machine, 'text', call.at);
  },
  vncproxy: (state, call) => openConsole(state, awake(state, call), 'graphic', call.at),
  websocket() {
    throw new Refusal('a WebSocket is expected here', 400);
  },
  task(state, { path }) {
    const found = state.tasks[path['upid'] ?? ''];
    if (!found) throw new Refusal('unable to open file - no such task');
    const { upid, node, type, vmid, startedAt, exitstatus } = found;
    return {
      upid,
      node,
      type,
      id: String(vmid),
      user: 'egress@pve',
      starttime: seconds(startedAt),
      pid: 1,
      pstart: 1,
      ...(exitstatus === null ? { status: 'running' } : { status: 'stopped', exitstatus }),
    };
  },
  destroy(state, call) {
    const machine = machineOf(state, call);
    if (machine.template) throw new Refusal("you can't remove a template");
    // A half-made clone may be removed: its lock is that of work which nobody does any more.
    const working = Object.values(state.tasks).some(({ vmid, exitstatus }) => vmid === machine.vmid && exitstatus === null);
    if (working) throw new Refusal(`VM is locked (${machine.lock ?? 'busy'})`);
    if (machine.running) throw new Refusal(`VM ${machine.vmid} is running - destroy failed`);
    return task(state, call, machine.node, 'qmdestroy', { kind: 'destroy', vmid: machine.vmid });
  },
};

function awake(state: HypervisorState, call: Call): Machine {
  const machine = machineOf(state, call);
  if (!machine.running) throw new Refusal(`VM ${machine.vmid} not running`);
  return machine;
}

/** A port that waits ten seconds for the one WebSocket that names it with this ticket. */
function openConsole(state: HypervisorState, { vmid, node }: Machine, kind: ConsoleWish['kind'], at: number) {
  const port = 5_900 + (++state.counter % 1_000);
  const ticket = `PVEVNC:${randomBytes(24).toString('base64')}`;
  const password = randomBytes(4).toString('hex');
  const wish: ConsoleWish = { kind, vmid, node, port, ticket, password, until: at + 10_000 };
  state.consoles.push(wish);
  return { user: 'egress@pve!platform', ticket, port: String(port), upid: `UPID:${node}:console`, ...(kind === 'graphic' && { password }) };
}

function onSnapshot(state: HypervisorState, call: Call, kind: 'rollback' | 'drop_snapshot', type: string): string {
  const machine = unlocked(machineOf(state, call));
  const name = call.path['snapname'] ?? '';
  if (!machine.snapshots.some((one) => one.name === name)) throw new Refusal(`snapshot '${name}' does not exist`);
  return task(state, call, machine.node, type, { kind, vmid: machine.vmid, name });
}
