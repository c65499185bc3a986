// Machines, nodes and backups in the form in which the hypervisor's API returns them, in its own words and units.
import { useOf } from './life.ts';
import { type Backup, type HypervisorState, type Machine, NODE_CPUS, NODE_DISK_GB, memoryOf, storagesOf } from './state.ts';

export const MB = 1_048_576;
export const GB = 1_073_741_824;

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

export const summary = (machine: Machine, at: number) => {
  const use = useOf(machine, at);
  const { at: _, ...traffic } = machine.counters;
  return {
    vmid: machine.vmid,
    name: machine.name,
    status: machine.running ? 'running' : 'stopped',
    template: machine.template ? 1 : 0,
    ...(machine.lock && { lock: machine.lock }),
    cpus: Number(machine.config['cores'] ?? 1),
    cpu: use.cpu,
    mem: use.mem,
    maxmem: Number(machine.config['memory'] ?? 512) * MB,
    maxdisk: (machine.disk?.gigabytes ?? 0) * GB,
    uptime: machine.startedAt === null ? 0 : seconds(at - machine.startedAt),
    ...traffic,
  };
};

export const content = ({ volid, vmid, at, disk, notes }: Backup) => ({
  volid,
  vmid,
  content: 'backup',
  format: 'vma.zst',
  subtype: 'qemu',
  ctime: seconds(at),
  size: disk.gigabytes * GB,
  notes,
});

export function nodeOf(state: HypervisorState, node: string, at: number) {
  const running = Object.values(state.machines).filter((machine) => machine.node === node && machine.running);
  return {
    node,
    status: state.down.includes(node) ? 'offline' : 'online',
    maxcpu: NODE_CPUS,
    maxmem: memoryOf(node) * MB,
    cpu: running.reduce((sum, { load, config }) => sum + (load * Number(config['cores'] ?? 1)) / NODE_CPUS, 0),
    mem: running.reduce((sum, machine) => sum + useOf(machine, at).mem, 0),
  };
}

/** The storages of each node, and their used space: PVE/API2/Cluster.pm, resources. */
export const storageRows = (state: HypervisorState) =>
  state.nodes.flatMap((node) =>
    Object.entries(storagesOf(state)).map(([storage, content]) => {
      const taken = Object.values(state.machines).reduce(
        (sum, machine) => sum + (machine.node === node ? (machine.disk?.gigabytes ?? 0) : 0),
        0,
      );
      const isShared = !storage.startsWith('local');
      const isFull = state.full.includes(`${node}/${storage}`);
      const down = state.down.includes(node);
      return {
        type: 'storage',
        id: `storage/${node}/${storage}`,
        node,
        storage,
        content,
        status: down ? 'unknown' : 'available',
        shared: isShared ? 1 : 0,
        ...(!down && { maxdisk: NODE_DISK_GB * GB, disk: isFull ? NODE_DISK_GB * GB : isShared ? 0 : taken * GB }),
      };
    }),
  );
