// The part of the configuration for the hypervisor on which VPS are made.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';
import { addressRange } from './domain/address-range.ts';
import { apiToken, consoleUser, snippets, vlan } from './domain/cluster-terms.ts';
import type { RoomTerms } from './domain/placement.ts';

/** "10000-19999" */
const numberRange = z.string().transform((value, context) => {
  const [, first, last] = /^(\d{3,9})-(\d{3,9})$/.exec(value) ?? [];
  if (Number(first ?? 0) < 100 || Number(last ?? 0) < Number(first))
    context.addIssue({ code: 'custom', message: 'must be FIRST-LAST such as 10000-19999' });
  return { first: Number(first), last: Number(last) };
});

export const serverConfiguration = configPart(
  {
    PROXMOX_URL: [url('http', 'https').optional(), 'Proxmox VE that servers run on, as https://HOST:8006; without it the sandbox plays it'],
    PROXMOX_TOKEN: [apiToken.optional(), 'API token for it, as USER@REALM!NAME=SECRET'],
    PROXMOX_CA_FILE: [
      z.string().min(1).optional(),
      'PEM file of the authorities that sign its certificates, such as a copy of its /etc/pve/pve-root-ca.pem',
    ],
    PROXMOX_CONSOLE_USER: [
      consoleUser.optional(),
      'user of it that opens text consoles, as USER@REALM; before release 9.2 an API token cannot',
    ],
    PROXMOX_CONSOLE_PASSWORD: [z.string().min(1).optional(), 'the password of that user'],
    PROXMOX_VMIDS: [numberRange.optional(), 'numbers of machines that are ours alone, as FIRST-LAST; default 10000-999999999'],
    PROXMOX_BRIDGE: [z.string().min(1).default('vmbr0'), 'the bridge of every node that servers are connected to; default vmbr0'],
    PROXMOX_VLAN: [vlan.optional(), 'the VLAN of their addresses on that bridge; without it none'],
    SERVER_BANDWIDTH_MBIT: [
      z.coerce.number().int().min(1).default(10_000),
      'what each address of a server may send and receive, in megabits a second; default 10000',
    ],
    PLACEMENT_MEMORY_RESERVE_GB: [
      z.coerce.number().int().min(0).default(8),
      'memory of each node that is kept for itself, in GB; default 8',
    ],
    PLACEMENT_CPU_RATIO: [z.coerce.number().min(1).default(4), 'vCPUs that are sold of each processor thread of a node; default 4'],
    PLACEMENT_DISK_RATIO: [
      z.coerce.number().min(0.5).default(1),
      'GB that are promised of each GB of the storage of disks; above 1 it is sold more often than it is there; default 1',
    ],
    PROXMOX_BACKUP_STORAGE: [z.string().min(1).default('backup'), 'its storage that backups of servers go to; every node must reach it'],
    PROXMOX_SNIPPETS: [
      snippets.optional(),
      'STORAGE:FOLDER of its snippets, where this process can write them; without it nobody can give user data for cloud-init',
    ],
    PROXMOX_IMAGE_MIRROR: [
      url('http', 'https').optional(),
      'a folder with one for each host of cloud images, which templates are made from; without it those hosts',
    ],
    SERVER_ADDRESSES: [addressRange.optional(), 'IPv4 addresses of servers, as FIRST-LAST/BITS; without them no servers are sold'],
    SERVER_GATEWAY: [z.ipv4('must be an IPv4 address').optional(), 'the gateway of those addresses'],
  },
  {
    requires: { PROXMOX_URL: ['PROXMOX_TOKEN', 'SERVER_ADDRESSES', 'SERVER_GATEWAY'], PROXMOX_CONSOLE_USER: ['PROXMOX_CONSOLE_PASSWORD'] },
  },
);

