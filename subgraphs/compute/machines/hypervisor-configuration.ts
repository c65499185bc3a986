// What is read of the configuration to make servers.
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';

/** "203.0.113.10-203.0.113.250/24" */
const addressRange = z.string().transform((value, context) => {
  const [, first = '', last = '', bits = ''] = /^([\d.]+)-([\d.]+)\/(\d{1,2})$/.exec(value) ?? [];
  if (!isIPv4(first) || !isIPv4(last) || Number(bits) < 8 || Number(bits) > 32)
    context.addIssue({ code: 'custom', message: 'must be FIRST-LAST/BITS such as 203.0.113.10-203.0.113.250/24' });
  return { first, last, bits: Number(bits) };
});

/** "snippets:/mnt/pve/shared/snippets" */
const snippets = z.string().transform((value, context) => {
  const [, storage = '', directory = ''] = /^([\w-]+):(\/.+)$/.exec(value) ?? [];
  if (!storage) context.addIssue({ code: 'custom', message: 'must be STORAGE:FOLDER such as shared:/mnt/pve/shared/snippets' });
  return { storage, directory };
});

export const serverConfiguration = configPart(
  {
    PROXMOX_URL: [url('http', 'https').optional(), 'Proxmox VE that servers run on, as https://HOST:8006; without it the sandbox plays it'],
    PROXMOX_TOKEN: [
      z
        .string()
        .regex(/^[^!=\s]+@[^!=\s]+![^!=\s]+=\S+$/, 'must be USER@REALM!NAME=SECRET')
        .optional(),
      'API token for it, as USER@REALM!NAME=SECRET',
    ],
    PROXMOX_BACKUP_STORAGE: [z.string().min(1).default('backup'), 'its storage that backups of servers go to; every node must reach it'],
    PROXMOX_SNIPPETS: [
      snippets.optional(),
      'STORAGE:FOLDER of its snippets, where this process can write them; without it nobody can give user data for cloud-init',
    ],
    SERVER_ADDRESSES: [addressRange.optional(), 'IPv4 addresses of servers, as FIRST-LAST/BITS; without them no servers are sold'],
    SERVER_GATEWAY: [z.ipv4('must be an IPv4 address').optional(), 'the gateway of those addresses'],
  },
  { together: { PROXMOX_URL: ['PROXMOX_TOKEN', 'SERVER_ADDRESSES', 'SERVER_GATEWAY'] } },
);

/** Where servers are made, and the addresses that they get. */
export interface HypervisorTerms {
  url: string;
  token: string;
  addresses: { first: string; last: string; bits: number };
  gateway: string;
  /** Where a server answers once it is up; absent: 22, and 3389 on Windows. */
  reachPort?: number;
  /** A storage of snippets and the folder in which this process reaches it; absent: nobody can give user data. */
  snippets?: { storage: string; directory: string };
  /** The storage that has `egress-rescue.iso`; absent: `local`. */
  isoStorage?: string;
  /** The storage that backups go to; absent: `backup`. */
  backupStorage?: string;
  /** How long an answer may take; absent: 15 s. */
  timeoutMs?: number;
}

/** Without it no servers are sold. The sandbox's guests answer in loopback's own network. */
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
    };
  },
  played: (sandbox, { DATA_DIR }) => ({
    url: sandbox.url('hypervisor'),
    token: sandbox.accepts('hypervisorToken'),
    addresses: { first: '127.80.0.10', last: '127.80.3.250', bits: 16 },
    gateway: '127.80.0.1',
    reachPort: sandbox.port('guests'),
    snippets: { storage: 'snippets', directory: join(DATA_DIR, 'sandbox', 'snippets') },
  }),
});
