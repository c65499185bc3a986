// Machines at Proxmox VE: found, placed, cloned from a template, switched on and off, removed.
import { type Hypervisor, HypervisorTrouble, type MachineRef } from '../hypervisor.ts';
import type { ProxmoxClient, Resource } from './client.ts';
import { DISK, dropUserData } from './settings.ts';

const GB = 1_073_741_824;

type Machines = Pick<
  Hypervisor,
  'place' | 'isFree' | 'machines' | 'clone' | 'inspect' | 'resize' | 'start' | 'shutdown' | 'reboot' | 'stop' | 'remove'
>;

export function machinesOf(client: ProxmoxClient): Machines {
  const power = (ref: MachineRef, verb: string) => client.call<string>('POST', `${client.at(ref)}/status/${verb}`, {});
  return {
    async place({ image, cores, ramGb }) {
      const [nodes, machines] = await Promise.all([client.call<(Resource & { node: string })[]>('GET', '/nodes'), client.resources()]);
      const free = nodes
        .filter(({ node, status }) => status === 'online' && templateOn(machines, node, image) !== undefined)
        .map(({ node, maxmem = 0, maxcpu = 0 }) => {
          const promised = machines.filter((machine) => machine.node === node && !machine.template);
          return { node, maxcpu, free: maxmem - promised.reduce((sum, machine) => sum + (machine.maxmem ?? 0), 0) };
        })
        .filter((node) => node.free >= ramGb * GB && node.maxcpu >= cores);
      return free.toSorted((one, other) => other.free - one.free || one.node.localeCompare(other.node))[0]?.node;
    },
    isFree: async (number) => !(await client.resources()).some(({ vmid }) => vmid === number),
    async machines() {
      return (await client.resources())
        .filter(({ template }) => !template)
        .map(({ vmid, node, name = '', status }) => ({
          number: vmid,
          node,
          name,
          running: status === 'running' ? true : status === 'stopped' ? false : undefined,
        }));
    },
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
    resize: (ref, gigabytes) => client.call('PUT', `${client.at(ref)}/resize`, { disk: DISK, size: `${gigabytes}G` }),
    start: (ref) => power(ref, 'start'),
    shutdown: (ref) => power(ref, 'shutdown'),
    reboot: (ref) => power(ref, 'reboot'),
    stop: (ref) => power(ref, 'stop'),
    async remove(ref) {
      await dropUserData(client.terms, ref);
      return client.call('DELETE', `${client.at(ref)}?purge=1`);
    },
  };
}

/** The number of the template of an image on a node. */
export const templateOn = (machines: readonly Resource[], node: string, image: string): number | undefined =>
  machines.find((machine) => machine.template === 1 && machine.node === node && machine.name === `egress-${image}`)?.vmid;
