// What happens as time passes: tasks end, guests boot, usage is sampled.
import { type ReadSnippet, missingSnippet, runCloudInit } from './cloud-init.ts';
import { fileKey, hasMedium } from './downloads.ts';
import { obstacle } from './migration.ts';
import { RESCUE_IMAGE, isReal } from './state.ts';
import type { Disk, Effect, HypervisorState, Machine, Sample, Task } from './state.ts';

/** Milliseconds that each task takes. BOOT_MS: from power-on of a guest to its first answer. */
const TASK_MS: Record<Effect['kind'], number> = {
  download: 30_000,
  create: 15_000,
  template: 2_000,
  clone: 20_000,
  migrate: 60_000,
  resize: 2_000,
  start: 3_000,
  stop: 2_000,
  shutdown: 8_000,
  reboot: 8_000,
  destroy: 4_000,
  snapshot: 5_000,
  rollback: 6_000,
  drop_snapshot: 2_000,
  backup: 30_000,
  restore: 40_000,
  failed: 10_000,
};
/** How long a stop waits for a guest that does not react: PVE/QemuServer.pm of qemu-server 9.2.6, _do_vm_stop. */
const DEAF_MS = 60_000;
const BOOT_MS = 15_000;
const MINUTE_MS = 60_000;
/** The number of samples per minute that are kept, as in the real one; HALF_HOURS: those per half hour, for one week. */
const SAMPLES = 70;
const HALF_HOURS = 336;
const HALF_HOUR_S = 1_800;

/** The lock that a machine has while a task works on it. */
const LOCKS: Partial<Record<Effect['kind'], string>> = {
  clone: 'clone',
  migrate: 'migrate',
  destroy: 'destroyed',
  snapshot: 'snapshot',
  rollback: 'rollback',
  backup: 'backup',
  restore: 'create',
  create: 'create',
};

export function begin(
  state: HypervisorState,
  effect: Effect,
  terms: { node: string; type: string; fate: Task['fate']; at: number; user: string },
): Task {
  const { node, type, fate, at, user } = terms;
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  const serial = ++state.counter;
  const upid = `UPID:${node}:${hex(serial)}:${hex(serial)}:${hex(Math.floor(at / 1_000))}:${type}:${effect.vmid}:${user}:`;
  const task: Task = {
    upid,
    node,
    type,
    user,
    vmid: effect.vmid,
    startedAt: at,
    endsAt: at + (effect.kind === 'shutdown' && state.machines[effect.vmid]?.deaf ? DEAF_MS : TASK_MS[effect.kind]),
    exitstatus: null,
    effect,
    fate,
  };
  const machine = state.machines[effect.vmid];
  const lock = LOCKS[effect.kind];
  if (machine && lock) machine.lock = lock;
  return (state.tasks[upid] = task);
}

/** Processes everything that is due by `now`; returns whether anything was. A node that is down makes no progress. */
export function passTime(state: HypervisorState, now: number, read: ReadSnippet): boolean {
  const due = Object.values(state.tasks).filter(
    ({ exitstatus, endsAt, node, effect }) =>
      exitstatus === null && endsAt <= now && !state.down.includes(node) && !(effect.kind === 'download' && !effect.outcome),
  );
  for (const task of due.toSorted((one, other) => one.endsAt - other.endsAt)) end(state, task, read);
  let changed = due.length > 0;
  for (const machine of Object.values(state.machines)) {
    count(machine, now);
    if (sample(machine, now)) changed = true;
  }
  return changed;
}

/** The reason why a task fails, in the real one's words. */
function hindrance(state: HypervisorState, { effect }: Task, machine: Machine | undefined, read: ReadSnippet): string | undefined {
  if (effect.kind === 'failed') return effect.reason;
  if (effect.kind === 'download') return effect.outcome && 'failure' in effect.outcome ? effect.outcome.failure : undefined;
  if (effect.kind === 'create' && !state.files[fileKey(machine?.node ?? '', effect.source)])
    return `unable to create VM ${effect.vmid} - could not get size of ${effect.source}`;
  if (effect.kind === 'create' && state.full.includes(`${machine?.node}/${effect.storage}`))
    return `unable to create VM ${effect.vmid} - copy failed: command '/usr/bin/qemu-img convert' failed: exit code 1: no space left on device`;
  const isFull = machine && state.full.includes(`${machine.node}/${storageOf(state, machine)}`);
  if (effect.kind === 'clone' && isFull)
    return `clone failed: copy failed: command '/usr/bin/qemu-img convert' failed: exit code 1: no space left on device`;
  if (effect.kind === 'resize' && isFull) return `lvextend failed: Insufficient free space in thin pool`;
  if (effect.kind === 'migrate' && machine) return obstacle(state, machine, effect.target, effect.withLocalDisks);
  if (effect.kind === 'shutdown' && machine?.deaf) return 'VM quit/powerdown failed - got timeout';
  // PVE/QemuServer.pm of qemu-server 9.2.6, config_to_command: every volume of the machine must be there.
  const medium = String(machine?.config['sata5'] ?? '').split(',')[0];
  if (effect.kind === 'start' && machine && medium && !hasMedium(state, machine.node, medium)) return `volume '${medium}' does not exist`;
  const missing = effect.kind === 'start' && machine ? missingSnippet(machine, read) : undefined;
  return missing && `volume '${missing}' does not exist`;
}

