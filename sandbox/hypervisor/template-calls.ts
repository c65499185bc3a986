// What makes templates: images are downloaded, machines are created with a disk from an image, and are converted. Sources: pve-storage 9.1.7,
// PVE/API2/Storage/Status.pm, download_url; pve-manager, PVE/API2/Nodes.pm, query_url_metadata; qemu-server 9.2.6, PVE/API2/Qemu.pm, create_vm and template.
import { demand } from './access.ts';
import { type Call, Refusal } from './call.ts';
import { machineOf, required, task, unlocked } from './calls.ts';
import type { TemplateEndpoint } from './endpoints.ts';
import { demandOptions } from './permissions.ts';
import { writtenNet } from './properties.ts';
import { type HypervisorState, blankMachine, storagesOf } from './state.ts';
import { fileOf } from './upload.ts';

const invalid = (parameter: string, words: string) => new Refusal('Parameter verification failed.', 400, { [parameter]: words });

/** Or Sys.Audit and Sys.Modify at `/`, which the sandbox's own token has as well. */
const mayReachNetworks = (state: HypervisorState, call: Call) =>
  demand(state, call, `/nodes/${call.path['node']}`, 'Sys.AccessNetwork', 'Sys.Modify');

function taking(state: HypervisorState, storage: string): string[] {
  const taken = storagesOf(state)[storage];
  if (taken === undefined || state.lacking?.includes(storage)) throw new Refusal(`storage '${storage}' does not exist`);
  return taken.split(',');
}

export const TEMPLATE_CALLS: Record<TemplateEndpoint, (state: HypervisorState, call: Call) => unknown> = {
  async urlMetadata(state, call) {
    mayReachNetworks(state, call);
    const url = required(call.given, 'url');
    const answer = await fetch(url, { method: 'HEAD' }).catch((error: Error) => error);
    if (answer instanceof Error) throw new Refusal(`invalid server response: '500 Can't connect to ${new URL(url).host}'`);
    if (answer.status !== 200) throw new Refusal(`invalid server response: '${answer.status} ${answer.statusText}'`);
    const size = Number(answer.headers.get('content-length') ?? 0);
    return { filename: new URL(url).pathname.split('/').at(-1), ...(size > 0 && { size }) };
  },
  download(state, call) {
    const { path, given } = call;
    const { node = '', storage = '' } = path;
    demand(state, call, `/storage/${storage}`, 'Datastore.AllocateTemplate');
    mayReachNetworks(state, call);
    const [url, content, filename] = [required(given, 'url'), required(given, 'content'), required(given, 'filename')];
    const { checksum, 'checksum-algorithm': algorithm } = given;
    if ((checksum === undefined) !== (algorithm === undefined)) throw invalid('checksum', "missing property - 'checksum-algorithm'");
    if (!taking(state, storage).includes(content))
      throw new Refusal(`storage '${storage}' is not configured for content-type '${content}'`);
    if (content !== 'import') throw invalid('content', 'the sandbox takes images alone');
    if (!/^[a-zA-Z0-9\-.+=_]+\.(ova|qcow2|raw|vmdk)$/.test(filename)) throw invalid('filename', 'invalid filename or wrong extension');
    const volid = `${storage}:import/${filename}`;
    const wish = { ...(checksum !== undefined && { checksum }), ...(algorithm !== undefined && { algorithm }) };
    return task(state, call, node, 'download', { kind: 'download', vmid: 0, node, storage, volid, url, ...wish });
  },
  // Whoever gets the call passes the file on to the node: that it is another one is not seen.
  upload(state, call) {
    const { node = '', storage = '' } = call.path;
    demand(state, call, `/storage/${storage}`, 'Datastore.AllocateTemplate');
    const [content, filename] = [required(call.given, 'content'), required(call.given, 'filename')];
    if ((call.given['checksum'] === undefined) !== (call.given['checksum-algorithm'] === undefined))
      throw invalid('checksum', "missing property - 'checksum-algorithm'");
    if (content !== 'iso') throw invalid('content', 'the sandbox takes ISO images alone');
    if (!/[^/]+\.(iso|img)$/i.test(filename)) throw invalid('filename', 'wrong file extension');
    if (!taking(state, storage).includes(content)) throw new Refusal(`storage '${storage}' does not support '${content}' content`);
    const volid = `${storage}:iso/${filename.replaceAll(/[^a-zA-Z0-9_.-]/g, '_')}`;
    const outcome = fileOf(state, call, storage, volid, call.bytes ?? Buffer.alloc(0));
    return task(state, call, node, 'imgcopy', { kind: 'download', vmid: 0, node, storage, volid, url: '', outcome });
  },
  template(state, call) {
    const machine = machineOf(state, call);
    demand(state, call, `/vms/${machine.vmid}`, 'VM.Allocate');
    unlocked(machine, call);
    if (machine.snapshots.length > 0) throw new Refusal('unable to create template, because VM contains snapshots');
    if (machine.template && call.given['disk'] === undefined) throw new Refusal("you can't convert a template to a template");
    if (machine.running) throw new Refusal("you can't convert a VM to template if VM is running");
    return task(state, call, machine.node, 'qmtemplate', { kind: 'template', vmid: machine.vmid });
  },
};

