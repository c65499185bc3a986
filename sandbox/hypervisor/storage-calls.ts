// Snapshots, backups, and the contents of storages.
import { type Call, Refusal, machineOf, required, settled, task, unlocked } from './calls.ts';
import type { StorageEndpoint } from './endpoints.ts';
import { MB, content, seconds } from './shown.ts';
import { type HypervisorState, RESCUE_IMAGE, STORAGES, blankMachine } from './state.ts';

export const STORAGE_CALLS: Record<StorageEndpoint, (state: HypervisorState, call: Call) => unknown> = {
  snapshots: (state, call) => [
    ...machineOf(state, call).snapshots.map(({ name, description, at }) => ({ name, description, snaptime: seconds(at) })),
    { name: 'current', description: 'You are here!' },
  ],
  snapshot(state, call) {
    const machine = settled(state, call);
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
    unlocked(machine, call);
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
    const machine = known ? unlocked(known, call) : (state.machines[vmid] = blankMachine(vmid, path['node'] ?? '', `VM${vmid}`));
    return task(state, call, machine.node, 'qmrestore', { kind: 'restore', vmid, volid });
  },
};

function onSnapshot(state: HypervisorState, call: Call, kind: 'rollback' | 'drop_snapshot', type: string): string {
  const machine = settled(state, call);
  const name = call.path['snapname'] ?? '';
  if (!machine.snapshots.some((one) => one.name === name)) throw new Refusal(`snapshot '${name}' does not exist`);
  return task(state, call, machine.node, type, { kind, vmid: machine.vmid, name });
}
