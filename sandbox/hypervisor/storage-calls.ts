// Snapshots, backups, and the contents of storages.
import { holds } from './access.ts';
import { type Call, Refusal } from './call.ts';
import { machineOf, required, settled, task, unlocked } from './calls.ts';
import type { StorageEndpoint } from './endpoints.ts';
import { GB, MB, content, seconds } from './shown.ts';
import { type HypervisorState, NODE_DISK_GB, RESCUE_IMAGE, blankMachine, storagesOf } from './state.ts';
import { fileKey, hasMedium } from './downloads.ts';
import { createMachine } from './template-calls.ts';

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
  storages: (state, { path, user }) =>
    Object.entries(storagesOf(state))
      .filter(([storage]) => holds(state, { user }, `/storage/${storage}`, 'Datastore.Audit', 'Datastore.AllocateSpace'))
      .filter(([storage]) => !state.lacking?.includes(storage))
      .map(([storage, taken]) => {
        const used = state.full.includes(`${path['node']}/${storage}`) ? NODE_DISK_GB * GB : 0;
        const room = { total: NODE_DISK_GB * GB, used, avail: NODE_DISK_GB * GB - used };
        return { storage, content: taken, type: storage.endsWith('lvm') ? 'lvmthin' : 'dir', enabled: 1, active: 1, ...room };
      }),
  content: (state, { path, given }) => [
    ...Object.values(state.backups)
      .filter(({ storage, vmid }) => storage === path['storage'] && (given['vmid'] === undefined || given['vmid'] === String(vmid)))
      .filter(() => given['content'] === undefined || given['content'] === 'backup')
      .map(content),
    ...Object.values(state.files)
      .filter(
        ({ node, volid }) =>
          node === path['node'] && volid.startsWith(`${path['storage']}:`) && volid.split(/[:/]/)[1] === given['content'],
      )
      .map(({ volid, size }) => ({ volid, content: given['content'], format: volid.split('.').at(-1), size })),
    ...(path['storage'] === 'local' &&
    given['content'] === 'iso' &&
    hasMedium(state, path['node'] ?? '', RESCUE_IMAGE) &&
    !state.files[fileKey(path['node'] ?? '', RESCUE_IMAGE)]
      ? [{ volid: RESCUE_IMAGE, content: 'iso', format: 'iso', size: MB }]
      : []),
  ],
  dropContent(state, { path }) {
    const volid = decodeURIComponent(path['volume'] ?? '');
    const file = fileKey(path['node'] ?? '', volid);
    if (state.files[file]) {
      delete state.files[file];
      return null;
    }
    if (!state.backups[volid]) throw new Refusal(`volume '${volid}' does not exist`);
    delete state.backups[volid];
    return null;
  },
  restore(state, call) {
    const { path, given } = call;
    const vmid = Number(required(given, 'vmid'));
    if (given['archive'] === undefined) return createMachine(state, call);
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
