// Proxmox VE as our hypervisor: its HTTP API with an API token. Templates are named `egress-<image>`, one of each image on every node that may build.
import { Agent, request } from 'undici';
import type { HypervisorTerms } from '#shared/vendors.ts';
import { type Hypervisor, HypervisorTrouble, type MachineRef, type MachineSettings } from './hypervisor.ts';

const TIMEOUT_MS = 15_000;
const GB = 1_073_741_824;
const MB_OF_GB = 1_024;
const DISK = 'scsi0';

interface Resource {
  vmid: number;
  node: string;
  name?: string;
  status: string;
  template?: number;
  maxmem?: number;
  maxcpu?: number;
}

export function createProxmox(terms: HypervisorTerms): { hypervisor: Hypervisor; close(): Promise<void> } {
  const agent = new Agent({ connections: 16 });
  const timeout = terms.timeoutMs ?? TIMEOUT_MS;

  async function call<Data>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Record<string, string>): Promise<Data> {
    const what = `${method} ${path}`;
    try {
      const response = await request(`${terms.url}/api2/json${path}`, {
        method,
        dispatcher: agent,
        headers: {
          authorization: `PVEAPIToken=${terms.token}`,
          ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(body && { body: new URLSearchParams(body).toString() }),
        signal: AbortSignal.timeout(timeout),
      });
      const answer = (await response.body.json()) as { data: Data; message?: string; errors?: Record<string, string> };
      if (response.statusCode === 200) return answer.data;
      throw new HypervisorTrouble(`${what}: ${response.statusCode} ${answer.message?.trim() ?? ''} ${JSON.stringify(answer.errors ?? {})}`);
    } catch (error) {
      if (error instanceof HypervisorTrouble) throw error;
      throw new HypervisorTrouble(`${what}: ${String(error)}`, { cause: error });
    }
  }
  const at = ({ node, number }: MachineRef) => `/nodes/${node}/qemu/${number}`;
  const resources = () => call<Resource[]>('GET', '/cluster/resources?type=vm');
  const toDo = (ref: MachineRef, verb: string) => call<string>('POST', `${at(ref)}/status/${verb}`, {});
  const configOf = (ref: MachineRef) => call<Record<string, string | number>>('GET', `${at(ref)}/config`);

  const hypervisor: Hypervisor = {
    async place({ image, cores, ramGb }) {
      const [nodes, machines] = await Promise.all([call<(Resource & { node: string })[]>('GET', '/nodes'), resources()]);
      const free = nodes
        .filter(({ node, status }) => status === 'online' && templateOn(machines, node, image) !== undefined)
        .map(({ node, maxmem = 0, maxcpu = 0 }) => {
          const promised = machines.filter((machine) => machine.node === node && !machine.template);
          return { node, maxcpu, free: maxmem - promised.reduce((sum, machine) => sum + (machine.maxmem ?? 0), 0) };
        })
        .filter((node) => node.free >= ramGb * GB && node.maxcpu >= cores);
      return free.toSorted((one, other) => other.free - one.free || one.node.localeCompare(other.node))[0]?.node;
    },
    isFree: async (number) => !(await resources()).some(({ vmid }) => vmid === number),
    async machines() {
      return (await resources())
        .filter(({ template }) => !template)
        .map(({ vmid, node, name = '', status }) => ({
          ...{ number: vmid, node, name },
          running: status === 'running' ? true : status === 'stopped' ? false : undefined,
        }));
    },
    async clone({ node, number }, image, name) {
      const template = templateOn(await resources(), node, image);
      if (template === undefined) throw new HypervisorTrouble(`node ${node} has no template of ${image}`);
      return call<string>('POST', `/nodes/${node}/qemu/${template}/clone`, { newid: String(number), name, full: '1' });
    },
    async inspect(ref) {
      const [status, config] = await Promise.all([
        call<{ status: string; lock?: string; uptime?: number }>('GET', `${at(ref)}/status/current`),
        configOf(ref),
      ]);
      const size = /size=(\d+)G/.exec(String(config[DISK] ?? ''))?.[1];
      return {
        running: status.status === 'running',
        busy: status.lock !== undefined,
        diskGb: size === undefined ? null : Number(size),
        uptimeSeconds: status.uptime ?? 0,
      };
    },
    async configure(ref, settings) {
      await call('PUT', `${at(ref)}/config`, {
        ...toConfig(settings),
        cipassword: settings.password,
        ...(settings.sshKeys.length > 0 && { sshkeys: encodeURIComponent(settings.sshKeys.join('\n')) }),
      });
    },
    async isConfigured(ref, settings) {
      const config = await configOf(ref);
      const wanted = Object.entries(toConfig(settings));
      return config['cipassword'] !== undefined && wanted.every(([key, value]) => String(config[key]).startsWith(value));
    },
    resize: (ref, gigabytes) => call('PUT', `${at(ref)}/resize`, { disk: DISK, size: `${gigabytes}G` }),
    start: (ref) => toDo(ref, 'start'),
    shutdown: (ref) => toDo(ref, 'shutdown'),
    reboot: (ref) => toDo(ref, 'reboot'),
    stop: (ref) => toDo(ref, 'stop'),
    async setPassword(ref, username, password) {
      await call('POST', `${at(ref)}/agent/set-user-password`, { username, password });
    },
    remove: (ref) => call('DELETE', `${at(ref)}?purge=1`),
    async work(id) {
      const node = id.split(':')[1] ?? '';
      try {
        const { status, exitstatus } = await call<{ status: string; exitstatus?: string }>(
          'GET',
          `/nodes/${node}/tasks/${encodeURIComponent(id)}/status`,
        );
        if (status === 'running') return 'running';
        return exitstatus === 'OK' || exitstatus?.startsWith('WARNINGS') ? 'done' : 'failed';
      } catch (error) {
        if (error instanceof HypervisorTrouble && error.message.includes('no such task')) return 'unknown';
        throw error;
      }
    },
  };
  return { hypervisor, close: () => agent.close() };
}

const templateOn = (machines: Resource[], node: string, image: string): number | undefined =>
  machines.find((machine) => machine.template === 1 && machine.node === node && machine.name === `egress-${image}`)?.vmid;

/** What can be read back. An interface per address: cloud-init takes one IPv4 each; the first alone has the gateway. */
const toConfig = ({ cores, ramGb, hostname, loginName, addresses }: MachineSettings): Record<string, string> => ({
  cores: String(cores),
  memory: String(ramGb * MB_OF_GB),
  description: hostname,
  ciuser: loginName,
  agent: '1',
  onboot: '1',
  ...Object.fromEntries(
    addresses.flatMap(({ ip, bits, gateway }, index) => [
      [`ipconfig${index}`, `ip=${ip}/${bits}${index === 0 ? `,gw=${gateway}` : ''}`],
      // The hypervisor adds a hardware address of its own after the model.
      ...(index === 0 ? [] : [[`net${index}`, 'virtio,bridge=vmbr0']]),
    ]),
  ),
});
