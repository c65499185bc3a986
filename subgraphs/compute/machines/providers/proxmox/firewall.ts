// The firewall of a machine at Proxmox VE. It is always on, since it restricts the machine to its own MAC and addresses, whether its owner has rules or not. No
// call replaces a list of rules: new rules are inserted above the old ones, which are then deleted from the bottom up, so that at every moment the list has all
// old rules or all new ones. Source: pve-firewall 6.0.4, PVE/Firewall.pm: nothing at all is compiled while the datacenter's switch is off, and `ipfilter`
// without a set of addresses drops everything.
import type { FirewallRule } from '../../../networking/domain/firewall.ts';
import { type Hypervisor, HypervisorTrouble, type MachineRef } from '../hypervisor.ts';
import type { ProxmoxClient } from './client.ts';
import { toProperties } from './properties.ts';

interface VendorRule {
  pos: number;
  type: string;
  action: string;
  enable?: number;
  proto?: string;
  dport?: string;
  source?: string;
  comment?: string;
}
type Options = Record<string, string | number | undefined>;

const toVendor = ({ action, protocol, ports, source, note }: FirewallRule): Record<string, string> => ({
  type: 'in',
  action,
  enable: '1',
  ...(protocol !== 'ANY' && { proto: protocol.toLowerCase() }),
  ...(ports !== null && { dport: ports.replace('-', ':') }),
  ...(source !== null && { source }),
  ...(note !== null && { comment: note }),
});

const isSame = (wanted: Record<string, string>, { pos: _, ...rule }: VendorRule): boolean => {
  const found = { enable: 0, ...rule } as Record<string, string | number>;
  return ['type', 'action', 'enable', 'proto', 'dport', 'source', 'comment'].every(
    (key) => String(found[key] ?? '').trim() === (wanted[key] ?? ''),
  );
};

/** Options that drop packets which do not have the machine's own MAC and addresses. */
const FILTERS = { enable: '1', macfilter: '1', ipfilter: '1', policy_out: 'ACCEPT' };
const filterSet = (card: string) => `ipfilter-${card}`;

export const SWITCH_OFF = 'the firewall of the datacenter is off: no rule of any machine filters';

export function firewallOf(client: ProxmoxClient): Pick<Hypervisor, 'setFirewall' | 'guard' | 'isGuarded' | 'filters'> {
  const pathOf = (ref: MachineRef) => `${client.at(ref)}/firewall`;
  const optionsOf = (ref: MachineRef) => client.call<Options>('GET', `${pathOf(ref)}/options`);

  async function setOptions(ref: MachineRef, wanted: Record<string, string>): Promise<void> {
    const isThere = (options: Options) => Object.entries(wanted).every(([key, value]) => String(options[key] ?? '') === value);
    if (isThere(await optionsOf(ref))) return;
    await client.call('PUT', `${pathOf(ref)}/options`, wanted);
    if (!isThere(await optionsOf(ref))) throw new HypervisorTrouble('the firewall is not what it was set to');
  }

  async function setRules(ref: MachineRef, wanted: Record<string, string>[]): Promise<void> {
    const path = `${pathOf(ref)}/rules`;
    const readRules = async () => (await client.call<VendorRule[]>('GET', path)).toSorted((one, other) => one.pos - other.pos);
    const isThere = (found: VendorRule[]) =>
      found.length === wanted.length && found.every((rule, index) => isSame(wanted[index] ?? {}, rule));
    const before = await readRules();
    if (isThere(before)) return;
    // Each rule is inserted at the top, so the last one is inserted first.
    for (const rule of wanted.toReversed()) await client.call('POST', path, { ...rule, pos: '0' });
    for (let pos = wanted.length + before.length - 1; pos >= wanted.length; pos--) await client.call('DELETE', `${path}/${pos}`);
    if (!isThere(await readRules())) throw new HypervisorTrouble('the rules are not what they were set to');
  }

  /**
   * The network cards of a machine, and whether the firewall is off for each. Every card may send from all addresses of the machine, since replies leave by the
   * card of the default route.
   */
  async function cardsOf(ref: MachineRef): Promise<{ card: string; isOpen: boolean }[]> {
    const config = await client.configOf(ref);
    return Object.keys(config)
      .filter((key) => /^net\d$/.test(key))
      .map((card) => ({ card, isOpen: toProperties(String(config[card]))['firewall'] !== '1' }));
  }

  const membersOf = async (ref: MachineRef, card: string): Promise<string[]> =>
    (await client.call<{ cidr: string }[]>('GET', `${pathOf(ref)}/ipset/${filterSet(card)}`)).map(({ cidr }) => cidr.replace(/\/32$/, ''));
  const setsOf = async (ref: MachineRef): Promise<Set<string>> =>
    new Set((await client.call<{ name: string }[]>('GET', `${pathOf(ref)}/ipset`)).map(({ name }) => name));
  const filters = async () => String((await client.call<Options>('GET', '/cluster/firewall/options'))['enable'] ?? 0) === '1';

  return {
    filters,
    async setFirewall(ref, { enabled, rules }) {
      if (!(await filters())) throw new HypervisorTrouble(SWITCH_OFF);
      // A firewall that is switched off accepts everything before its rules are deleted; one that is switched on has its rules before it drops anything.
      if (!enabled) await setOptions(ref, { ...FILTERS, policy_in: 'ACCEPT' });
      await setRules(ref, enabled ? rules.map(toVendor) : []);
      await guardInterfaces(client, ref);
      if (enabled) await setOptions(ref, { ...FILTERS, policy_in: 'DROP' });
    },
    async guard(ref, addresses) {
      const known = await setsOf(ref);
      for (const { card } of await cardsOf(ref)) {
        if (!known.has(filterSet(card))) await client.call('POST', `${pathOf(ref)}/ipset`, { name: filterSet(card) });
        const members = await membersOf(ref, card);
        for (const cidr of addresses.filter((ip) => !members.includes(ip)))
          await client.call('POST', `${pathOf(ref)}/ipset/${filterSet(card)}`, { cidr });
        for (const gone of members.filter((ip) => !addresses.includes(ip)))
          await client.call('DELETE', `${pathOf(ref)}/ipset/${filterSet(card)}/${encodeURIComponent(gone)}`);
      }
      const { policy_in: policyIn = 'ACCEPT' } = await optionsOf(ref);
      // A firewall that was never on would drop incoming traffic by its default policy.
      const isOn = String((await optionsOf(ref))['enable'] ?? 0) === '1';
      await setOptions(ref, { ...FILTERS, policy_in: isOn ? String(policyIn) : 'ACCEPT' });
    },
    async isGuarded(ref, addresses) {
      const [cards, options, known] = [await cardsOf(ref), await optionsOf(ref), await setsOf(ref)];
      if (cards.some(({ isOpen, card }) => isOpen || !known.has(filterSet(card)))) return false;
      if (Object.entries(FILTERS).some(([key, value]) => String(options[key] ?? '') !== value)) return false;
      const members = await Promise.all(cards.map(({ card }) => membersOf(ref, card)));
      return members.every((set) => set.length === addresses.length && addresses.every((ip) => set.includes(ip)));
    },
  };
}

/** Sets the flag `firewall` of each interface, without which rules have no effect on it. */
async function guardInterfaces(client: ProxmoxClient, ref: MachineRef): Promise<void> {
  const config = await client.configOf(ref);
  const open = Object.entries(config).filter(([key, value]) => /^net\d$/.test(key) && toProperties(String(value))['firewall'] !== '1');
  if (open.length > 0) await client.setConfig(ref, Object.fromEntries(open.map(([key, value]) => [key, `${value},firewall=1`])));
}
