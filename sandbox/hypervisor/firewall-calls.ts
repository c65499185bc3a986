// A machine's firewall: its rules in order, and the policy for packets that match none.
import { type Call, Refusal } from './call.ts';
import { machineOf, required } from './calls.ts';
import type { FirewallEndpoint } from './endpoints.ts';
import type { HypervisorState, Machine } from './state.ts';

const invalid = (name: string, message: string) => new Refusal('Parameter verification failed.', 400, { [name]: message });

function checked(given: Record<string, string>): Record<string, string> {
  const { type, action, proto, dport, source } = given;
  if (type !== 'in' && type !== 'out' && type !== 'group')
    throw invalid('type', "value does not have a value in the enumeration 'in, out, group'");
  if (action === undefined || !/^[A-Za-z][A-Za-z0-9\-_]+$/.test(action)) throw invalid('action', 'value does not match the regex pattern');
  if (dport !== undefined && !/^\d+(:\d+)?$/.test(dport)) throw invalid('dport', 'invalid port');
  if (dport !== undefined && proto !== 'tcp' && proto !== 'udp') throw invalid('dport', 'protocol does not support port');
  if (source !== undefined && !/^[\d.]+(\/\d+)?$/.test(source)) throw invalid('source', 'invalid IP address');
  const { pos: _, ...rule } = given;
  return rule;
}

/** The set of addresses with the name in the path. */
function ipsetOf(state: HypervisorState, call: Call): string[] {
  const set = machineOf(state, call).firewall.ipsets[call.path['name'] ?? ''];
  if (!set) throw new Refusal(`no such IPSet '${call.path['name']}'`);
  return set;
}

/**
 * Whether a packet with this source address leaves the machine by one of its cards. Source: pve-firewall 6.0.4, PVE/Firewall.pm: nothing is filtered
 * while the datacenter's firewall is off; `ipfilter` drops packets whose source is not in the set `ipfilter-<card>`, which counts as empty when it does not exist.
 */
export function leaves(
  { firewall }: HypervisorState,
  { firewall: { options, ipsets }, config }: Machine,
  card: string,
  source: string,
): boolean {
  if (!firewall || options['enable'] !== '1' || !/(^|,)firewall=1(,|$)/.test(String(config[card]))) return true;
  const set = ipsets[`ipfilter-${card}`] ?? (options['ipfilter'] === '1' ? [] : undefined);
  return set === undefined || set.includes(source);
}

export const FIREWALL_CALLS: Record<FirewallEndpoint, (state: HypervisorState, call: Call) => unknown> = {
  clusterFirewall: ({ firewall }) => (firewall ? { enable: 1, policy_in: 'DROP' } : {}),
  ipsets: (state, call) => Object.keys(machineOf(state, call).firewall.ipsets).map((name) => ({ name, digest: 'sandbox' })),
  addIpset(state, call) {
    const { ipsets } = machineOf(state, call).firewall;
    const name = required(call.given, 'name');
    if (ipsets[name]) throw new Refusal(`IPSet '${name}' already exists`);
    ipsets[name] = [];
    return null;
  },
  ipset: (state, call) => ipsetOf(state, call).map((cidr) => ({ cidr })),
  addToIpset(state, call) {
    const set = ipsetOf(state, call);
    const cidr = required(call.given, 'cidr');
    if (set.includes(cidr)) throw new Refusal(`address '${cidr}' already exists`);
    set.push(cidr);
    return null;
  },
  dropFromIpset(state, call) {
    const set = ipsetOf(state, call);
    const index = set.indexOf(decodeURIComponent(call.path['cidr'] ?? ''));
    if (index >= 0) set.splice(index, 1);
    return null;
  },
  rules: (state, call) => machineOf(state, call).firewall.rules.map((rule, pos) => ({ ...rule, enable: Number(rule['enable'] ?? 0), pos })),
  addRule(state, call) {
    const { rules } = machineOf(state, call).firewall;
    const rule = checked(call.given);
    if (call.fate === 'half') throw new Refusal('unable to open file - Permission denied');
    if (call.fate !== 'idle') rules.splice(Number(call.given['pos'] ?? 0), 0, rule);
    return null;
  },
  dropRule(state, call) {
    const { rules } = machineOf(state, call).firewall;
    const pos = Number(call.path['pos']);
    if (!rules[pos]) throw invalid('pos', `no rule at position ${pos}`);
    if (call.fate === 'half') throw new Refusal('unable to open file - Permission denied');
    if (call.fate !== 'idle') rules.splice(pos, 1);
    return null;
  },
  firewallOptions: (state, call) => {
    const { options } = machineOf(state, call).firewall;
    return { ...options, ...(options['enable'] !== undefined && { enable: Number(options['enable']) }) };
  },
  setFirewallOptions(state, call) {
    const { firewall } = machineOf(state, call);
    if (call.fate === 'half') throw new Refusal('unable to open file - Permission denied');
    if (call.fate !== 'idle') Object.assign(firewall.options, call.given);
    return null;
  },
};
