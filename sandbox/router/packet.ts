// Decides about a packet that a router forwards: rules in the order of their numbers, starting in the forward filter and following jumps to other sets.
import { BlockList } from 'node:net';
import { type ConfigTree, lookUp } from './config-tree.ts';

export interface Packet {
  from: string;
  to: string;
  protocol: 'tcp' | 'udp' | 'icmp' | 'gre';
  /** The port of the destination. */
  port?: number;
  /** The state of the packet's connection; default: a new one. */
  state?: 'new' | 'established' | 'related';
}

type Verdict = 'accept' | 'drop';

export function verdictOn(config: ConfigTree, packet: Packet): Verdict {
  const base = (lookUp(config, ['firewall', 'ipv4', 'forward', 'filter']) ?? {}) as ConfigTree;
  return through(config, base, 'accept', packet) ?? 'accept';
}

/** The decision of a set of rules; undefined: none, so that the calling set continues. */
function through(config: ConfigTree, set: ConfigTree, usual: Verdict, packet: Packet): Verdict | undefined {
  const { rule: rules = {}, 'default-action': last = usual } = set;
  const inOrder = Object.entries(rules as Record<string, ConfigTree>).toSorted(([one], [other]) => Number(one) - Number(other));
  for (const [, rule] of inOrder) {
    if (!fits(rule, packet)) continue;
    const { action, 'jump-target': target } = rule;
    if (action === 'return') return undefined;
    if (action !== 'jump') return toVerdict(action);
    const decided = through(config, lookUp(config, ['firewall', 'ipv4', 'name', String(target)]) as ConfigTree, 'drop', packet);
    if (decided) return decided;
  }
  return toVerdict(last);
}

const toVerdict = (action: unknown): Verdict | undefined =>
  action === 'accept' ? 'accept' : action === 'drop' || action === 'reject' ? 'drop' : undefined;

function fits(rule: ConfigTree, { from, to, protocol, port, state = 'new' }: Packet): boolean {
  const [source, destination] = [rule['source'], rule['destination']] as (Record<string, string> | undefined)[];
  const { protocol: wanted = 'all' } = rule as Record<string, string>;
  const hasPort = protocol === 'tcp' || protocol === 'udp';
  return (
    (rule['state'] === undefined || [rule['state']].flat().includes(state)) &&
    (wanted === 'all' || wanted === protocol || (wanted === 'tcp_udp' && hasPort)) &&
    isIn(source?.['address'], from) &&
    isIn(destination?.['address'], to) &&
    (destination?.['port'] === undefined || (port !== undefined && isOneOf(destination['port'], port)))
  );
}

function isIn(network: string | undefined, ip: string): boolean {
  if (network === undefined) return true;
  const [address = '', bits = '32'] = network.split('/');
  const list = new BlockList();
  list.addSubnet(address, Number(bits));
  return list.check(ip);
}

const isOneOf = (ports: string, port: number): boolean =>
  ports.split(',').some((part) => {
    const [first, last = first] = part.split('-');
    return port >= Number(first) && port <= Number(last);
  });
