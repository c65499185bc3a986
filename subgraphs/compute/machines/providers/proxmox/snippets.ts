// Files for cloud-init, which Proxmox VE's API takes none of: they are laid into a storage of snippets, and the machine is told to read them at its start.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HypervisorTerms } from '../../hypervisor-configuration.ts';
import type { MachineRef, MachineSettings } from '../hypervisor.ts';

const KINDS = ['meta', 'user', 'vendor'] as const;
type Kind = (typeof KINDS)[number];

const nameOf = ({ number }: MachineRef, kind: Kind) => `egress-${number}-${kind}.yaml`;

/**
 * The same instance for the life of the machine: without it Proxmox VE makes the id of its user data and network (qemu-server 9.2.6, PVE/QemuServer/Cloudinit.pm,
 * nocloud_gen_metadata), so that an address more is a first boot: host keys are made anew, the password is set back, user data runs again.
 */
const metaOf = ({ number }: MachineRef, { instance }: MachineSettings) => `instance-id: ${instance}-${number}\n`;

/**
 * What Proxmox VE would say of the machine, as its vendor's data: what the customer gives is user data itself, which wins where both say something, so that `users:` and
 * `chpasswd:` of theirs hold (cloud-init 24.4, "Vendor-data").
 */
const vendorOf = ({ hostname, loginName, password, sshKeys }: MachineSettings) =>
  [
    '#cloud-config',
    `hostname: ${JSON.stringify(hostname)}`,
    'manage_etc_hosts: true',
    `user: ${loginName}`,
    `password: ${JSON.stringify(password)}`,
    'chpasswd: { expire: false }',
    `ssh_authorized_keys: ${JSON.stringify(sshKeys)}`,
    'package_upgrade: false',
    '',
  ].join('\n');

/** Lays the files of a machine and returns what it is told of them; empty: it reads none. Windows' cloudbase-init takes no such meta data. */
export async function laySnippets({ snippets }: HypervisorTerms, ref: MachineRef, settings: MachineSettings): Promise<string> {
  if (!snippets || !settings.takesMetaData) return '';
  const { userData } = settings;
  const files: [Kind, string][] = [['meta', metaOf(ref, settings)]];
  if (userData !== null) files.push(['user', userData], ['vendor', vendorOf(settings)]);
  await mkdir(snippets.directory, { recursive: true });
  for (const [kind, text] of files) await writeFile(join(snippets.directory, nameOf(ref, kind)), text, { mode: 0o640 });
  return files.map(([kind]) => `${kind}=${snippets.storage}:snippets/${nameOf(ref, kind)}`).join(',');
}

/** Takes away what it needs no more: `meta` names the instance for life, the others may hold secrets. */
export async function dropSnippets({ snippets }: HypervisorTerms, ref: MachineRef, kinds: readonly Kind[] = KINDS): Promise<void> {
  if (!snippets) return;
  for (const kind of kinds) await rm(join(snippets.directory, nameOf(ref, kind)), { force: true });
}

/** Whether anything of a machine's first boot still lies there. */
export async function hasSecrets({ snippets }: HypervisorTerms, ref: MachineRef): Promise<boolean> {
  if (!snippets) return false;
  const files = await readdir(snippets.directory).catch(() => [] as string[]);
  return files.includes(nameOf(ref, 'user'));
}
