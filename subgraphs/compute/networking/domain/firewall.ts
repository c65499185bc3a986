// Firewall rules of a server, as its owner writes them. What comes in and fits no rule is dropped; what goes out passes.
import { isIPv4 } from 'node:net';
import { fail } from '#platform/errors.ts';

export const FIREWALL_PROTOCOLS = ['TCP', 'UDP', 'ICMP', 'ANY'] as const;
export const FIREWALL_ACTIONS = ['ACCEPT', 'DROP'] as const;

export interface FirewallRule {
  action: (typeof FIREWALL_ACTIONS)[number];
  protocol: (typeof FIREWALL_PROTOCOLS)[number];
  /** One port, or FIRST-LAST; null: all. */
  ports: string | null;
  /** An IPv4 address or network; null: anywhere. */
  source: string | null;
  note: string | null;
}

/** Spec is silent: more are a network of their own. */
export const FIREWALL_RULES_MAX = 50;
const NOTE = /^[^\p{Cc}]{1,100}$/u;

/** Throws `parameter_invalid` that names the rule, from 1, and what is wrong with it. */
export function checkRules(rules: readonly FirewallRule[]): FirewallRule[] {
  if (rules.length > FIREWALL_RULES_MAX)
    throw fail('parameter_invalid', { field: 'rules', reason: `A server has up to ${FIREWALL_RULES_MAX} firewall rules.` });
  return rules.map((rule, index) => {
    const checked = { ...rule, ports: rule.ports?.trim() || null, source: rule.source?.trim() || null, note: rule.note?.trim() || null };
    const problem = problemOf(checked);
    if (problem) throw fail('parameter_invalid', { field: 'rules', reason: `Rule ${index + 1}: ${problem}` });
    return checked;
  });
}

function problemOf({ protocol, ports, source, note }: FirewallRule): string | undefined {
  if (ports !== null && protocol !== 'TCP' && protocol !== 'UDP') return 'Ports are for TCP and UDP.';
  if (ports !== null && !arePorts(ports)) return 'Ports are one number from 1 to 65535, or FIRST-LAST.';
  if (source !== null && !isNetwork(source)) return 'The source is an IPv4 address, or a network such as 203.0.113.0/24.';
  if (note !== null && !NOTE.test(note)) return 'A note has up to 100 characters.';
  return undefined;
}

function arePorts(ports: string): boolean {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(ports) ?? [];
  return Number(first) >= 1 && Number(last) <= 65_535 && Number(first) <= Number(last);
}

function isNetwork(source: string): boolean {
  const [ip = '', bits = '32', ...rest] = source.split('/');
  if (!isIPv4(ip) || !/^\d{1,2}$/.test(bits) || Number(bits) > 32 || rest.length > 0) return false;
  const value = ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  // A network's own address: no bits of hosts.
  return value % 2 ** (32 - Number(bits)) === 0;
}
