// Property strings, `key=value,key=value`. Proxmox VE reads them in any order and prints them in its own, completed by what it has added: they are compared by what they
// say, never as text. Source: pve-common 9.2.1, PVE/JSONSchema.pm, print_property_string; qemu-server 9.2.6, PVE/QemuServer/Network.pm, parse_net.
export type Properties = Readonly<Record<string, string>>;

/** The first part may stand for itself: `virtio=MAC` is the card's model with its MAC, `local:vm-1-disk-0` a volume. */
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

/** Whether it says all that is wanted; a wanted empty value asks only that the key is there. */
export function saysAll(text: string, wanted: Properties): boolean {
  const found = toProperties(text);
  return Object.entries(wanted).every(([key, value]) => (value === '' ? key in found : found[key] === value));
}
