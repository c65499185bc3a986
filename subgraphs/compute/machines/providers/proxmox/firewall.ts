// Firewall rules of a machine at Proxmox VE. There is no call that replaces a list: new rules go in above the old ones, which then are taken away from below,
// so that at no moment there is a rule less than before or after.
import type { FirewallRule } from '../../../networking/domain/firewall.ts';
import { type Hypervisor, HypervisorTrouble, type MachineRef } from '../hypervisor.ts';
import type { ProxmoxClient } from './client.ts';

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
interface Options {
  enable?: number;
  policy_in?: string;
  policy_out?: string;
}

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

export const firewallOf = (client: ProxmoxClient): Pick<Hypervisor, 'setFirewall'> => ({
  async setFirewall(ref, { enabled, rules }) {
    const path = `${client.at(ref)}/firewall`;
    const readRules = async () => (await client.call<VendorRule[]>('GET', `${path}/rules`)).toSorted((one, other) => one.pos - other.pos);
    const wanted = rules.map(toVendor);
    const isThere = (found: VendorRule[]) =>
      found.length === wanted.length && found.every((rule, index) => isSame(wanted[index] ?? {}, rule));
    const before = await readRules();
    if (!isThere(before)) {
      // Each goes in at the top, so the last comes first.
      for (const rule of wanted.toReversed()) await client.call('POST', `${path}/rules`, { ...rule, pos: '0' });
      for (let pos = wanted.length + before.length - 1; pos >= wanted.length; pos--) await client.call('DELETE', `${path}/rules/${pos}`);
      if (!isThere(await readRules())) throw new HypervisorTrouble('the rules are not what they were set to');
    }
    await guardInterfaces(client, ref);
    const options = await client.call<Options>('GET', `${path}/options`);
    const policies = { enable: enabled ? '1' : '0', policy_in: 'DROP', policy_out: 'ACCEPT' };
    if (Object.entries(policies).every(([key, value]) => String(options[key as keyof Options] ?? '') === value)) return;
    await client.call('PUT', `${path}/options`, policies);
    const { enable = 0 } = await client.call<Options>('GET', `${path}/options`);
    if (String(enable) !== policies.enable) throw new HypervisorTrouble('the firewall is not what it was set to');
  },
});

/** Rules count only for interfaces that say so. */
async function guardInterfaces(client: ProxmoxClient, ref: MachineRef): Promise<void> {
  const config = await client.configOf(ref);
  const open = Object.entries(config).filter(([key, value]) => /^net\d$/.test(key) && !/(^|,)firewall=1(,|$)/.test(String(value)));
  if (open.length > 0) await client.setConfig(ref, Object.fromEntries(open.map(([key, value]) => [key, `${value},firewall=1`])));
}
