// VyOS 1.4 as the router in front of dedicated servers, by its HTTP API with a key. Each server has a named rule set, and one rule of the forward filter jumps
// to it for traffic to the server's address. Differences are replaced in one commit, so that there is no moment without rules.
import { Agent, request } from 'undici';
import type { RouterTerms } from '../configuration.ts';
import type { FirewallRule } from '../domain/firewall.ts';
import { type BorderFirewall, BorderFirewallTrouble, type GuardedServer } from './border-firewall.ts';

/** A commit takes seconds. */
const TIMEOUT_MS = 20_000;
/** The prefix of the names of our rule sets; sets with other names are not ours. */
const OURS = 'EGRESS-';

/** A path of the configuration, its value at the end. */
type Path = readonly string[];
interface Command {
  op: 'set' | 'delete';
  path: Path;
}
/** An answer of `showConfig`: a value, several values, or a subtree. */
type Found = string | readonly string[] | { [name: string]: Found };

export function createVyos(terms: RouterTerms): { border: BorderFirewall; close(): Promise<void> } {
  const agent = new Agent({ connections: 4, ...(terms.authorities !== undefined && { connect: { ca: terms.authorities } }) });

  async function call<Data>(endpoint: string, data: object): Promise<Data> {
    try {
      const response = await request(`${terms.url}${endpoint}`, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ data: JSON.stringify(data), key: terms.key }).toString(),
        signal: AbortSignal.timeout(terms.timeoutMs ?? TIMEOUT_MS),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new BorderFirewallTrouble(`${endpoint}: ${response.statusCode} ${text.slice(0, 300)}`);
      const answer = JSON.parse(text) as { success: boolean; data: Data; error: string | null };
      if (!answer.success) throw new BorderFirewallTrouble(`${endpoint}: ${String(answer.error).slice(0, 300)}`);
      return answer.data;
    } catch (error) {
      if (error instanceof BorderFirewallTrouble) throw error;
      throw new BorderFirewallTrouble(`${endpoint}: ${String(error)}`, { cause: error });
    }
  }

  /** All paths below a path. `exists` is checked first, since `showConfig` of a missing path is an error. */
  async function read(path: Path): Promise<Path[]> {
    if (!(await call<boolean>('/retrieve', { op: 'exists', path }))) return [];
    return pathsOf(await call<Found>('/retrieve', { op: 'showConfig', path }));
  }

  return {
    border: {
      async check() {
        await call<boolean>('/retrieve', { op: 'exists', path: ['firewall'] });
        return [{ what: 'key', ok: true, words: `accepted by ${terms.url}` }];
      },
      async setFirewall(server, { enabled, rules }) {
        const name = `${OURS}${server.id}`;
        const [set, lead] = [
          ['firewall', 'ipv4', 'name', name],
          ['firewall', 'ipv4', 'forward', 'filter', 'rule', String(server.place)],
        ];
        const [foundSet, foundLead] = [await read(set), await read(lead)];
        const target = foundLead.find(([key]) => key === 'jump-target')?.[1];
        if (foundLead.length > 0 && !target?.startsWith(OURS))
          throw new BorderFirewallTrouble(`rule ${server.place} of the forward filter is not one of ours`);
        const commands = [
          ...changesOf(set, foundSet, enabled ? rulePaths(rules) : []),
          // A rule that jumps to another of our sets belongs to the server that has the address now, and stays.
          ...(enabled || target === name ? changesOf(lead, foundLead, enabled ? leadPaths(server, name) : []) : []),
        ];
        if (commands.length > 0) await call('/configure', commands);
        // It is saved even when nothing changed, since the save after an earlier commit may have failed.
        await call('/config-file', { op: 'save' });
      },
    },
    close: () => agent.close(),
  };
}

const leadPaths = ({ ip }: GuardedServer, name: string): Path[] => {
  if (ip === null) throw new BorderFirewallTrouble(`${name} has no address`);
  return [
    ['action', 'jump'],
    ['jump-target', name],
    ['destination', 'address', ip],
  ];
};

/** Replies to outgoing traffic are accepted first. */
const rulePaths = (rules: readonly FirewallRule[]): Path[] => [
  ['default-action', 'drop'],
  ...[
    [
      ['action', 'accept'],
      ['state', 'established'],
      ['state', 'related'],
    ],
    ...rules.map(matchPaths),
  ].flatMap((paths, index) => paths.map((path) => ['rule', String((index + 1) * 10), ...path])),
];

/** Notes are not sent to the router, so no text that people write has to be quoted there. */
const matchPaths = ({ action, protocol, ports, source }: FirewallRule): string[][] => [
  ['action', action.toLowerCase()],
  ...(protocol === 'ANY' ? [] : [['protocol', protocol.toLowerCase()]]),
  ...(ports === null ? [] : [['destination', 'port', ports]]),
  ...(source === null ? [] : [['source', 'address', source]]),
];

function pathsOf(found: Found): Path[] {
  if (typeof found === 'string') return [[found]];
  if (Array.isArray(found)) return found.map((value: string) => [value]);
  return Object.entries(found).flatMap(([name, below]) => {
    const paths = pathsOf(below);
    return paths.length === 0 ? [[name]] : paths.map((path) => [name, ...path]);
  });
}

function changesOf(at: Path, found: readonly Path[], wanted: readonly Path[]): Command[] {
  const sorted = (paths: readonly Path[]) =>
    paths
      .map((path) => path.join(' '))
      .toSorted()
      .join('\n');
  if (sorted(found) === sorted(wanted)) return [];
  return [
    ...(found.length > 0 ? [{ op: 'delete', path: at } as const] : []),
    ...wanted.map((path) => ({ op: 'set', path: [...at, ...path] }) as const),
  ];
}