/** The hypervisor, and the addresses that servers get. */
export interface HypervisorTerms {
  url: string;
  token: string;
  addresses: { first: string; last: string; bits: number };
  gateway: string;
  /** The port on which a running server answers; absent: 22, and 3389 on Windows. */
  reachPort?: number;
  /** A storage of snippets, and the directory by which this process reaches it; absent: customers cannot give user data. */
  snippets?: { storage: string; directory: string };
  /** The storage that has `egress-rescue.iso`; absent: `local`. */
  isoStorage?: string;
  /** The storage for backups; absent: `backup`. */
  backupStorage?: string;
  /** The timeout of a request; absent: 15 s. */
  timeoutMs?: number;
  /** Certificates of the authorities that sign the hypervisor's certificate, as PEM; absent: the usual public ones. */
  authorities?: string;
  /** The user who opens text consoles; absent: the API token is used. */
  console?: { user: string; password: string };
  /** The numbers of machines that only we use; absent: from 10000 on. */
  numbers?: { first: number; last: number };
  /** Absent: `vmbr0`. */
  bridge?: string;
  vlan?: number;
  bandwidthMbit?: number;
  /** Where images for templates are, instead of at their publishers; absent: there. */
  imageMirror?: string;
  /** How full a node may be; absent: `USUAL_ROOM`. */
  room?: RoomTerms;
}

/** The user whom the sandbox's hypervisor lets open consoles. */
const SANDBOX_CONSOLE_USER = 'egress-console@pve';

/** Without a hypervisor no VPS are sold. The sandbox's guests answer on loopback addresses. */
export const hypervisorVendor = vendor<HypervisorTerms>({
  name: 'hypervisor',
  configured(config) {
    const { PROXMOX_URL, PROXMOX_TOKEN, SERVER_ADDRESSES, SERVER_GATEWAY, ...own } = serverConfiguration.of(config);
    if (!PROXMOX_URL || !PROXMOX_TOKEN || !SERVER_ADDRESSES || !SERVER_GATEWAY) return undefined;
    return {
      url: PROXMOX_URL.replace(/\/$/, ''),
      token: PROXMOX_TOKEN,
      addresses: SERVER_ADDRESSES,
      gateway: SERVER_GATEWAY,
      backupStorage: own.PROXMOX_BACKUP_STORAGE,
      ...(own.PROXMOX_SNIPPETS && { snippets: own.PROXMOX_SNIPPETS }),
      ...(own.PROXMOX_CA_FILE !== undefined && { authorities: readFileSync(own.PROXMOX_CA_FILE, 'utf8') }),
      ...(own.PROXMOX_CONSOLE_USER !== undefined && {
        console: { user: own.PROXMOX_CONSOLE_USER, password: own.PROXMOX_CONSOLE_PASSWORD ?? '' },
      }),
      ...(own.PROXMOX_VMIDS && { numbers: own.PROXMOX_VMIDS }),
      bridge: own.PROXMOX_BRIDGE,
      ...(own.PROXMOX_VLAN !== undefined && { vlan: own.PROXMOX_VLAN }),
      bandwidthMbit: own.SERVER_BANDWIDTH_MBIT,
      ...(own.PROXMOX_IMAGE_MIRROR !== undefined && { imageMirror: own.PROXMOX_IMAGE_MIRROR }),
      room: { memoryReserveGb: own.PLACEMENT_MEMORY_RESERVE_GB, cpuRatio: own.PLACEMENT_CPU_RATIO, diskRatio: own.PLACEMENT_DISK_RATIO },
    };
  },
  played: (sandbox, { DATA_DIR }) => ({
    url: sandbox.url('hypervisor'),
    token: sandbox.accepts('hypervisorToken'),
    addresses: { first: '127.80.0.10', last: '127.80.3.250', bits: 16 },
    gateway: '127.80.0.1',
    reachPort: sandbox.port('guests'),
    console: { user: SANDBOX_CONSOLE_USER, password: sandbox.accepts('hypervisorConsolePassword') },
    snippets: { storage: 'snippets', directory: join(DATA_DIR, 'sandbox', 'snippets') },
  }),
});
