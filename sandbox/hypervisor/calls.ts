// The function of each endpoint. Work that takes time returns the id of its task; its effect happens when the task ends.
import { randomBytes } from 'node:crypto';
import type { EndpointName, FirewallEndpoint, MoveEndpoint, StorageEndpoint, TemplateEndpoint } from './endpoints.ts';
import { holds, permissionsOf } from './access.ts';
import { type Call, Refusal } from './call.ts';
import { begin, isBooted } from './life.ts';
import { clonedNet, writtenNet } from './properties.ts';
import { MB, nodeOf, seconds, storageRows, summary } from './shown.ts';
import { AGENT, blankMachine } from './state.ts';
import type { ConsoleWish, Effect, HypervisorState, Machine } from './state.ts';

export function machineOf(state: HypervisorState, { path }: Call): Machine {
  const machine = state.machines[path['vmid'] ?? ''];
  if (!machine || machine.node !== path['node'])
    throw new Refusal(`Configuration file 'nodes/${path['node']}/qemu-server/${path['vmid']}.conf' does not exist`);
  return machine;
}

/** Only root@pam may use `skiplock`, whatever else a token may do: PVE/API2/Qemu.pm of qemu-server 9.2.6, "Only root may use this option." */
export function unlocked(machine: Machine, { given, user }: Call): Machine {
  if (given['skiplock'] !== undefined && user !== 'root@pam')
    throw new Refusal('Parameter verification failed.', 400, { skiplock: 'Only root may use this option.' });
  if (machine.lock) throw new Refusal(`VM is locked (${machine.lock})`);
  return machine;
}

const isUnderWay = (state: HypervisorState, { vmid }: Machine, kind: Effect['kind']): boolean =>
  Object.values(state.tasks).some((one) => one.vmid === vmid && one.exitstatus === null && one.effect.kind === kind);

const heldBy = ({ vmid }: Machine) => `can't lock file '/var/lock/qemu-server/lock-${vmid}.conf' - got timeout`;

/** The configuration of a guest is locked from the request to shut down until the guest has ended: PVE/QemuServer.pm of qemu-server 9.2.6, vm_stop, within lock_config. */
export function settled(state: HypervisorState, call: Call): Machine {
  const machine = unlocked(machineOf(state, call), call);
  if (isUnderWay(state, machine, 'shutdown')) throw new Refusal(heldBy(machine));
  return machine;
}

export function required(given: Record<string, string>, name: string): string {
  const value = given[name];
  if (value === undefined || value === '')
    throw new Refusal('Parameter verification failed.', 400, { [name]: 'property is missing and it is not optional' });
  return value;
}

export const task = (state: HypervisorState, { fate, at, user }: Call, node: string, type: string, effect: Effect): string =>
  begin(state, effect, { node, type, fate, at, user }).upid;

const power =
  (type: string, kind: 'start' | 'stop' | 'shutdown' | 'reboot') =>
  (state: HypervisorState, call: Call): string => {
    const machine = unlocked(machineOf(state, call), call);
    if (machine.template) throw new Refusal("you can't start a vm if it's a template");
    if (kind === 'start' && machine.running) throw new Refusal(`VM ${machine.vmid} already running`);
    if (kind === 'start' && !machine.disk) throw new Refusal(`VM ${machine.vmid} has no bootable device`);
    if (kind !== 'start' && !machine.running) throw new Refusal(`VM ${machine.vmid} not running`);
    const work = () => task(state, call, machine.node, type, { kind, vmid: machine.vmid });
    if (!isUnderWay(state, machine, 'shutdown')) return work();
    // The task starts but cannot lock the configuration, unless it is a stop that aborts the running shutdown: `overrule-shutdown`, PVE/API2/Qemu.pm, vm_stop.
    if (kind !== 'stop' || call.given['overrule-shutdown'] !== '1')
      return task(state, { ...call, fate: 'ok' }, machine.node, type, { kind: 'failed', vmid: machine.vmid, reason: heldBy(machine) });
    for (const one of Object.values(state.tasks))
      if (one.vmid === machine.vmid && one.effect.kind === 'shutdown' && one.exitstatus === null) one.exitstatus = 'interrupted by signal';
    return work();
  };

