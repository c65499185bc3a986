// The privileges that each call needs, checked before it runs, as in the real one. Sources: qemu-server 9.2.6, PVE/API2/Qemu.pm (`permissions` of each method,
// check_vm_modify_config_perm, check_storage_access_clone), PVE/API2/Qemu/Agent.pm; pve-storage 9.1.7, PVE/Storage.pm, check_volume_access, and
// PVE/API2/Storage/Content.pm; pve-manager 9.2.11, PVE/API2/VZDump.pm, PVE/API2/Cluster.pm, PVE/API2/Tasks.pm; pve-firewall 6.0.4, PVE/API2/Firewall. Release 8
// asks for VM.Monitor where 9 asks for privileges of the guest agent: pve-access-control, PVE/AccessControl.pm.
import { demand, holds } from './access.ts';
import type { Call } from './call.ts';
import type { EndpointName } from './endpoints.ts';
import type { HypervisorState } from './state.ts';

type Check = (state: HypervisorState, call: Call) => void;

const vmOf = ({ path, given }: Call): string => `/vms/${path['vmid'] ?? given['vmid']}`;
const onMachine =
  (...anyOf: string[]): Check =>
  (state, call) =>
    demand(state, call, vmOf(call), ...anyOf);

/** The privilege of each option of a machine; cloud-init's may be set by either of two. */
const OPTIONS: readonly (readonly [option: RegExp, ...anyOf: string[]])[] = [
  [/^(cores|cpu)$/, 'VM.Config.CPU'],
  [/^memory$/, 'VM.Config.Memory'],
  [/^(scsihw|vga|serial\d)$/, 'VM.Config.HWType'],
  [/^(agent|description|name|onboot|ostype|protection)$/, 'VM.Config.Options'],
  [/^boot$/, 'VM.Config.Disk'],
  [/^net\d$/, 'VM.Config.Network'],
  [
    /^(cicustom|cipassword|citype|ciuser|ciupgrade|nameserver|searchdomain|sshkeys|ipconfig\d)$/,
    'VM.Config.Cloudinit',
    'VM.Config.Network',
  ],
  [/^(ide|sata)\d$/, 'VM.Config.CDROM'],
];

/** Refuses a caller who may not set these options of a machine. */
export function demandOptions(state: HypervisorState, call: Call, vm: string, options: readonly string[]): void {
  for (const option of options) for (const [known, ...anyOf] of OPTIONS) if (known.test(option)) demand(state, call, vm, ...anyOf);
}

const useBridge = (state: HypervisorState, call: Call, net: unknown) =>
  demand(state, call, `/sdn/zones/localnetwork/${/bridge=(\w+)/.exec(String(net))?.[1]}`, 'SDN.Use');

/** A volume that a machine is given: PVE/Storage.pm, check_volume_access. What belongs to the machine itself needs nothing. */
function demandVolume(state: HypervisorState, call: Call, volume: string, vmid?: number): void {
  const storage = `/storage/${volume.split(':')[0]}`;
  const owner = state.backups[volume]?.vmid;
  if (holds(state, call, storage, 'Datastore.Allocate') || (owner !== undefined && owner === vmid)) return;
  if (owner === undefined) return demand(state, call, storage, 'Datastore.AllocateSpace', 'Datastore.Audit');
  demandBackup(state, call, storage, owner);
}

function demandBackup(state: HypervisorState, call: Call, storage: string, owner: number): void {
  demand(state, call, storage, 'Datastore.AllocateSpace');
  demand(state, call, `/vms/${owner}`, 'VM.Backup');
}

const config: Check = (state, call) => {
  const { delete: removed = '', digest: _, skiplock: __, ...options } = call.given;
  demandOptions(state, call, vmOf(call), [...Object.keys(options), ...removed.split(',')]);
  for (const [option, value] of Object.entries(options)) {
    if (/^net\d$/.test(option)) useBridge(state, call, value);
    if (/^(ide|sata)\d$/.test(option)) demandVolume(state, call, value.split(',')[0] ?? '');
  }
};