interface Disk {
  storage: string;
  /** The volume that it is made from. */
  source: string;
}

/** The disk of a new machine, `STORAGE:0,import-from=VOLUME`. */
function diskOf(state: HypervisorState, call: Call, text: string): Disk {
  const [first = '', ...rest] = text.split(',');
  const [storage = '', size = ''] = first.split(':');
  demand(state, call, `/storage/${storage}`, 'Datastore.AllocateSpace');
  if (!taking(state, storage).includes('images')) throw invalid('storage', `storage '${storage}' does not support vm images`);
  const source = rest.find((part) => part.startsWith('import-from='))?.slice('import-from='.length);
  if (source === undefined) throw invalid('scsi0', 'the sandbox makes disks from images alone');
  if (size !== '0') throw invalid('scsi0', "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>");
  if (source.startsWith('/')) throw new Refusal('Only root can pass arbitrary filesystem paths.');
  const [from = '', volume = ''] = source.split(':');
  taking(state, from);
  if (!volume.startsWith('import/')) throw invalid('scsi0', `${source} has wrong type - needs to be 'images' or 'import'`);
  demand(state, call, `/storage/${from}`, 'Datastore.AllocateSpace', 'Datastore.Audit');
  return { storage, source };
}

export function createMachine(state: HypervisorState, call: Call): string {
  const { node = '' } = call.path;
  const { vmid: number, ...given } = call.given;
  const vmid = Number(number);
  demand(state, call, `/vms/${vmid}`, 'VM.Allocate');
  const disk = diskOf(state, call, required(given, 'scsi0'));
  demandOptions(state, call, `/vms/${vmid}`, Object.keys(given));
  const config: Record<string, string> = {};
  for (const [option, value] of Object.entries(given)) {
    if (/^net\d$/.test(option)) demand(state, call, `/sdn/zones/localnetwork/${/bridge=(\w+)/.exec(value)?.[1]}`, 'SDN.Use');
    const written = /^net\d$/.test(option)
      ? writtenNet(value)
      : value.replace(/^([\w-]+):cloudinit$/, `$1:vm-${vmid}-cloudinit,media=cdrom`);
    if (written === undefined) throw invalid(option, 'invalid format');
    if (!['name', 'scsi0'].includes(option)) config[option] = written;
  }
  const known = state.machines[vmid];
  if (known) throw new Refusal(`unable to create VM ${vmid} - VM ${vmid} already exists on node '${known.node}'`);
  state.machines[vmid] = { ...blankMachine(vmid, node, given['name'] ?? `VM ${vmid}`), config };
  return task(state, call, node, 'qmcreate', { kind: 'create', vmid, ...disk });
}
