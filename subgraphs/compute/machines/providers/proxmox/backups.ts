// Copies of machines on Proxmox VE's backup storage.
import type { Hypervisor } from '../hypervisor.ts';
import type { ProxmoxClient } from './client.ts';

interface Content {
  volid: string;
  size?: number;
  ctime?: number;
  notes?: string;
}

export function backupsOf(client: ProxmoxClient): Pick<Hypervisor, 'save' | 'saved' | 'replace' | 'dropSaved'> {
  const storage = client.terms.backupStorage ?? 'backup';
  const content = `/storage/${storage}/content`;
  return {
    save: ({ node, number }, note) =>
      client.call('POST', `/nodes/${node}/vzdump`, {
        vmid: String(number),
        storage,
        mode: 'snapshot',
        compress: 'zstd',
        // We decide which backups are kept, not the storage.
        remove: '0',
        'notes-template': note,
      }),
    saved: async ({ node, number }) =>
      (await client.call<Content[]>('GET', `/nodes/${node}${content}?content=backup&vmid=${number}`)).map(
        ({ volid, size = 0, ctime = 0, notes = '' }) => ({
          volume: volid,
          sizeBytes: BigInt(size),
          savedAt: new Date(ctime * 1_000),
          note: notes.trim(),
        }),
      ),
    replace: ({ node, number }, volume) =>
      client.call('POST', `/nodes/${node}/qemu`, { vmid: String(number), archive: volume, force: '1' }),
    async dropSaved({ node }, volume) {
      await client.call('DELETE', `/nodes/${node}${content}/${encodeURIComponent(volume)}`);
    },
  };
}

/** The numbers of machines that have copies on the backup storage, as any online node sees it. */
export async function savedNumbers(client: ProxmoxClient): Promise<number[]> {
  const storage = client.terms.backupStorage ?? 'backup';
  const nodes = await client.call<{ node: string; status: string }[]>('GET', '/nodes');
  const { node } = nodes.find(({ status }) => status === 'online') ?? {};
  if (node === undefined) return [];
  const copies = await client.call<{ vmid?: number }[]>('GET', `/nodes/${node}/storage/${storage}/content?content=backup`);
  return copies.flatMap(({ vmid }) => (vmid === undefined ? [] : [vmid]));
}