const clone: Check = (state, call) => {
  demand(state, call, vmOf(call), 'VM.Clone');
  demand(state, call, `/vms/${call.given['newid']}`, 'VM.Allocate');
  const { scsi0, ...rest } = state.machines[call.path['vmid'] ?? '']?.config ?? {};
  const storage = call.given['storage'] ?? String(scsi0 ?? 'local').split(':')[0];
  demand(state, call, `/storage/${storage}`, 'Datastore.AllocateSpace');
  for (const [option, value] of Object.entries(rest)) if (/^net\d$/.test(option)) useBridge(state, call, value);
};

const restore: Check = (state, call) => {
  const { archive, force, vmid = '' } = call.given;
  // A new machine is checked where it is made: `template-calls.ts`.
  if (archive === undefined) return;
  const replaces = force === '1' && state.machines[vmid] !== undefined && holds(state, call, `/vms/${vmid}`, 'VM.Backup');
  if (!replaces) demand(state, call, `/vms/${vmid}`, 'VM.Allocate');
  demandVolume(state, call, archive, Number(vmid));
};

/** A task of somebody else is for those who audit the node, or, to stop it, administer it. */
const onTask =
  (privilege: string): Check =>
  (state, call) => {
    const { node = '', upid = '' } = call.path;
    if (state.tasks[upid]?.user !== call.user) demand(state, call, `/nodes/${node}`, privilege);
  };

const dropContent: Check = (state, call) => {
  const owner = state.backups[decodeURIComponent(call.path['volume'] ?? '')]?.vmid;
  const storage = `/storage/${call.path['storage']}`;
  if (owner === undefined) demand(state, call, storage, 'Datastore.Allocate');
  else demandBackup(state, call, storage, owner);
};

const [audits, switches, restricts] = [onMachine('VM.Audit'), onMachine('VM.PowerMgmt'), onMachine('VM.Config.Network')];

/** Calls without a row need no privilege, or check it themselves. */
export const PERMISSIONS: Partial<Record<EndpointName, Check>> = {
  clusterFirewall: (state, call) => demand(state, call, '/', 'Sys.Audit'),
  readConfig: audits,
  current: audits,
  metrics: audits,
  snapshots: audits,
  start: switches,
  stop: switches,
  shutdown: switches,
  reboot: switches,
  clone,
  config,
  resize: onMachine('VM.Config.Disk'),
  migrate: onMachine('VM.Migrate'),
  destroy: onMachine('VM.Allocate'),
  password: (state, call) =>
    demand(state, call, vmOf(call), Number.parseInt(state.version ?? '8', 10) >= 9 ? 'VM.GuestAgent.Unrestricted' : 'VM.Monitor'),
  termproxy: onMachine('VM.Console'),
  vncproxy: onMachine('VM.Console'),
  websocket: onMachine('VM.Console'),
  snapshot: onMachine('VM.Snapshot'),
  dropSnapshot: onMachine('VM.Snapshot'),
  rollback: onMachine('VM.Snapshot', 'VM.Snapshot.Rollback'),
  backup(state, call) {
    demand(state, call, vmOf(call), 'VM.Backup');
    demand(state, call, `/storage/${call.given['storage'] ?? 'local'}`, 'Datastore.AllocateSpace');
  },
  restore,
  content: (state, call) => demand(state, call, `/storage/${call.path['storage']}`, 'Datastore.Audit', 'Datastore.AllocateSpace'),
  dropContent,
  task: onTask('Sys.Audit'),
  stopTask: onTask('Sys.Modify'),
  rules: audits,
  firewallOptions: audits,
  ipsets: audits,
  ipset: audits,
  addRule: restricts,
  dropRule: restricts,
  setFirewallOptions: restricts,
  addIpset: restricts,
  addToIpset: restricts,
  dropFromIpset: restricts,
};
