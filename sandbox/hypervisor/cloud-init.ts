// What a guest's cloud-init does at a boot with the drive that the hypervisor writes at each start. Sources: qemu-server 9.2.6, PVE/QemuServer/Cloudinit.pm:
// the instance id is sha1(user data . network data) unless a `meta` snippet sets it (nocloud_gen_metadata), and a start fails when a named snippet does not exist
// (read_cloudinit_snippets_file); cloud-init 24.4, "Instance metadata": a new instance id means a first boot, at which host keys are made, the password is set and
// user data runs again. A `user` snippet replaces what the hypervisor writes; a `vendor` snippet is merged below it.
import { createHash, randomBytes } from 'node:crypto';
import { AGENT, type Machine } from './state.ts';

/** The text of a snippet by the name of its volume; undefined when it does not exist. */
export type ReadSnippet = (volume: string) => string | undefined;

const CLOUD = '/var/lib/cloud';
export const HOST_KEY = '/etc/ssh/ssh_host_ed25519_key';
export const VENDOR_DATA = `${CLOUD}/instance/vendor-data.txt`;
export const USER_DATA = `${CLOUD}/instance/user-data.txt`;
/** The file that counts how often user data has run. */
export const USER_DATA_RUNS = '/var/log/user-data-runs';
/** The file by which an SSH server takes passwords, where cloud-init has been told `ssh_pwauth: true`; images of publishers take keys alone. */
export const PASSWORDS = '/etc/ssh/sshd_config.d/50-cloud-init.conf';
const INSTANCE_ID = `${CLOUD}/data/instance-id`;

const snippetsOf = ({ config }: Machine): [kind: string, volume: string][] =>
  String(config['cicustom'] ?? '')
    .split(',')
    .filter(Boolean)
    .map((part) => part.split('=', 2) as [string, string]);

/** The volume of a snippet that does not exist, so that the machine cannot start. */
export const missingSnippet = (machine: Machine, read: ReadSnippet): string | undefined =>
  snippetsOf(machine).find(([, volume]) => read(volume) === undefined)?.[1];

const networkOf = ({ config }: Machine): string =>
  Object.entries(config)
    .filter(([key]) => /^(net|ipconfig)\d$/.test(key))
    .map(([key, value]) => `${key}: ${String(value)}`)
    .sort()
    .join('\n');

const field = (text: string, name: string): string | undefined => new RegExp(`^${name}: *"?([^"\\n]+?)"?$`, 'm').exec(text)?.[1];

/** Runs at a boot from the machine's own disk, where the machine has the drive. */
export function runCloudInit(machine: Machine, read: ReadSnippet): void {
  const { config, disk } = machine;
  if (!disk || !Object.entries(config).some(([key, value]) => /^(ide|sata|scsi)\d$/.test(key) && String(value).includes('cloudinit')))
    return;
  const given = Object.fromEntries(snippetsOf(machine).map(([kind, volume]) => [kind, read(volume) ?? '']));
  const own = ['ciuser', 'cipassword', 'sshkeys', 'ciupgrade'].map((key) => `${key}: ${String(config[key] ?? '')}`).join('\n');
  const user = given['user'] ?? `hostname: ${machine.name}\n${own}`;
  const instance =
    given['meta'] === undefined
      ? createHash('sha1')
          .update(`${user}${networkOf(machine)}`)
          .digest('hex')
      : field(given['meta'], 'instance-id');
  if (disk.contents[INSTANCE_ID] === instance) return;
  disk.contents[INSTANCE_ID] = instance ?? '';
  disk.contents[HOST_KEY] = randomBytes(16).toString('hex');
  const [name, password] =
    given['user'] === undefined
      ? [config['ciuser'], machine.cipassword]
      : [field(given['vendor'] ?? '', 'user'), field(given['vendor'] ?? '', 'password')];
  if (name !== undefined && password !== undefined && password !== null) machine.users[String(name)] = password;
  if (given['vendor'] !== undefined) disk.contents[VENDOR_DATA] = given['vendor'];
  if (Object.values(given).some((text) => /^ssh_pwauth: true$/m.test(text))) disk.contents[PASSWORDS] = 'PasswordAuthentication yes';
  // Scripts of vendor data run once, whatever the customer's own user data says: cloud-init 24.4, scripts_vendor.
  if (/^#!\/bin\/sh\n[^]*install -y qemu-guest-agent/m.test(given['vendor'] ?? '')) disk.contents[AGENT] = '';
  if (given['user'] === undefined) return;
  disk.contents[USER_DATA] = given['user'];
  disk.contents[USER_DATA_RUNS] = String(Number(disk.contents[USER_DATA_RUNS] ?? 0) + 1);
}
