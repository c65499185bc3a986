// Checks that Proxmox VE is set up for us: privileges of the token, templates, the rescue image, the backup storage. Source: pve-access-control,
// PVE/AccessControl.pm, for the names of privileges; pve-storage, PVE/API2/Storage/Status.pm, for the content types of a storage.
import type { Finding } from '#platform/vendor-check.ts';
import { isoStorageOf } from '../../domain/cluster-terms.ts';
import type { Hypervisor } from '../hypervisor.ts';
import type { ProxmoxClient, Resource } from './client.ts';
import { signIn } from './consoles.ts';
import { SWITCH_OFF } from './firewall.ts';
import { templateOn } from './machines.ts';
import { RESCUE_VOLUME } from './settings.ts';

/** The privileges that the token needs in every release. */
const PRIVILEGES = [
  ...['VM.Allocate', 'VM.Audit', 'VM.Backup', 'VM.Clone', 'VM.Config.CDROM', 'VM.Config.CPU', 'VM.Config.Disk'],
  ...[
    'VM.Config.HWType',
    'VM.Config.Memory',
    'VM.Config.Network',
    'VM.Config.Options',
    'VM.Console',
    'VM.Migrate',
    'VM.PowerMgmt',
    'Datastore.AllocateSpace',
    'Datastore.Audit',
  ],
  ...['SDN.Use', 'Sys.Audit'],
];
/** The privilege for the guest agent: release 9 has separated it from the monitor. */
const agentPrivilege = (release: number): string => (release >= 9 ? 'VM.GuestAgent.Unrestricted' : 'VM.Monitor');
const OLDEST = 8;
/** The first release in which an API token opens text consoles: qemu-server 9.2, PVE/API2/Qemu.pm, termproxy. */
const TOKENS_OPEN_CONSOLES = 9.2;

interface Store {
  storage: string;
  content: string;
  active?: number;
}

export function checkOf(client: ProxmoxClient): Pick<Hypervisor, 'check'> {
  const { url, backupStorage = 'backup' } = client.terms;
  const isoStorage = isoStorageOf(client.terms);

  async function version(): Promise<{ release: number; minor: number; finding: Finding }> {
    const { version: full } = await client.call<{ version: string }>('GET', '/version');
    const release = Number.parseInt(full, 10);
    return {
      release,
      minor: Number.parseFloat(full),
      finding: { what: 'version', ok: release >= OLDEST, words: `Proxmox VE ${full} at ${url}` },
    };
  }

  async function privileges(release: number): Promise<Finding> {
    const held = await heldPrivileges(client);
    const missing = [...PRIVILEGES, agentPrivilege(release)].filter((privilege) => !held.has(privilege));
    return {
      what: 'privileges',
      ok: missing.length === 0,
      words: missing.length === 0 ? 'every one that is needed' : `missing: ${missing.join(', ')}`,
    };
  }

  function templates(nodes: readonly string[], machines: readonly Resource[], images: readonly string[]): Finding {
    const missing = nodes.flatMap((node) =>
      images.filter((image) => templateOn(machines, node, image) === undefined).map((image) => `egress-${image} on ${node}`),
    );
    return {
      what: 'templates',
      ok: missing.length === 0,
      words: missing.length === 0 ? 'one of each image on every node' : `missing: ${missing.join(', ')}`,
    };
  }

  async function stores(node: string): Promise<Finding[]> {
    const found = await client.call<Store[]>('GET', `/nodes/${node}/storage`);
    const takes = (name: string, kind: string): Finding => {
      const store = found.find(({ storage }) => storage === name);
      const words = !store
        ? `${node} has no storage ${name}`
        : !store.active
          ? `${name} of ${node} is not active`
          : store.content.split(',').includes(kind)
            ? ''
            : `${name} of ${node} takes no ${kind}`;
      return { what: kind === 'backup' ? 'backups' : 'rescue', ok: words === '', words: words || `${name} of ${node}` };
    };
    const [backups, rescue] = [takes(backupStorage, 'backup'), takes(isoStorage, 'iso')];
    if (!rescue.ok) return [backups, rescue];
    const volume = `${isoStorage}:${RESCUE_VOLUME}`;
    const images = await client.call<{ volid: string }[]>('GET', `/nodes/${node}/storage/${isoStorage}/content?content=iso`);
    const isThere = images.some(({ volid }) => volid === volume);
    return [backups, { what: 'rescue', ok: isThere, words: isThere ? `${volume} on ${node}` : `${node} has no ${volume}` }];
  }

  return {
    async check(images) {
      const { release, minor, finding } = await version();
      const [nodes, machines] = await Promise.all([client.call<{ node: string; status: string }[]>('GET', '/nodes'), client.resources()]);
      const online = nodes.filter(({ status }) => status === 'online').map(({ node }) => node);
      const away = nodes.length - online.length;
      const found = [finding, await privileges(release)];
      found.push({ what: 'nodes', ok: online.length > 0 && away === 0, words: `${online.length} of ${nodes.length} are online` });
      found.push(templates(online, machines, images));
      found.push(await filtering(client), await consoles(client, minor), snippets(client));
      for (const node of online) found.push(...(await stores(node)));
      return found;
    },
  };
}

/** The privileges that the token has, at whatever path. */
export async function heldPrivileges(client: ProxmoxClient): Promise<Set<string>> {
  const paths = await client.call<Record<string, Record<string, number>>>('GET', '/access/permissions');
  return new Set(Object.values(paths).flatMap((of) => Object.keys(of)));
}

async function filtering(client: ProxmoxClient): Promise<Finding> {
  const { enable = 0 } = await client.call<{ enable?: number | string }>('GET', '/cluster/firewall/options');
  const isOn = String(enable) === '1';
  return { what: 'firewall', ok: isOn, words: isOn ? 'on for the datacenter' : SWITCH_OFF };
}

async function consoles(client: ProxmoxClient, release: number): Promise<Finding> {
  const { console: login } = client.terms;
  if (!login && release >= TOKENS_OPEN_CONSOLES) return { what: 'consoles', ok: true, words: 'the token opens them' };
  if (!login) return { what: 'consoles', ok: false, words: 'text consoles need PROXMOX_CONSOLE_USER: this release refuses tokens there' };
  return signIn(client, login).then(
    () => ({ what: 'consoles', ok: true, words: `${login.user} signs in` }),
    (error: unknown) => ({ what: 'consoles', ok: false, words: `${login.user} cannot sign in: ${(error as Error).message}` }),
  );
}

const snippets = (client: ProxmoxClient): Finding => ({
  what: 'snippets',
  ok: true,
  words: client.terms.snippets
    ? `${client.terms.snippets.storage}, written at ${client.terms.snippets.directory}`
    : 'without PROXMOX_SNIPPETS nobody gives user data, and a further address counts as a first boot: host keys of SSH change',
});