/** PVE/Tools.pm of pve-common 9.2.1, encrypt_pw: the salt is drawn from the time (here at random), so that the same password never has the same hash twice. A hash stays unchanged. */
const hashOf = (password: string): string =>
  /^\$(?:[156]|2[ay])(\$.+){2}/.test(password) ? password : `$5$${randomBytes(4).toString('hex')}$${randomBytes(32).toString('base64')}`;

/** Seconds. */
const SPANS: Record<string, number> = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000, year: 31_536_000 };

export const CALLS: Record<
  Exclude<EndpointName, FirewallEndpoint | MoveEndpoint | StorageEndpoint | TemplateEndpoint>,
  (state: HypervisorState, call: Call) => unknown
> = {
  permissions: (state, { user }) =>
    Object.fromEntries(
      Object.entries(permissionsOf(state, user)).map(([path, held]) => [path, Object.fromEntries(held.map((name) => [name, 1]))]),
    ),
  /** A token cannot sign in: PVE/API2/AccessControl.pm of pve-access-control 8.2, create_ticket, requires a user and a password. */
  ticket(_state, { given }) {
    const username = required(given, 'username');
    required(given, 'password');
    if (!/^[^\s:/!]+@[A-Za-z][A-Za-z0-9._-]+$/.test(username))
      throw new Refusal('Parameter verification failed.', 400, { username: `value '${username}' does not look like a valid user name` });
    throw new Refusal('authentication failure', 401);
  },
  version: ({ version = '8.4.1' }) => ({ version, release: version.slice(0, 3), repoid: 'sandbox' }),
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
  // Only what the caller may see: PVE/API2/Cluster.pm of pve-manager 9.2.11, resources.
  resources: (state, { given, at, user }) => [
    ...(given['type'] === undefined || given['type'] === 'node'
      ? state.nodes.map((node) => ({ type: 'node', id: `node/${node}`, ...nodeOf(state, node, at) }))
      : []),
    ...(given['type'] === undefined || given['type'] === 'storage'
      ? storageRows(state).filter(({ storage }) => holds(state, { user }, `/storage/${storage}`, 'Datastore.Audit'))
      : []),
    ...(given['type'] === undefined || given['type'] === 'vm'
      ? Object.values(state.machines)
          .filter(({ vmid }) => holds(state, { user }, `/vms/${vmid}`, 'VM.Audit'))
          .map((machine) => ({
            type: 'qemu',
            id: `qemu/${machine.vmid}`,
            node: machine.node,
            ...summary(machine, at),
            ...(state.down.includes(machine.node) && { status: 'unknown' }),
          }))
      : []),
  ],
  // Without Sys.Audit at a node its figures are missing: PVE/API2/Nodes.pm, index.
  nodes: (state, { at, user }) =>
    state.nodes.map((node) => {
      const shown = nodeOf(state, node, at);
      return holds(state, { user }, `/nodes/${node}`, 'Sys.Audit') ? shown : { node, status: shown.status };
    }),
  machines: (state, { path, at }) =>
    Object.values(state.machines)
      .filter(({ node }) => node === path['node'])
      .map((machine) => summary(machine, at)),
  clone(state, call) {
    const source = unlocked(machineOf(state, call), call);
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
    const { scsi0: _, ...rest } = source.config;
    const config = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, /^net\d$/.test(key) ? clonedNet(String(value)) : value]),
    );
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
    const machine = settled(state, call);
    if (call.fate === 'idle') return null;
    const { name, delete: removed, digest: _, skiplock: __, sshkeys, ...rest } = call.given;
    const entries = Object.entries(rest);
    const applied = call.fate === 'half' ? entries.slice(0, Math.ceil(entries.length / 2)) : entries;
    for (const [key, value] of applied) {
      const written = /^net\d$/.test(key) ? writtenNet(value) : key === 'cipassword' ? hashOf(value) : value;
      if (written === undefined) throw new Refusal('Parameter verification failed.', 400, { [key]: 'invalid format' });
      machine.config[key] = written;
      if (key === 'cipassword') machine.cipassword = value;
    }
    if (call.fate === 'half') throw new Refusal('unable to write configuration: disk quota exceeded');
    if (name !== undefined) machine.name = name;
    if (sshkeys !== undefined) machine.config['sshkeys'] = decodeURIComponent(sshkeys);
    for (const key of removed?.split(',') ?? []) delete machine.config[key];
    return null;
  },
  resize(state, call) {
    const machine = settled(state, call);
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
    // PVE/QemuServer/Agent.pm of qemu-server 9.2.6, assert_agent_available.
    if (!/^(1|enabled=1)/.test(String(machine.config['agent'] ?? ''))) throw new Refusal('No QEMU guest agent configured');
    if (!isBooted(machine, call.at) || machine.disk?.contents[AGENT] === undefined) throw new Refusal('QEMU guest agent is not running');
    const [username, password] = [required(call.given, 'username'), required(call.given, 'password')];
    if (call.fate === 'half') throw new Refusal('Agent error: failed to change the password');
    if (call.fate !== 'idle') machine.users[username] = password;
    return {};
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
  // A text console needs a serial line, and either console a running machine.
  termproxy(state, call) {
    const machine = awake(state, call);
    if (machine.config['serial0'] === undefined) throw new Refusal('unable to find a serial interface');
    return openConsole(state, machine, 'text', call);
  },
  vncproxy: (state, call) => openConsole(state, awake(state, call), 'graphic', call),
  websocket() {
    throw new Refusal('a WebSocket is expected here', 400);
  },
  task(state, { path }) {
    const found = state.tasks[path['upid'] ?? ''];
    if (!found) throw new Refusal('unable to open file - no such task');
    const { upid, node, type, vmid, startedAt, exitstatus, user } = found;
    return {
      upid,
      node,
      type,
      id: String(vmid),
      user,
      starttime: seconds(startedAt),
      pid: 1,
      pstart: 1,
      ...(exitstatus === null ? { status: 'running' } : { status: 'stopped', exitstatus }),
    };
  },
  activeTasks: (state, { path, given }) =>
    Object.values(state.tasks)
      .filter(({ node, exitstatus, vmid }) => node === path['node'] && exitstatus === null && given['vmid'] === String(vmid))
      .filter(({ type }) => given['typefilter'] === undefined || given['typefilter'] === type)
      .map(({ upid, node, type, vmid, startedAt, user }) => ({ upid, node, type, id: String(vmid), user, starttime: seconds(startedAt) })),
  /** Stops a task and removes its lock: PVE/VZDump/QemuServer.pm of qemu-server 9.2.6, cleanup. */
  stopTask(state, { path }) {
    const found = state.tasks[path['upid'] ?? ''];
    if (found?.exitstatus !== null || !found) return null;
    found.exitstatus = 'interrupted by signal';
    const machine = state.machines[found.vmid];
    if (machine && found.effect.kind === 'backup') machine.lock = null;
    return null;
  },
  destroy(state, call) {
    const machine = machineOf(state, call);
    if (machine.template) throw new Refusal("you can't remove a template");
    // A lock that a dead worker has left stays: PVE/QemuServer.pm of qemu-server 9.2.6, destroy_vm; only the operator can remove it.
    unlocked(machine, call);
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
function openConsole(state: HypervisorState, { vmid, node }: Machine, kind: ConsoleWish['kind'], { at, user }: Call) {
  // PVE/API2/Qemu.pm of qemu-server 9.2.6, vncwebsocket: 5900 to 5999.
  const port = 5_900 + (++state.counter % 100);
  const ticket = `PVEVNC:${randomBytes(24).toString('base64')}`;
  const password = randomBytes(4).toString('hex');
  const wish: ConsoleWish = { kind, vmid, node, port, ticket, password, user, until: at + 10_000 };
  state.consoles.push(wish);
  return { user, ticket, port: String(port), upid: `UPID:${node}:console`, ...(kind === 'graphic' && { password }) };
}
