// Everything the hypervisor remembers, as plain JSON. Instants are milliseconds of the sandbox's clock.

export interface Disk {
  gigabytes: number;
  /** path -> text: what a snapshot, a backup and a restore carry with them. */
  contents: Record<string, string>;
}

/** One minute of a machine that runs. */
export interface Sample {
  time: number;
  cpu: number;
  mem: number;
  netin: number;
  netout: number;
  diskread: number;
  diskwrite: number;
}

export interface Machine {
  vmid: number;
  node: string;
  name: string;
  template: boolean;
  /** What holds it: clone, disk, backup ... */
  lock: string | null;
  /** As PUT /config left it, passwords in the clear. */
  config: Record<string, string | number>;
  /** Null: half-created. */
  disk: Disk | null;
  running: boolean;
  startedAt: number | null;
  /** When the guest answers: its boot is over. */
  bootedAt: number | null;
  /** What cloud-init and the agent have set inside the guest. */
  users: Record<string, string>;
  /** 0 to 1 of its processors; tests set it. */
  load: number;
  /** A guest that does not react to a shutdown. */
  deaf: boolean;
  samples: Sample[];
  snapshots: { name: string; description: string; at: number; disk: Disk }[];
}

/** What a task does to the world when it ends. */
export type Effect =
  | { kind: 'clone'; vmid: number }
  | { kind: 'resize'; vmid: number; gigabytes: number }
  | { kind: 'start'; vmid: number }
  | { kind: 'stop'; vmid: number }
  | { kind: 'shutdown'; vmid: number }
  | { kind: 'reboot'; vmid: number }
  | { kind: 'destroy'; vmid: number }
  | { kind: 'snapshot'; vmid: number; name: string; description: string }
  | { kind: 'rollback'; vmid: number; name: string }
  | { kind: 'drop_snapshot'; vmid: number; name: string }
  | { kind: 'backup'; vmid: number; storage: string }
  | { kind: 'restore'; vmid: number; volid: string };

export interface Task {
  upid: string;
  node: string;
  type: string;
  vmid: number;
  startedAt: number;
  endsAt: number;
  /** Null while it runs. */
  exitstatus: string | null;
  effect: Effect;
  /** How it will end when it is not to end well. */
  fate: 'ok' | 'half' | 'lost' | 'idle';
}

export interface Backup {
  volid: string;
  storage: string;
  vmid: number;
  at: number;
  disk: Disk;
}

export interface HypervisorState {
  machines: Record<string, Machine>;
  tasks: Record<string, Task>;
  backups: Record<string, Backup>;
  /** Nodes that do not answer. */
  down: string[];
  /** For task and backup names. */
  counter: number;
}

export const NODES = ['fra1', 'fra2', 'fra3'] as const;
/** Of each node. */
export const NODE_CPUS = 64;
export const NODE_MEMORY_MB = 262_144;
export const IMAGES = ['ubuntu-24-04', 'ubuntu-25-04', 'debian-12', 'debian-13', 'windows-2022'] as const;

/** A template of every image on every node, as an operator prepares them: `egress-<image>`. */
export function emptyHypervisorState(): HypervisorState {
  const machines: Record<string, Machine> = {};
  NODES.forEach((node, row) =>
    IMAGES.forEach((image, column) => {
      const vmid = 9_000 + row * 10 + column;
      machines[vmid] = {
        ...blankMachine(vmid, node, `egress-${image}`),
        template: true,
        config: { cores: 1, memory: 1_024, scsi0: `local:vm-${vmid}-disk-0,size=10G`, agent: '1' },
        disk: { gigabytes: 10, contents: { '/etc/os-release': image } },
      };
    }),
  );
  return { machines, tasks: {}, backups: {}, down: [], counter: 0 };
}

export const blankMachine = (vmid: number, node: string, name: string): Machine => ({
  vmid,
  node,
  name,
  template: false,
  lock: null,
  config: {},
  disk: null,
  running: false,
  startedAt: null,
  bootedAt: null,
  users: {},
  load: 0,
  deaf: false,
  samples: [],
  snapshots: [],
});
