// What a machine at Proxmox VE is set to: its size, its network, what cloud-init and the guest's agent are given, what it boots from.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { HypervisorTerms } from '../../hypervisor-configuration.ts';
import type { Hypervisor, MachineRef, MachineSettings } from '../hypervisor.ts';
import type { ProxmoxClient } from './client.ts';

const MB_OF_GB = 1_024;
export const DISK = 'scsi0';
/** In the storage of images. */
export const RESCUE_VOLUME = 'iso/egress-rescue.iso';
/** Templates have no drive there. */
const RESCUE_DRIVE = 'sata5';

type Settings = Pick<Hypervisor, 'configure' | 'isConfigured' | 'bootsRescue' | 'setBoot' | 'setPassword' | 'note'>;

export function settingsOf(client: ProxmoxClient): Settings {
  return {
    async configure(ref, settings) {
      await client.setConfig(ref, {
        ...toConfig(settings),
        ...(await giveUserData(client.terms, ref, settings.userData)),
        cipassword: settings.password,
        ...(settings.sshKeys.length > 0 && { sshkeys: encodeURIComponent(settings.sshKeys.join('\n')) }),
      });
    },
    async isConfigured(ref, settings) {
      const config = await client.configOf(ref);
      const wanted = Object.entries(toConfig(settings));
      return config['cipassword'] !== undefined && wanted.every(([key, value]) => String(config[key]).startsWith(value));
    },
    async bootsRescue(ref) {
      const config = await client.configOf(ref);
      return config[RESCUE_DRIVE] !== undefined && String(config['boot']).startsWith(`order=${RESCUE_DRIVE}`);
    },
    async setBoot(ref, rescue) {
      if (!rescue) return client.setConfig(ref, { boot: `order=${DISK}`, delete: RESCUE_DRIVE });
      await client.setConfig(ref, {
        [RESCUE_DRIVE]: `${client.terms.isoStorage ?? 'local'}:${RESCUE_VOLUME},media=cdrom`,
        boot: `order=${RESCUE_DRIVE};${DISK}`,
        ciuser: rescue.loginName,
        cipassword: rescue.password,
      });
    },
    async setPassword(ref, username, password) {
      await client.call('POST', `${client.at(ref)}/agent/set-user-password`, { username, password });
    },
    note: (ref, text) => client.setConfig(ref, { description: text }),
  };
}

const snippetOf = ({ number }: MachineRef, directory: string) => join(directory, `egress-${number}.yaml`);

/** Beside what the hypervisor itself gives cloud-init, as a vendor's data. Its API takes no such files, so they are laid into the storage. */
async function giveUserData({ snippets }: HypervisorTerms, ref: MachineRef, userData: string | null): Promise<Record<string, string>> {
  if (userData === null || !snippets) return {};
  await mkdir(snippets.directory, { recursive: true });
  await writeFile(snippetOf(ref, snippets.directory), userData, { mode: 0o640 });
  return { cicustom: `vendor=${snippets.storage}:snippets/${basename(snippetOf(ref, ''))}` };
}

export async function dropUserData({ snippets }: HypervisorTerms, ref: MachineRef): Promise<void> {
  if (snippets) await rm(snippetOf(ref, snippets.directory), { force: true });
}

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