function end(state: HypervisorState, task: Task, read: ReadSnippet): void {
  const machine = state.machines[task.vmid];
  const hindered = hindrance(state, task, machine, read);
  task.exitstatus = task.fate === 'half' ? 'interrupted by signal' : (hindered ?? 'OK');
  if (task.fate === 'lost') delete state.tasks[task.upid];
  // A half-made machine keeps its lock and has no disk; a half-made template is marked before its disk is converted (PVE/API2/Qemu.pm of qemu-server 9.2.6,
  // template); any other work that stops half-way releases its lock and changes nothing.
  if (task.fate === 'half') {
    if (machine && task.effect.kind === 'template') machine.template = true;
    if (machine && !makes(task.effect)) machine.lock = null;
    return;
  }
  if (task.fate === 'idle') {
    if (makes(task.effect)) delete state.machines[task.vmid];
    else if (machine) machine.lock = null;
    return;
  }
  if (task.effect.kind === 'download' && task.effect.outcome && 'volid' in task.effect.outcome)
    state.files[fileKey(task.node, task.effect.volid)] = task.effect.outcome;
  if (!machine) return;
  machine.lock = null;
  // A worker that fails removes what it has made: PVE/API2/Qemu.pm of qemu-server 9.2.6, clone_vm and create_vm.
  if (hindered !== undefined && makes(task.effect)) delete state.machines[task.vmid];
  if (hindered !== undefined) return;
  apply(state, machine, task.effect, task.endsAt, read);
}

const makes = ({ kind }: Effect): boolean => kind === 'clone' || kind === 'create';

/** The storage of a machine's disk; a clone that is being made takes that of its template. */
function storageOf({ machines }: HypervisorState, { config }: Machine): string {
  const disk = config['scsi0'] ?? machines[Number(config['parent'])]?.config['scsi0'];
  return String(disk ?? 'local').split(':')[0] ?? 'local';
}

const copy = (disk: Disk | null): Disk => structuredClone(disk ?? { gigabytes: 0, contents: {} });

function apply(state: HypervisorState, machine: Machine, effect: Effect, at: number, read: ReadSnippet): void {
  switch (effect.kind) {
    case 'download':
      return;
    case 'create': {
      const { gigabytes = 0, volid = '' } = state.files[fileKey(machine.node, effect.source)] ?? {};
      machine.disk = { gigabytes, contents: { '/etc/os-release': volid } };
      return setDiskSize(machine, gigabytes, effect.storage);
    }
    case 'template':
      machine.template = true;
      machine.config['scsi0'] = String(machine.config['scsi0']).replace(':vm-', ':base-');
      return;
    case 'clone':
      machine.config['scsi0'] = state.machines[Number(machine.config['parent'])]?.config['scsi0'] ?? '';
      machine.disk = copy(state.machines[Number(machine.config['parent'])]?.disk ?? null);
      delete machine.config['parent'];
      return setDiskSize(machine, machine.disk.gigabytes);
    case 'migrate':
      machine.node = effect.target;
      return;
    case 'resize':
      return setDiskSize(machine, effect.gigabytes);
    case 'start':
      return powerOn(machine, at, read);
    case 'stop':
      return powerOff(machine);
    // A real guest has ended on its own, or has not.
    case 'shutdown':
      return machine.deaf || isReal(machine) ? undefined : powerOff(machine);
    case 'reboot':
      return machine.deaf || (isReal(machine) && machine.running) ? undefined : powerOn(machine, at, read);
    case 'destroy':
      delete state.machines[machine.vmid];
      return;
    case 'snapshot':
      machine.snapshots.push({ name: effect.name, description: effect.description, at, disk: copy(machine.disk) });
      return;
    case 'rollback':
      powerOff(machine);
      machine.disk = copy(machine.snapshots.find(({ name }) => name === effect.name)?.disk ?? machine.disk);
      return;
    case 'drop_snapshot':
      machine.snapshots = machine.snapshots.filter(({ name }) => name !== effect.name);
      return;
    case 'backup': {
      const stamp = new Date(at).toISOString().replace(/[-:]/g, '_').slice(0, 19).replace('T', '-');
      const volid = `${effect.storage}:backup/vzdump-qemu-${machine.vmid}-${stamp}.vma.zst`;
      state.backups[volid] = {
        volid,
        storage: effect.storage,
        vmid: machine.vmid,
        at,
        notes: effect.notes,
        disk: copy(machine.disk),
        config: { ...machine.config },
        cipassword: machine.cipassword,
      };
      return;
    }
    case 'restore':
      // Restores the whole machine, with its configuration.
      machine.config = { ...state.backups[effect.volid]?.config };
      machine.cipassword = state.backups[effect.volid]?.cipassword ?? machine.cipassword;
      machine.disk = copy(state.backups[effect.volid]?.disk ?? null);
      return setDiskSize(machine, machine.disk.gigabytes);
  }
}

