// Everything the hypervisor remembers, as plain JSON. Instants are milliseconds of the sandbox's clock.
import { writtenNet } from './properties.ts';

export interface Disk {
  gigabytes: number;
  /** path -> text: what a snapshot, a backup and a restore carry with them. */
  contents: Record<string, string>;
}

/** Bytes: a second in a sample, all since the machine was made in its counters. */
export interface Traffic {
  netin: number;
  netout: number;
  diskread: number;
  diskwrite: number;
}

export interface Use extends Traffic {
  cpu: number;
  mem: number;
}

/** A minute or half an hour of a machine that runs, named by the second of its end. */
export interface Sample extends Use {
  time: number;
}

export interface Machine {
  vmid: number;
  node: string;
  name: string;
  template: boolean;
  /** What holds it: clone, disk, backup ... */
  lock: string | null;
  /** As PUT /config left it: cards with their MAC, the password as a hash. */
  config: Record<string, string | number>;
  /** Null: half-created. */
  disk: Disk | null;
  running: boolean;
  startedAt: number | null;
  /** When the guest answers: its boot is over. */
  bootedAt: number | null;
  /** What `cipassword` was given as; the configuration keeps its hash. */
  cipassword: string | null;
  /** What cloud-init and the agent have set inside the guest. */
  users: Record<string, string>;
  /** 0 to 1 of its processors; tests set it. */
  load: number;
  /** What a machine that really runs uses; null: its load tells. */
  measured: Use | null;
  /** It runs the rescue system, whose log-in is that of cloud-init. */
  inRescue: boolean;
  /** Rules as they were given, in their order; sets of addresses by their name. */
  firewall: { rules: Record<string, string>[]; options: Record<string, string>; ipsets: Record<string, string[]> };
  /** A guest that does not react to a shutdown. */
  deaf: boolean;
  /** By the minute; the newest hour. */
  samples: Sample[];
  /** By the half hour; the newest week. */
  halfHours: Sample[];
  counters: Traffic & { at: number };
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
  | { kind: 'backup'; vmid: number; storage: string; notes: string }
  | { kind: 'restore'; vmid: number; volid: string }
  /** Comes to nothing, for this reason. */
  | { kind: 'failed'; vmid: number; reason: string };

export interface Task {
  upid: string;
  node: string;
  type: string;
  /** Who began it. */
  user: string;
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
  config: Record<string, string | number>;
  cipassword?: string | null;
  notes: string;
}

/** A console that was asked for and not yet opened. */
export interface ConsoleWish {
  kind: 'text' | 'graphic';
  vmid: number;
  node: string;
  port: number;
  ticket: string;
  /** Of a graphic one, whose protocol asks for it again. */
  password: string;
  /** Who asked for it: nobody else may open it. */
  user: string;
  until: number;
}

export interface HypervisorState {
  nodes: string[];
  machines: Record<string, Machine>;
  tasks: Record<string, Task>;
  backups: Record<string, Backup>;
  /** What its operator has forgotten: names of privileges, of storages, of images. */
  lacking?: string[];
  /** Its release, where it is not the usual one. */
  version?: string;
  /** Nodes that do not answer. */
  down: string[];
  /** Storages of nodes with no room left, as `fra1/local`. */
  full: string[];
  /** The cluster keeps no quorum: nothing that changes is done. */
  withoutQuorum: boolean;
  /** The datacenter's switch, without which no rule of any machine filters. */
  firewall: boolean;
  consoles: ConsoleWish[];
  /** For task and backup names. */
  counter: number;
}

/** What the token may do, as PVE/AccessControl.pm of pve-access-control 8.2 names it. */
export const PRIVILEGES = [
  ...['VM.Allocate', 'VM.Audit', 'VM.Backup', 'VM.Clone', 'VM.Config.CDROM', 'VM.Config.CPU', 'VM.Config.Cloudinit', 'VM.Config.Disk'],
  ...['VM.Config.HWType', 'VM.Config.Memory', 'VM.Config.Network', 'VM.Config.Options', 'VM.Console', 'VM.Monitor', 'VM.PowerMgmt'],
  ...['VM.Snapshot', 'VM.Snapshot.Rollback', 'Datastore.Allocate', 'Datastore.AllocateSpace', 'Datastore.Audit', 'SDN.Use', 'Sys.Audit'],
];
/** Of each node, and what they take. */
export const STORAGES: Readonly<Record<string, string>> = { local: 'images,iso,vztmpl', backup: 'backup', snippets: 'snippets' };
export const RESCUE_IMAGE = 'local:iso/egress-rescue.iso';

export const NODES = ['fra1', 'fra2', 'fra3'] as const;
/** Its machines are real ones, where QEMU is at hand. It has the most memory, so that it is chosen first. */
export const REAL_NODE = 'fra0';
export const isReal = ({ node }: { node: string }): boolean => node === REAL_NODE;
/** Of each node. */
export const NODE_CPUS = 64;
/** Of each node's own storage, for disks of machines. */
export const NODE_DISK_GB = 8_192;
export const memoryOf = (node: string): number => (isReal({ node }) ? 524_288 : 262_144);
export const IMAGES = ['ubuntu-24-04', 'ubuntu-25-04', 'debian-12', 'debian-13', 'windows-2022'] as const;

/** `prepared`: as its operator has made it ready for us; otherwise as it is after its installation. */
export function emptyHypervisorState(prepared = true): HypervisorState {
  const machines = Object.fromEntries(prepared ? NODES.flatMap((node, row) => templatesOn(node, row)) : []);
  const trouble = { down: [], full: [], withoutQuorum: false };
  return { nodes: [...NODES], machines, tasks: {}, backups: {}, ...trouble, firewall: prepared, consoles: [], counter: 0 };
}

/** One of every image, as an operator prepares them on a node: `egress-<image>`. */
export const templatesOn = (node: string, row: number): [number, Machine][] =>
  IMAGES.map((image, column) => {
    const vmid = 9_000 + row * 10 + column;
    return [
      vmid,
      {
        ...blankMachine(vmid, node, `egress-${image}`),
        template: true,
        config: {
          cores: 1,
          memory: 1_024,
          net0: writtenNet('virtio,bridge=vmbr0') ?? '',
          scsi0: `local:vm-${vmid}-disk-0,size=10G`,
          agent: '1',
        },
        disk: { gigabytes: 10, contents: { '/etc/os-release': image } },
      },
    ];
  });

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
  cipassword: null,
  users: {},
  load: 0,
  measured: null,
  inRescue: false,
  firewall: { rules: [], options: {}, ipsets: {} },
  deaf: false,
  samples: [],
  halfHours: [],
  counters: { at: 0, netin: 0, netout: 0, diskread: 0, diskwrite: 0 },
  snapshots: [],
});
