// Property strings, `key=value,key=value`, parsed, completed and printed as the real one does. Source: pve-common 9.2.1, PVE/JSONSchema.pm, parse_property_string and
// print_property_string; qemu-server 9.2.6, PVE/QemuServer/Network.pm, parse_net: a network card without a MAC gets one when it is stored.
import { randomBytes } from 'node:crypto';

export type Properties = Record<string, string>;

const MODELS = ['virtio', 'e1000', 'rtl8139', 'vmxnet3'];
const MAC = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/i;
/** The prefix of Proxmox Server Solutions, which is the default in datacenter.cfg. */
const MAC_PREFIX = 'BC:24:11';

const drawMac = (): string =>
  [MAC_PREFIX, ...[...randomBytes(3)].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))].join(':');

/** The properties, with `model` and `macaddr` among them; undefined when the text is not valid. */
export function parseNet(text: string): Properties | undefined {
  const net: Properties = {};
  for (const part of text.split(',')) {
    const [key = '', value] = part.split('=', 2);
    if (MODELS.includes(key)) {
      net['model'] = key;
      if (value !== undefined) net['macaddr'] = value;
    } else if (value === undefined) return undefined;
    else net[key] = value;
  }
  const { model, macaddr } = net;
  return model === undefined || (macaddr !== undefined && !MAC.test(macaddr)) ? undefined : net;
}

/** The text as PUT /config stores it; undefined when it is not valid. */
export function writtenNet(text: string): string | undefined {
  const net = parseNet(text);
  if (!net) return undefined;
  const { model = '', macaddr = drawMac(), ...rest } = net;
  const others = Object.entries(rest).toSorted(([one], [other]) => one.localeCompare(other));
  return [`${model}=${macaddr.toUpperCase()}`, ...others.map(([key, value]) => `${key}=${value}`)].join(',');
}

/** The card of a clone: the same, with a MAC of its own. Source: PVE/API2/Qemu.pm, clone_vm, "always change MAC! address". */
export function clonedNet(text: string): string {
  const { macaddr: _, ...net } = parseNet(text) ?? {};
  const { model = 'virtio', ...rest } = net;
  return writtenNet([model, ...Object.entries(rest).map(([key, value]) => `${key}=${value}`)].join(',')) ?? text;
}
