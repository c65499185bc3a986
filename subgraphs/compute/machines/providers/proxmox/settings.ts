// The settings of a machine at Proxmox VE: size, network, data for cloud-init and the guest agent, boot device. Only differences are written: a password that
// is sent again would be hashed with another salt, and an interface without its MAC would get a new one.
import { isoStorageOf } from '../../domain/cluster-terms.ts';
import type { Hypervisor, MachineRef, MachineSettings } from '../hypervisor.ts';
import type { MachineConfig, ProxmoxClient } from './client.ts';
import { fromProperties, saysAll, toProperties } from './properties.ts';
import { dropSnippets, hasSecrets, laySnippets } from './snippets.ts';

const MB_OF_GB = 1_024;
const MBIT_OF_MB = 8;
export const DISK = 'scsi0';
/** The rescue image within the ISO storage. */
export const RESCUE_VOLUME = 'iso/egress-rescue.iso';
/** The drive for the rescue image; templates leave it free. */
const RESCUE_DRIVE = 'sata5';

type Settings = Pick<
  Hypervisor,
  'configure' | 'isConfigured' | 'tidy' | 'bootsRescue' | 'setBoot' | 'setPassword' | 'setStartsByItself' | 'note'
>;

export function settingsOf(client: ProxmoxClient): Settings {
  const { terms } = client;
  return {
    async configure(ref, settings) {
      const config = await client.configOf(ref);
      const cicustom = await laySnippets(terms, ref, settings, String(config['cicustom'] ?? ''));
      const wanted = { ...wantedOf(client, config, settings), ...(cicustom !== '' && { cicustom }) };
      const change = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => !isThere(config, key, value)));
      const surplus = surplusOf(config, settings);
      if (needsPassword(config, settings)) change['cipassword'] = settings.password;
      if (Object.keys(change).length + surplus.length > 0)
        await client.setConfig(ref, { ...change, ...(surplus.length > 0 && { delete: surplus.join(',') }) });
    },
    async isConfigured(ref, settings) {
      const config = await client.configOf(ref);
      const wanted = Object.entries(wantedOf(client, config, settings));
      return (
        !needsPassword(config, settings) &&
        surplusOf(config, settings).length === 0 &&
        wanted.every(([key, value]) => isThere(config, key, value))
      );
    },
    async tidy(ref) {
      if (!(await hasSecrets(terms, ref))) return;
      const { meta } = toProperties(String((await client.configOf(ref))['cicustom'] ?? ''));
      await client.setConfig(ref, meta === undefined ? { delete: 'cicustom' } : { cicustom: `meta=${meta}` });
      await dropSnippets(terms, ref, ['user', 'vendor']);
    },
    async bootsRescue(ref) {
      const config = await client.configOf(ref);
      return config[RESCUE_DRIVE] !== undefined && String(config['boot']).startsWith(`order=${RESCUE_DRIVE}`);
    },
    async setBoot(ref, rescue) {
      if (!rescue) return client.setConfig(ref, { boot: `order=${DISK}`, delete: RESCUE_DRIVE });
      await client.setConfig(ref, {
        [RESCUE_DRIVE]: `${isoStorageOf(terms)}:${RESCUE_VOLUME},media=cdrom`,
        boot: `order=${RESCUE_DRIVE};${DISK}`,
        ciuser: rescue.loginName,
        cipassword: rescue.password,
      });
    },
    async setPassword(ref, username, password) {
      await client.call('POST', `${client.at(ref)}/agent/set-user-password`, { username, password });
    },
    async setStartsByItself(ref, starts) {
      const wanted = starts ? '1' : '0';
      if (String((await client.configOf(ref))['onboot'] ?? '0') !== wanted) await client.setConfig(ref, { onboot: wanted });
    },
    note: (ref, text) => client.setConfig(ref, { description: text }),
  };
}

export const dropUserData = ({ terms }: ProxmoxClient, ref: MachineRef): Promise<void> => dropSnippets(terms, ref);

/** The password is sent once, and again when that of the rescue system has replaced it. */
const needsPassword = (config: MachineConfig, { loginName }: MachineSettings): boolean =>
  config['cipassword'] === undefined || config['ciuser'] !== loginName;

const COMPARED_BY_PROPERTIES = /^(net|ipconfig)\d$|^cicustom$/;

const isThere = (config: MachineConfig, key: string, value: string): boolean => {
  const found = String(config[key] ?? '').trim();
  if (key === 'sshkeys') return decodeURIComponent(found).trim() === decodeURIComponent(value).trim();
  return COMPARED_BY_PROPERTIES.test(key) ? saysAll(found, toProperties(value)) : found === value;
};

/** Keys of interfaces for addresses that the machine no longer has. */
const surplusOf = (config: MachineConfig, { addresses }: MachineSettings): string[] =>
  Object.keys(config).filter((key) => Number(/^(?:net|ipconfig)(\d)$/.exec(key)?.[1] ?? -1) >= Math.max(addresses.length, 1));

/** The settings that can be read back. Each address has an interface, since cloud-init takes one IPv4 address for each; only the first has the gateway. */
function wantedOf({ terms }: ProxmoxClient, config: MachineConfig, settings: MachineSettings): Record<string, string> {
  const { cores, ramGb, hostname, loginName, addresses, sshKeys } = settings;
  const { bridge = 'vmbr0', vlan, bandwidthMbit } = terms;
  const card = {
    bridge,
    firewall: '1',
    ...(vlan !== undefined && { tag: String(vlan) }),
    // In megabytes per second: qemu-server 9.2.6, PVE/QemuServer/Network.pm, net_fmt.
    ...(bandwidthMbit !== undefined && { rate: String(bandwidthMbit / MBIT_OF_MB) }),
  };
  return {
    cores: String(cores),
    memory: String(ramGb * MB_OF_GB),
    description: hostname,
    ciuser: loginName,
    // Package upgrades at the first boot would take minutes; the owner decides about them.
    ciupgrade: '0',
    agent: '1',
    onboot: '1',
    // The serial port of the text console.
    serial0: 'socket',
    ...(sshKeys.length > 0 && { sshkeys: encodeURIComponent(sshKeys.join('\n')) }),
    ...Object.fromEntries(
      addresses.flatMap(({ ip, bits, gateway }, index) => {
        const known = config[`net${index}`];
        return [
          [`ipconfig${index}`, `ip=${ip}/${bits}${index === 0 ? `,gw=${gateway}` : ''}`],
          // The present model and MAC are kept; where there are none the hypervisor makes a MAC.
          [`net${index}`, fromProperties({ ...(known === undefined ? { virtio: '' } : toProperties(String(known))), ...card })],
        ];
      }),
    ),
  };
}
