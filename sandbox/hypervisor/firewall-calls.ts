// The firewall of a machine: rules in their order, and what happens to what fits none.
import { type Call, Refusal, machineOf } from './calls.ts';
import type { FirewallEndpoint } from './endpoints.ts';
import type { HypervisorState } from './state.ts';

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

export const FIREWALL_CALLS: Record<FirewallEndpoint, (state: HypervisorState, call: Call) => unknown> = {
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
