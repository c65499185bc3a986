// The hypervisor's state as plain JSON. Times are milliseconds of the sandbox's clock.
import { writtenNet } from './properties.ts';

export interface Disk {
  gigabytes: number;
  /** From path to text; snapshots, backups and restores include it. */
  contents: Record<string, string>;
}

/** Bytes: per second in a sample, since the creation of the machine in its counters. */
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

/** The usage in one minute or half hour of a running machine, named by the second at its end. */
export interface Sample extends Use {
  time: number;
}

export interface Machine {
  vmid: number;
  node: string;
  name: string;
  template: boolean;
  /** The operation that locks it: clone, disk, backup ... */
  lock: string | null;
  /** As PUT /config has stored it: network cards with their MAC, the password as a hash. */
  config: Record<string, string | number>;
  /** Null when the machine is only half created. */
  disk: Disk | null;
  running: boolean;
  startedAt: number | null;
  /** The time from which the guest answers, since its boot has ended. */
  bootedAt: number | null;
  /** The plain value of `cipassword`; the configuration has its hash. */
  cipassword: string | null;
  /** The users that cloud-init and the agent have set inside of the guest, with their passwords. */
  users: Record<string, string>;
  /** The used share of its processors, 0 to 1; tests set it. */
  load: number;
  /** The measured usage of a real machine; null: computed from its load. */
  measured: Use | null;
  /** It runs the rescue system, whose log-in is the one that cloud-init sets. */
  inRescue: boolean;
  /** Rules as they were sent, in order; sets of addresses by name. */
  firewall: { rules: Record<string, string>[]; options: Record<string, string>; ipsets: Record<string, string[]> };
  /** A guest that does not react to a shutdown. */
  deaf: boolean;
  /** Per minute, for the last hour. */
  samples: Sample[];
  /** Per half hour, for the last week. */
  halfHours: Sample[];
  counters: Traffic & { at: number };
  snapshots: { name: string; description: string; at: number; disk: Disk }[];
}

/** An image on a storage, by its node. */
export interface StoredFile {
  volid: string;
  node: string;
  /** Bytes of the file; the disk in it has `gigabytes`. */
  size: number;
  gigabytes: number;
  digest: string;
}

export interface DownloadEffect {
  kind: 'download';
  vmid: 0;
  node: string;
  storage: string;
  volid: string;
  url: string;
  checksum?: string;
  algorithm?: string;
  /** What came of it, once it has been fetched. */
  outcome?: StoredFile | { failure: string };
}

/** The effect of a task when it ends. */
export type Effect =
  | DownloadEffect
  | { kind: 'create'; vmid: number; storage: string; source: string }
  | { kind: 'template'; vmid: number }
  | { kind: 'clone'; vmid: number }
  | { kind: 'migrate'; vmid: number; target: string; withLocalDisks: boolean }
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
  /** Has no effect, for this reason. */
  | { kind: 'failed'; vmid: number; reason: string };

