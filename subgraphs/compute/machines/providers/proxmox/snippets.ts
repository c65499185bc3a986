// Files for cloud-init. Proxmox VE's API cannot upload them, so they are written to a storage of snippets, and the machine is configured to read them at its start.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HypervisorTerms } from '../../hypervisor-configuration.ts';
import type { MachineRef, MachineSettings } from '../hypervisor.ts';
import { toProperties } from './properties.ts';

/** For all guests of a template that was made from a publisher's image, which takes no passwords over SSH and has no agent. */
const GUEST = 'egress-guest.yaml';
/**
 * A script in vendor data runs at the first boot whatever commands the customer's own user data has (cloud-init 24.4, scripts_vendor), which is why the agent is not
 * one of `packages`.
 */
const AGENT_SCRIPT = [
  '#!/bin/sh',
  'command -v qemu-ga > /dev/null && exit 0',
  'export DEBIAN_FRONTEND=noninteractive',
  'apt-get -q update && apt-get -q install -y qemu-guest-agent && systemctl start qemu-guest-agent',
  '',
].join('\n');
const BOUNDARY = 'egress-guest';

/** A text of several parts, each with its type: cloud-init 24.4, "MIME multi-part archive". */
const inParts = (parts: readonly [type: string, text: string][]): string =>
  [
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    'MIME-Version: 1.0',
    '',
    ...parts.flatMap(([type, text]) => [`--${BOUNDARY}`, `Content-Type: text/${type}; charset="utf-8"`, '', text]),
    `--${BOUNDARY}--`,
    '',
  ].join('\n');
const completing = (cloudConfig: string): string =>
  inParts([
    ['cloud-config', `#cloud-config\nssh_pwauth: true\n${cloudConfig}`],
    ['x-shellscript', AGENT_SCRIPT],
  ]);

const KINDS = ['meta', 'user', 'vendor'] as const;
type Kind = (typeof KINDS)[number];

const nameOf = ({ number }: MachineRef, kind: Kind) => `egress-${number}-${kind}.yaml`;

/**
 * The same instance id for the life of the machine. Otherwise Proxmox VE derives it from user data and network (qemu-server 9.2.6, PVE/QemuServer/Cloudinit.pm,
 * nocloud_gen_metadata), so another address would count as a first boot: host keys would be made anew, the password set back, and user data run again.
 */
const metaOf = ({ number }: MachineRef, { instance }: MachineSettings) => `instance-id: ${instance}-${number}\n`;

/**
 * What Proxmox VE would write as user data, given as vendor data instead: the customer's own file is the user data, which takes precedence where both say
 * something, so that their `users:` and `chpasswd:` hold (cloud-init 24.4, "Vendor-data").
 */
const vendorOf = ({ hostname, loginName, password, sshKeys }: MachineSettings) =>
  [
    `hostname: ${JSON.stringify(hostname)}`,
    'manage_etc_hosts: true',
    `user: ${loginName}`,
    `password: ${JSON.stringify(password)}`,
    'chpasswd: { expire: false }',
    `ssh_authorized_keys: ${JSON.stringify(sshKeys)}`,
    'package_upgrade: false',
    '',
  ].join('\n');

/** Writes the file that completes guests, and returns the value of `cicustom` that names it; empty: there is no storage for it. */
export async function layGuestSnippet({ snippets }: HypervisorTerms): Promise<string> {
  if (!snippets) return '';
  await mkdir(snippets.directory, { recursive: true });
  await writeFile(join(snippets.directory, GUEST), completing(''), { mode: 0o644 });
  return `vendor=${snippets.storage}:snippets/${GUEST}`;
}

/**
 * Writes the files of a machine, and returns the value of `cicustom` that names them; empty: the machine reads none. Windows' cloudbase-init does not support such
 * meta data. `known`: its present value, as its template has it.
 */
export async function laySnippets({ snippets }: HypervisorTerms, ref: MachineRef, settings: MachineSettings, known = ''): Promise<string> {
  if (!snippets || !settings.takesMetaData) return '';
  const { userData } = settings;
  const files: [Kind, string][] = [['meta', metaOf(ref, settings)]];
  if (userData !== null) files.push(['user', userData], ['vendor', completing(vendorOf(settings))]);
  await mkdir(snippets.directory, { recursive: true });
  for (const [kind, text] of files) await writeFile(join(snippets.directory, nameOf(ref, kind)), text, { mode: 0o640 });
  const { vendor = '' } = toProperties(known);
  const kept = userData === null && vendor.endsWith(`/${GUEST}`) ? [`vendor=${vendor}`] : [];
  return [...files.map(([kind]) => `${kind}=${snippets.storage}:snippets/${nameOf(ref, kind)}`), ...kept].join(',');
}

/** Deletes files of a machine. `meta` has the instance id for life; the others may contain secrets. */
export async function dropSnippets({ snippets }: HypervisorTerms, ref: MachineRef, kinds: readonly Kind[] = KINDS): Promise<void> {
  if (!snippets) return;
  for (const kind of kinds) await rm(join(snippets.directory, nameOf(ref, kind)), { force: true });
}

/** Whether user data of a machine's first boot is still there. */
export async function hasSecrets({ snippets }: HypervisorTerms, ref: MachineRef): Promise<boolean> {
  if (!snippets) return false;
  const files = await readdir(snippets.directory).catch(() => [] as string[]);
  return files.includes(nameOf(ref, 'user'));
}
