// Firewall rules of a server, as its owner sets them. Incoming traffic that matches no rule is dropped; outgoing traffic passes.
import { isIPv4 } from 'node:net';
import { because, fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

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

/** Spec is silent: who needs more rules needs a firewall of their own. */
export const FIREWALL_RULES_MAX = 50;
const NOTE = new RegExp(`^[^\\p{Cc}]{1,${TEXT_MAX.firewallNote}}$`, 'u');

/** Throws `parameter_invalid` that names the rule, from 1, and what is wrong with it. */
export function checkRules(rules: readonly FirewallRule[]): FirewallRule[] {
  if (rules.length > FIREWALL_RULES_MAX)
    throw fail('parameter_invalid', { field: 'rules', reason: because('firewall_rules_too_many', { max: FIREWALL_RULES_MAX }) });
  return rules.map((rule, index) => {
    const checked = { ...rule, ports: rule.ports?.trim() || null, source: rule.source?.trim() || null, note: rule.note?.trim() || null };
    const problem = problemOf(checked);
    if (problem) throw fail('parameter_invalid', { field: 'rules', reason: because(problem, { rule: index + 1 }) });
    return checked;
  });
}

type RuleProblem = 'firewall_ports_protocol' | 'firewall_ports_unfit' | 'firewall_source_unfit' | 'firewall_note_too_long';

function problemOf({ protocol, ports, source, note }: FirewallRule): RuleProblem | undefined {
  if (ports !== null && protocol !== 'TCP' && protocol !== 'UDP') return 'firewall_ports_protocol';
  if (ports !== null && !arePorts(ports)) return 'firewall_ports_unfit';
  if (source !== null && !isNetwork(source)) return 'firewall_source_unfit';
  if (note !== null && !NOTE.test(note)) return 'firewall_note_too_long';
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
  // It must be the address of the network, without host bits.
  return value % 2 ** (32 - Number(bits)) === 0;
}