export interface Task {
  upid: string;
  node: string;
  type: string;
  /** The caller that started it. */
  user: string;
  vmid: number;
  startedAt: number;
  endsAt: number;
  /** Null while it runs. */
  exitstatus: string | null;
  effect: Effect;
  /** How it will end; `ok` unless a fault applies. */
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

/** A console that was requested and is not open yet. */
export interface ConsoleWish {
  kind: 'text' | 'graphic';
  vmid: number;
  node: string;
  port: number;
  ticket: string;
  /** The password of a graphic console, whose protocol asks for it too. */
  password: string;
  /** The user who requested it; nobody else may open it. */
  user: string;
  until: number;
}

/** What `pveum` has made. */
export interface Access {
  roles: Record<string, string[]>;
  /** User -> password; null: none. */
  users: Record<string, string | null>;
  /** `user@realm!name` -> secret. */
  tokens: Record<string, string>;
  grants: { path: string; user: string; role: string }[];
}

export interface HypervisorState {
  nodes: string[];
  machines: Record<string, Machine>;
  tasks: Record<string, Task>;
  backups: Record<string, Backup>;
  /** Images for new disks, by node and volume. */
  files: Record<string, StoredFile>;
  /** The storages of each node, and the content that they accept, where they differ from `STORAGES`. */
  storages?: Record<string, string>;
  /** What `pveum` has made; absent: nothing. */
  access?: Access;
  /** What the operator has not set up: names of privileges, of storages, of images. */
  lacking?: string[];
  /** The version, when it is not the default one. */
  version?: string;
  /** Nodes that do not answer. */
  down: string[];
  /** Storages of nodes that are full, as `fra1/local`. */
  full: string[];
  /** The cluster has no quorum: all changes are refused. */
  withoutQuorum: boolean;
  /** The datacenter's main switch: while it is off, no rule of any machine filters. */
  firewall: boolean;
  consoles: ConsoleWish[];
  /** Numbers for names of tasks and backups. */
  counter: number;
}

/** The privileges of the token, with the names of PVE/AccessControl.pm of pve-access-control 8.2. */
export const PRIVILEGES = [
  ...['VM.Allocate', 'VM.Audit', 'VM.Backup', 'VM.Clone', 'VM.Config.CDROM', 'VM.Config.CPU', 'VM.Config.Cloudinit', 'VM.Config.Disk'],
  ...['VM.Config.HWType', 'VM.Config.Memory', 'VM.Config.Network', 'VM.Config.Options', 'VM.Console', 'VM.Monitor', 'VM.PowerMgmt'],
  ...['VM.Snapshot', 'VM.Snapshot.Rollback', 'Datastore.Allocate', 'Datastore.AllocateSpace', 'Datastore.Audit', 'SDN.Use', 'Sys.Audit'],
];
/** The storages of each node, and the content that they accept. */
const STORAGES: Readonly<Record<string, string>> = { local: 'images,iso,vztmpl,import', backup: 'backup', snippets: 'snippets' };
/** The storages after an installation: Proxmox VE 8, `/etc/pve/storage.cfg` of its installer. */
const FRESH_STORAGES = { local: 'iso,vztmpl,backup', 'local-lvm': 'images,rootdir' };
export const storagesOf = ({ storages = STORAGES }: Pick<HypervisorState, 'storages'>): Readonly<Record<string, string>> => storages;
/** The file of an agent that runs in a guest. */
export const AGENT = '/usr/sbin/qemu-ga';
export const RESCUE_IMAGE = 'local:iso/egress-rescue.iso';

export const NODES: readonly string[] = ['fra1', 'fra2', 'fra3'];
/** The node with real machines, when QEMU is available. It has the most memory, so that it is chosen first. */
export const REAL_NODE = 'fra0';
export const isReal = ({ node }: { node: string }): boolean => node === REAL_NODE;
/** Of each node. */
export const NODE_CPUS = 64;
/** Of each node's own storage for disks of machines. */
export const NODE_DISK_GB = 8_192;
export const memoryOf = (node: string): number => (isReal({ node }) ? 524_288 : 262_144);
export const IMAGES = ['ubuntu-24-04', 'ubuntu-25-04', 'debian-12', 'debian-13', 'windows-2022'] as const;

/** `prepared`: as the operator has prepared it for the product; otherwise as after its installation. */
export function emptyHypervisorState(prepared = true, nodes: readonly string[] = NODES): HypervisorState {
  const machines = Object.fromEntries(prepared ? nodes.flatMap((node, row) => templatesOn(node, row)) : []);
  const trouble = { down: [], full: [], withoutQuorum: false };
  const fresh = prepared ? {} : { storages: FRESH_STORAGES, lacking: [RESCUE_IMAGE] };
  return {
    nodes: [...nodes],
    machines,
    tasks: {},
    backups: {},
    files: {},
    ...trouble,
    ...fresh,
    firewall: prepared,
    consoles: [],
    counter: 0,
  };
}

/** One template of every image on a node, named `egress-<image>`. */
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
          scsi0: `local:base-${vmid}-disk-0,size=10G`,
          ide2: `local:vm-${vmid}-cloudinit,media=cdrom`,
          agent: '1',
        },
        disk: { gigabytes: 10, contents: { '/etc/os-release': image, [AGENT]: '' } },
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
