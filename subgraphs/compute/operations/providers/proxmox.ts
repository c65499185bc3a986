// Proxmox VE as our hypervisor: its HTTP API with an API token. Templates are named `egress-<image>`, one of each image on every node that may build.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Agent, request } from 'undici';
import type { HypervisorTerms } from '../configuration.ts';
import {
  type Flow,
  type Hypervisor,
  HypervisorTrouble,
  type MachineRef,
  type MachineSettings,
  type MachineUse,
  type UseSpan,
} from './hypervisor.ts';
import { createSetFirewall } from '../../networking/providers/proxmox-firewall.ts';

const TIMEOUT_MS = 15_000;
const GB = 1_073_741_824;
const MB_OF_GB = 1_024;
const DISK = 'scsi0';
/** Templates have no drive there. */
const RESCUE_DRIVE = 'sata5';

interface Resource {
  vmid: number;
  node: string;
  name?: string;
  status: string;
  template?: number;
  maxmem?: number;
  maxcpu?: number;
  cpu?: number;
  mem?: number;
}

interface Content {
  volid: string;
  size?: number;
  ctime?: number;
  notes?: string;
}

interface RawFlow {
  netin?: number;
  netout?: number;
  diskread?: number;
  diskwrite?: number;
}
const toFlow = ({ netin = 0, netout = 0, diskread = 0, diskwrite = 0 }: RawFlow): Flow => ({
  netInBytes: netin,
  netOutBytes: netout,
  diskReadBytes: diskread,
  diskWriteBytes: diskwrite,
});

const TIMEFRAMES: Record<UseSpan, string> = { HOUR: 'hour', DAY: 'day', WEEK: 'week' };

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
  const storage = `/storage/${terms.backupStorage ?? 'backup'}/content`;
  const configOf = (ref: MachineRef) => call<Record<string, string | number>>('GET', `${at(ref)}/config`);

  const snippetOf = ({ number }: MachineRef, directory: string) => join(directory, `egress-${number}.yaml`);

  /** Beside what the hypervisor itself tells cloud-init, as a vendor's data. Its API takes no such files, so they are laid into the storage. */
  async function giveUserData(ref: MachineRef, userData: string | null): Promise<Record<string, string>> {
    if (userData === null || !terms.snippets) return {};
    await mkdir(terms.snippets.directory, { recursive: true });
    await writeFile(snippetOf(ref, terms.snippets.directory), userData, { mode: 0o640 });
    return { cicustom: `vendor=${terms.snippets.storage}:snippets/${basename(snippetOf(ref, ''))}` };
  }

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
          number: vmid,
          node,
          name,
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
        note: String(config['description'] ?? '').trim(),
      };
    },
    async configure(ref, settings) {
      await call('PUT', `${at(ref)}/config`, {
        ...toConfig(settings),
        ...(await giveUserData(ref, settings.userData)),
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
    async bootsRescue(ref) {
      const config = await configOf(ref);
      return config[RESCUE_DRIVE] !== undefined && String(config['boot']).startsWith(`order=${RESCUE_DRIVE}`);
    },
    async setBoot(ref, rescue) {
      await call(
        'PUT',
        `${at(ref)}/config`,
        rescue
          ? {
              [RESCUE_DRIVE]: `${terms.isoStorage ?? 'local'}:iso/egress-rescue.iso,media=cdrom`,
              boot: `order=${RESCUE_DRIVE};${DISK}`,
              ciuser: rescue.loginName,
              cipassword: rescue.password,
            }
          : { boot: `order=${DISK}`, delete: RESCUE_DRIVE },
      );
    },
    setFirewall: createSetFirewall(call, at),
    async setPassword(ref, username, password) {
      await call('POST', `${at(ref)}/agent/set-user-password`, { username, password });
    },
    async remove(ref) {
      if (terms.snippets) await rm(snippetOf(ref, terms.snippets.directory), { force: true });
      return call('DELETE', `${at(ref)}?purge=1`);
    },
    async note(ref, text) {
      await call('PUT', `${at(ref)}/config`, { description: text });
    },
    save: ({ node, number }, note) =>
      call('POST', `/nodes/${node}/vzdump`, {
        vmid: String(number),
        storage: terms.backupStorage ?? 'backup',
        mode: 'snapshot',
        compress: 'zstd',
        // What is kept is decided here, not by the storage.
        remove: '0',
        'notes-template': note,
      }),
    saved: async ({ node, number }) =>
      (await call<Content[]>('GET', `/nodes/${node}${storage}?content=backup&vmid=${number}`)).map(
        ({ volid, size = 0, ctime = 0, notes = '' }) => ({
          volume: volid,
          sizeBytes: BigInt(size),
          savedAt: new Date(ctime * 1_000),
          note: notes.trim(),
        }),
      ),
    replace: ({ node, number }, volume) => call('POST', `/nodes/${node}/qemu`, { vmid: String(number), archive: volume, force: '1' }),
    async dropSaved({ node }, volume) {
      await call('DELETE', `/nodes/${node}${storage}/${encodeURIComponent(volume)}`);
    },
    async use() {
      const uses: MachineUse[] = [];
      // Ten thousand at a time: no object more than is told.
      for (const one of await call<(Resource & RawFlow)[]>('GET', '/cluster/resources?type=vm'))
        if (one.template !== 1)
          uses.push({
            name: one.name ?? '',
            running: one.status === 'running',
            cpu: one.cpu ?? 0,
            memoryBytes: one.mem ?? 0,
            memoryTotalBytes: one.maxmem ?? 0,
            netInBytes: one.netin ?? 0,
            netOutBytes: one.netout ?? 0,
            diskReadBytes: one.diskread ?? 0,
            diskWriteBytes: one.diskwrite ?? 0,
          });
      return uses;
    },
    history: async (ref, span) =>
      (
        await call<(RawFlow & { time: number; cpu?: number; mem?: number })[]>(
          'GET',
          `${at(ref)}/rrddata?timeframe=${TIMEFRAMES[span]}&cf=AVERAGE`,
        )
      ).map(({ time, cpu = 0, mem = 0, ...flow }) => ({ at: new Date(time * 1_000), cpu, memoryBytes: mem, ...toFlow(flow) })),
    async openConsole(ref, kind) {
      const body: Record<string, string> = kind === 'TEXT' ? { serial: 'serial0' } : { websocket: '1', 'generate-password': '1' };
      const { user, ticket, port, password } = await call<{ user: string; ticket: string; port: string | number; password?: string }>(
        'POST',
        `${at(ref)}/${kind === 'TEXT' ? 'termproxy' : 'vncproxy'}`,
        body,
      );
      const query = new URLSearchParams({ port: String(port), vncticket: ticket });
      return {
        url: `${terms.url.replace(/^http/, 'ws')}/api2/json${at(ref)}/vncwebsocket?${query}`,
        authorization: `PVEAPIToken=${terms.token}`,
        user,
        ticket,
        password: password ?? null,
      };
    },
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
  // The line of the text console.
  serial0: 'socket',
  ...Object.fromEntries(
    addresses.flatMap(({ ip, bits, gateway }, index) => [
      [`ipconfig${index}`, `ip=${ip}/${bits}${index === 0 ? `,gw=${gateway}` : ''}`],
      // The hypervisor adds a hardware address of its own after the model.
      ...(index === 0 ? [] : [[`net${index}`, 'virtio,bridge=vmbr0']]),
    ]),
  ),
});
