// Property strings, `key=value,key=value`. Proxmox VE reads them in any order, and prints them in an order of its own with keys that it has added. So they are
// compared by their properties, never as text. Source: pve-common 9.2.1, PVE/JSONSchema.pm, print_property_string; qemu-server 9.2.6,
// PVE/QemuServer/Network.pm, parse_net.
export type Properties = Readonly<Record<string, string>>;

/** Parses a property string. Its first part may be special: `virtio=MAC` is the card's model with its MAC, `local:vm-1-disk-0` a volume. */
export const toProperties = (text: string): Properties =>
  Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((part): [string, string] => {
        const at = part.indexOf('=');
        return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
      }),
  );

export const fromProperties = (properties: Properties): string =>
  Object.entries(properties)
    .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
    .join(',');

/** Whether the text has all wanted properties; for a wanted empty value the key is enough. */
export function saysAll(text: string, wanted: Properties): boolean {
  const found = toProperties(text);
  return Object.entries(wanted).every(([key, value]) => (value === '' ? key in found : found[key] === value));
}