function setDiskSize(machine: Machine, gigabytes: number, storage = String(machine.config['scsi0'] ?? 'local').split(':')[0]): void {
  if (machine.disk) machine.disk.gigabytes = gigabytes;
  machine.config['scsi0'] = `${storage}:vm-${machine.vmid}-disk-0,size=${gigabytes}G`;
}

function powerOn(machine: Machine, at: number, read: ReadSnippet): void {
  machine.running = true;
  machine.startedAt = at;
  // A real machine reports its boot itself.
  machine.bootedAt = isReal(machine) ? null : at + BOOT_MS;
  const { boot, sata5 } = machine.config;
  machine.inRescue = String(boot).startsWith('order=sata5') && String(sata5).startsWith(RESCUE_IMAGE);
  // The rescue system has a log-in of its own, and does not change the disk.
  if (machine.inRescue) return;
  runCloudInit(machine, read);
}

export function powerOff(machine: Machine): void {
  machine.running = false;
  machine.startedAt = null;
  machine.bootedAt = null;
}

export const isBooted = ({ running, bootedAt }: Machine, now: number): boolean => running && bootedAt !== null && bootedAt <= now;

/** The address that cloud-init has set on the first interface: `ip=A/N,gw=G`. */
export const addressOf = ({ config }: Machine): string | undefined => /(?:^|,)ip=([\d.]+)/.exec(String(config['ipconfig0'] ?? ''))?.[1];

export const useOf = (machine: Machine, now: number): Sample => ({
  time: Math.floor(now / 1_000),
  cpu: machine.running ? machine.load : 0,
  mem: machine.running ? Math.round(Number(machine.config['memory'] ?? 512) * 1_048_576 * (0.2 + 0.6 * machine.load)) : 0,
  netin: Math.round(machine.load * 1_000_000),
  netout: Math.round(machine.load * 2_000_000),
  diskread: Math.round(machine.load * 500_000),
  diskwrite: Math.round(machine.load * 700_000),
  ...machine.measured,
});

function sample(machine: Machine, now: number): boolean {
  const last = machine.samples.at(-1)?.time ?? 0;
  if (!machine.running || now - last * 1_000 < MINUTE_MS) return false;
  const fresh = useOf(machine, now);
  if (Math.floor(fresh.time / HALF_HOUR_S) > Math.floor(last / HALF_HOUR_S) && last > 0) sumUp(machine, last);
  machine.samples.push(fresh);
  if (machine.samples.length > SAMPLES) machine.samples.shift();
  return true;
}

/** Adds a sample for the half hour that ended with the minute of `last`. */
function sumUp(machine: Machine, last: number): void {
  const begin = Math.floor(last / HALF_HOUR_S) * HALF_HOUR_S;
  const those = machine.samples.filter(({ time }) => time >= begin);
  const mean = (of: keyof Sample) => those.reduce((sum, one) => sum + one[of], 0) / those.length;
  machine.halfHours.push({
    time: begin + HALF_HOUR_S,
    cpu: mean('cpu'),
    mem: Math.round(mean('mem')),
    netin: Math.round(mean('netin')),
    netout: Math.round(mean('netout')),
    diskread: Math.round(mean('diskread')),
    diskwrite: Math.round(mean('diskwrite')),
  });
  if (machine.halfHours.length > HALF_HOURS) machine.halfHours.shift();
}

/** Adds the traffic since the last call to the counters. */
function count(machine: Machine, now: number): void {
  const { counters } = machine;
  const seconds = counters.at > 0 && machine.running ? (now - counters.at) / 1_000 : 0;
  const use = useOf(machine, now);
  for (const counter of ['netin', 'netout', 'diskread', 'diskwrite'] as const) counters[counter] += Math.round(use[counter] * seconds);
  counters.at = now;
}
