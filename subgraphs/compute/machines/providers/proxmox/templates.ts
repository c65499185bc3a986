// Templates at Proxmox VE, made by its API alone. Sources: pve-storage 9.1.7, PVE/API2/Storage/Status.pm, download_url; pve-manager, PVE/API2/Nodes.pm,
// query_url_metadata; qemu-server 9.2.6, PVE/API2/Qemu.pm, create_vm and template, which marks a template before it converts the disk to `base-N-disk-0`.
import { heldPrivileges } from './check.ts';
import { isoStorageOf } from '../../domain/cluster-terms.ts';
import type { TemplateMaker } from '../template-maker.ts';
import type { ProxmoxClient, Resource } from './client.ts';
import { TEMPLATE } from './machines.ts';
import { DISK, RESCUE_VOLUME } from './settings.ts';
import { layGuestSnippet } from './snippets.ts';

/** The first release that takes qcow2 images by download: pve-storage 8.3.6, "import: allow upload of guest images files into import storage". */
const OLDEST = 8.4;
/** What making templates needs beyond servers; either of the last two is enough, and the second needs Sys.Audit too. */
const PRIVILEGES = [
  ...['VM.Allocate', 'VM.Config.HWType', 'VM.Config.Options'],
  ...['Datastore.Allocate', 'Datastore.AllocateSpace', 'Datastore.AllocateTemplate'],
];
const NETWORK = ['Sys.AccessNetwork', 'Sys.Modify'];
const FIRST_NUMBER = 9_000;
const MARK = 'Made by Egress';

type Work = Pick<TemplateMaker, 'download' | 'createFrom' | 'convert' | 'loadRescueImage'>;

export const templatesOf = (client: ProxmoxClient): TemplateMaker => ({ ...looksOf(client), ...workOf(client) });

/** The calls that look at what is there. */
function looksOf(client: ProxmoxClient): Omit<TemplateMaker, keyof Work> {
  const { terms } = client;

  async function found(node: string, image: string): Promise<Resource | undefined> {
    const those = (await client.resources()).filter((one) => one.node === node && one.name === `${TEMPLATE}${image}`);
    return those.find(({ template }) => template === 1) ?? those[0];
  }

  return {
    async obstacles() {
      const { version } = await client.call<{ version: string }>('GET', '/version');
      if (Number.parseFloat(version) < OLDEST)
        return [
          `Proxmox VE ${version} cannot load images by its API: that needs release ${OLDEST}. Make templates by hand, or upgrade it.`,
        ];
      const held = await heldPrivileges(client);
      const missing = PRIVILEGES.filter((privilege) => !held.has(privilege));
      if (!NETWORK.some((privilege) => held.has(privilege))) missing.push('Sys.AccessNetwork');
      if (missing.length === 0) return [];
      const user = terms.token.split('!')[0];
      return [
        `The token lacks ${missing.join(', ')}. On a node:\n` +
          `  pveum role add EgressTemplates --privs "${missing.join(' ')}" && pveum acl modify / --users ${user} --roles EgressTemplates`,
      ];
    },
    async stores(node) {
      const stores = await client.call<{ storage: string; content: string; active?: number; avail?: number }[]>(
        'GET',
        `/nodes/${node}/storage`,
      );
      return stores
        .filter(({ active }) => active === 1)
        .map(({ storage, content, avail = 0 }) => ({ name: storage, takes: content.split(','), freeBytes: avail }));
    },
    async draft(node, image) {
      const one = await found(node, image);
      if (!one) return undefined;
      const config = await client.configOf({ node, number: one.vmid });
      const disk = String(config[DISK] ?? '');
      return {
        number: one.vmid,
        stage: one.template !== 1 ? 'MACHINE' : disk.includes(`base-${one.vmid}-`) ? 'TEMPLATE' : 'MARKED',
        lock: config['lock'] === undefined ? null : String(config['lock']),
        hasDisk: disk !== '',
        isOurs: String(config['description'] ?? '').startsWith(MARK),
      };
    },
    async freeNumber(promised) {
      const taken = new Set((await client.resources()).map(({ vmid }) => vmid));
      const { first, last } = terms.numbers ?? { first: 10_000, last: 999_999_999 };
      let number = FIRST_NUMBER;
      while (taken.has(number) || promised.has(number) || (number >= first && number <= last)) number--;
      promised.add(number);
      return number;
    },
    async hasFile(node, store, file) {
      const files = await client.call<{ volid: string }[]>('GET', `/nodes/${node}/storage/${store}/content?content=import`);
      return files.some(({ volid }) => volid === `${store}:import/${file}`);
    },
    async rescueImageSize(node) {
      const store = isoStorageOf(terms);
      const files = await client.call<{ volid: string; size: number }[]>('GET', `/nodes/${node}/storage/${store}/content?content=iso`);
      return files.find(({ volid }) => volid === `${store}:${RESCUE_VOLUME}`)?.size ?? null;
    },
    async dropFile(node, store, file) {
      await client.call('DELETE', `/nodes/${node}/storage/${store}/content/${encodeURIComponent(`${store}:import/${file}`)}`);
    },
    async sizeAt(node, url) {
      const { size } = await client.call<{ size?: number }>('GET', `/nodes/${node}/query-url-metadata?url=${encodeURIComponent(url)}`);
      return size ?? null;
    },
  };
}

/** The calls that start work. */
function workOf(client: ProxmoxClient): Work {
  const { terms } = client;
  return {
    download: (node, store, file, { url, algorithm, checksum }) =>
      client.call('POST', `/nodes/${node}/storage/${store}/download-url`, {
        content: 'import',
        filename: file,
        url,
        checksum,
        'checksum-algorithm': algorithm,
      }),
    async createFrom(node, number, image, { disks, images, file }) {
      const isWindows = image.startsWith('windows');
      const cicustom = isWindows ? '' : await layGuestSnippet(terms);
      return client.call('POST', `/nodes/${node}/qemu`, {
        vmid: String(number),
        name: `${TEMPLATE}${image}`,
        description: `${MARK} from ${file}`,
        cores: '1',
        memory: '1024',
        cpu: 'host',
        ostype: isWindows ? 'win11' : 'l26',
        scsihw: 'virtio-scsi-single',
        net0: `virtio,bridge=${terms.bridge ?? 'vmbr0'}`,
        [DISK]: `${disks}:0,import-from=${images}:import/${file},discard=on,iothread=1`,
        ide2: `${disks}:cloudinit`,
        boot: `order=${DISK}`,
        agent: 'enabled=1',
        serial0: 'socket',
        vga: 'std',
        ...(cicustom !== '' && { cicustom }),
      });
    },
    loadRescueImage: (node, { file, size, checksum }) =>
      client.upload(`/nodes/${node}/storage/${isoStorageOf(terms)}/upload`, {
        fields: { content: 'iso', 'checksum-algorithm': 'sha256', checksum },
        name: RESCUE_VOLUME.slice('iso/'.length),
        file,
        size,
      }),
    convert: (node, number) => client.call('POST', `${client.at({ node, number })}/template`, { disk: DISK }),
  };
}
