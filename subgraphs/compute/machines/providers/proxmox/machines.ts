// Machines at Proxmox VE: listed, cloned from a template, switched on and off, removed.
import { type Hypervisor, HypervisorTrouble, type MachineRef } from '../hypervisor.ts';
import type { ProxmoxClient, Resource } from './client.ts';
import { savedNumbers } from './backups.ts';
import { DISK, dropUserData } from './settings.ts';

export const TEMPLATE = 'egress-';

type Machines = Pick<
  Hypervisor,
  | ('nodes' | 'takenNumbers' | 'machines' | 'clone' | 'inspect' | 'migrate' | 'resize')
  | ('start' | 'shutdown' | 'reboot' | 'stop' | 'breakOffSaving' | 'remove')
>;

interface StorageRow {
  node: string;
  storage: string;
  maxdisk?: number;
  disk?: number;
}

export const machinesOf = (client: ProxmoxClient): Machines => ({ ...listsOf(client), ...actionsOf(client) });

/** The calls that list nodes and machines. */
function listsOf(client: ProxmoxClient): Pick<Machines, 'nodes' | 'takenNumbers' | 'machines'> {
  /** The storage of a template's disk, and so of its copies' disks. */
  async function storageOf(machines: readonly Resource[], node: string): Promise<string | null> {
    const template = machines.find((one) => one.node === node && one.template === 1 && one.name?.startsWith(TEMPLATE));
    if (!template) return null;
    const volume = String((await client.configOf({ node, number: template.vmid }))[DISK] ?? '');
    return volume.split(':')[0] || null;
  }

  return {
    async nodes() {
      const [nodes, machines, storages] = await Promise.all([
        client.call<(Resource & { node: string })[]>('GET', '/nodes'),
        client.resources(),
        client.call<StorageRow[]>('GET', '/cluster/resources?type=storage'),
      ]);
      return Promise.all(
        nodes.map(async ({ node: name, status, maxmem = 0, maxcpu = 0 }) => {
          const online = status === 'online';
          const storage = online ? await storageOf(machines, name) : null;
          const { maxdisk = 0, disk = 0 } = storages.find((one) => one.node === name && one.storage === storage) ?? {};
          const images = machines
            .filter((one) => one.node === name && one.template === 1 && one.name?.startsWith(TEMPLATE))
            .map((one) => (one.name ?? '').slice(TEMPLATE.length));
          return { name, online, cores: maxcpu, memoryBytes: maxmem, storage, diskBytes: maxdisk, diskUsedBytes: disk, images };
        }),
      );
    },
    async takenNumbers() {
      const [machines, copies] = await Promise.all([client.resources(), savedNumbers(client)]);
      return new Set([...machines.map(({ vmid }) => vmid), ...copies]);
    },
    async machines() {
      return (await client.resources())
        .filter(({ template }) => !template)
        .map(({ vmid, node, name = '', status, maxcpu = 0, maxmem = 0, maxdisk = 0 }) => ({
          number: vmid,
          node,
          name,
          cores: maxcpu,
          memoryBytes: maxmem,
          diskBytes: maxdisk,
          running: status === 'running' ? true : status === 'stopped' ? false : undefined,
        }));
    },
  };
}

/** The calls that act on one machine. */
function actionsOf(client: ProxmoxClient): Omit<Machines, 'nodes' | 'takenNumbers' | 'machines'> {
  const power = (ref: MachineRef, verb: string, body: Record<string, string> = {}) =>
    client.call<string>('POST', `${client.at(ref)}/status/${verb}`, body);

  return {
    async clone({ node, number }, image, name) {
      const template = templateOn(await client.resources(), node, image);
      if (template === undefined) throw new HypervisorTrouble(`node ${node} has no template of ${image}`);
      return client.call<string>('POST', `/nodes/${node}/qemu/${template}/clone`, { newid: String(number), name, full: '1' });
    },
    async inspect(ref) {
      const [status, config] = await Promise.all([
        client.call<{ status: string; lock?: string; uptime?: number }>('GET', `${client.at(ref)}/status/current`),
        client.configOf(ref),
      ]);
      const size = /size=(\d+)G/.exec(String(config[DISK] ?? ''))?.[1];
      return {
        running: status.status === 'running',
        busy: status.lock !== undefined,
        diskGb: size === undefined ? null : Number(size),
        uptimeSeconds: status.uptime ?? 0,
        note: String(config['description'] ?? '').trim(),
      };
    },
    async migrate(ref, target) {
      const { status } = await client.call<{ status: string }>('GET', `${client.at(ref)}/status/current`);
      const live = status === 'running' && { online: '1', 'with-local-disks': '1' };
      return client.call('POST', `${client.at(ref)}/migrate`, { target, ...live });
    },
    resize: (ref, gigabytes) => client.call('PUT', `${client.at(ref)}/resize`, { disk: DISK, size: `${gigabytes}G` }),
    start: (ref) => power(ref, 'start'),
    shutdown: (ref) => power(ref, 'shutdown'),
    reboot: (ref) => power(ref, 'reboot'),
    async stop(ref) {
      try {
        return await power(ref, 'stop', { 'overrule-shutdown': '1' });
      } catch (error) {
        // Releases before 8.2 do not know this parameter, and a machine managed by HA does not accept it.
        if (error instanceof HypervisorTrouble && error.message.includes('overrule-shutdown')) return power(ref, 'stop');
        throw error;
      }
    },
    async breakOffSaving({ node, number }) {
      const ours = client.terms.token.split('=')[0];
      const tasks = await client.call<{ upid: string; user: string }[]>(
        'GET',
        `/nodes/${node}/tasks?vmid=${number}&source=active&typefilter=vzdump`,
      );
      for (const { upid } of tasks.filter(({ user }) => user === ours))
        await client.call('DELETE', `/nodes/${node}/tasks/${encodeURIComponent(upid)}`);
    },
    async remove(ref) {
      await dropUserData(client, ref);
      return client.call('DELETE', `${client.at(ref)}?purge=1`);
    },
  };
}

/** The number of an image's template on a node. */
export const templateOn = (machines: readonly Resource[], node: string, image: string): number | undefined =>
  machines.find((machine) => machine.template === 1 && machine.node === node && machine.name === `${TEMPLATE}${image}`)?.vmid;
