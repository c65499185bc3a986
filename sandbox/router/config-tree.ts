// A configuration in VyOS's form: a tree in which only known paths and valid values can be set. Of VyOS's own tree it has the part of the IPv4 firewall that applies to
// forwarded packets; names, values and refusals are those of VyOS's interface definitions.
import { isIPv4 } from 'node:net';

/** In the form of `showConfig`: values are texts, several values of one leaf a list. */
export interface ConfigTree {
  [name: string]: ConfigTree | string | string[];
}

type Check = (value: string) => string | undefined;
interface Branch {
  /** Checks the names directly below, which the operator chooses. */
  tag?: Check;
  below: Record<string, Place>;
}
interface Leaf {
  leaf: Check;
  many?: true;
}
type Place = Branch | Leaf;

const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value) ? undefined : 'Invalid value';
const fits =
  (pattern: RegExp, reason = 'Invalid value'): Check =>
  (value) =>
    pattern.test(value) ? undefined : reason;
const ruleNumber: Check = (value) =>
  /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 999_999 ? undefined : 'Firewall rule number must be between 1 and 999999';
const protocol: Check = (value) =>
  ['all', 'tcp', 'udp', 'tcp_udp', 'icmp', 'gre', 'esp'].includes(value) ? undefined : `Error: ${value} is not a valid IP protocol`;

const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
const ports: Check = (value) =>
  value.split(',').every((part) => {
    const [first = '', last = first, ...rest] = part.split('-');
    return rest.length === 0 && isPort(first) && isPort(last) && Number(first) <= Number(last);
  })
    ? undefined
    : `Error: ${value} is not a valid port`;
/** An address, or a network whose host bits are zero. */
const address: Check = (value) => {
  const [ip = '', bits = '32', ...rest] = value.split('/');
  const valid = isIPv4(ip) && /^\d{1,2}$/.test(bits) && Number(bits) <= 32 && rest.length === 0;
  const number = ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return valid && number % 2 ** (32 - Number(bits)) === 0 ? undefined : `Error: ${value} is not a valid IPv4 address or prefix`;
};

const description: Place = { leaf: fits(/^.{0,255}$/, 'Description too long (limit 255 characters)') };
const rule: Branch = {
  tag: ruleNumber,
  below: {
    action: { leaf: oneOf('accept', 'continue', 'jump', 'reject', 'return', 'drop', 'queue', 'offload', 'synproxy') },
    'jump-target': { leaf: () => undefined },
    protocol: { leaf: protocol },
    state: { leaf: oneOf('established', 'invalid', 'new', 'related'), many: true },
    source: { below: { address: { leaf: address }, port: { leaf: ports } } },
    destination: { below: { address: { leaf: address }, port: { leaf: ports } } },
    description,
  },
};
const ROOT: Branch = {
  below: {
    firewall: {
      below: {
        ipv4: {
          below: {
            forward: { below: { filter: { below: { 'default-action': { leaf: oneOf('accept', 'drop') }, description, rule } } } },
            name: {
              tag: fits(/^[a-zA-Z0-9][\w\-.]*$/),
              below: { 'default-action': { leaf: oneOf('drop', 'jump', 'reject', 'return', 'accept', 'continue') }, description, rule },
            },
          },
        },
      },
    },
  },
};

/** A refusal by VyOS. */
export class ConfigRefusal extends Error {}

/** What is below a path; undefined when the path does not exist. */
export function lookUp(tree: ConfigTree, path: readonly string[]): ConfigTree | string | string[] | undefined {
  let found: ConfigTree | string | string[] | undefined = tree;
  for (const name of path) {
    if (found === undefined) return undefined;
    if (typeof found === 'string' || Array.isArray(found)) found = [found].flat().includes(name) ? {} : undefined;
    else found = Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

export function setPath(tree: ConfigTree, path: readonly string[]): void {
  const unknown = () => new ConfigRefusal(`\n  Configuration path: [${path.join(' ')}] is not valid\n  Set failed\n`);
  const invalid = (reason: string) => new ConfigRefusal(`\n  ${reason}\n\n\n  Value validation failed\n  Set failed\n`);
  let place = ROOT;
  let at = tree;
  for (const [index, name] of path.entries()) {
    const wrong = place.tag?.(name);
    if (wrong !== undefined) throw invalid(wrong);
    const next: Place | undefined = place.tag ? { below: place.below } : place.below[name];
    if (!next) throw unknown();
    if (!('leaf' in next)) {
      at = (at[name] ??= {}) as ConfigTree;
      place = next;
      continue;
    }
    const value = path[index + 1];
    if (value === undefined || index + 2 !== path.length) throw unknown();
    const reason = next.leaf(value);
    if (reason !== undefined) throw invalid(reason);
    const values = next.many ? [...new Set([...([at[name] ?? []].flat() as string[]), value])] : [value];
    at[name] = values.length === 1 ? value : values;
    return;
  }
  if (place.tag) throw unknown();
}

export function deletePath(tree: ConfigTree, path: readonly string[]): void {
  const [above, name] = [lookUp(tree, path.slice(0, -1)), path.at(-1) ?? ''];
  if (lookUp(tree, path) === undefined || typeof above !== 'object' || Array.isArray(above))
    throw new ConfigRefusal(
      `\n  Nothing to delete (the specified ${path.length > 1 ? 'value' : 'node'} does not exist)\n  Delete failed\n`,
    );
  delete above[name];
}

/** The checks of a commit, as in `src/conf_mode/firewall.py` of VyOS. */
export function checkFirewall(tree: ConfigTree): void {
  const no = (reason: string) => new ConfigRefusal(`[[firewall]] failed\n${reason}\nCommit failed\n`);
  const sets = (lookUp(tree, ['firewall', 'ipv4', 'name']) ?? {}) as Record<string, ConfigTree>;
  const base = (lookUp(tree, ['firewall', 'ipv4', 'forward', 'filter']) ?? {}) as ConfigTree;
  for (const { rule: rules = {} } of [base, ...Object.values(sets)])
    for (const one of Object.values(rules as Record<string, ConfigTree>)) {
      const { action, 'jump-target': target, protocol: wanted } = one;
      if (action === undefined) throw no('Rule action must be defined');
      if (action === 'jump' && target === undefined) throw no('Action set to jump, but no jump-target specified');
      if (target !== undefined && action !== 'jump') throw no('jump-target defined, but action jump needed and it is not defined');
      if (target !== undefined && !Object.hasOwn(sets, target as string))
        throw no(`Invalid jump-target. Firewall name ${target as string} does not exist on the system`);
      for (const side of ['destination', 'source'] as const) {
        if ((one[side] as ConfigTree | undefined)?.['port'] === undefined) continue;
        if (wanted === undefined) throw no('Protocol must be defined if specifying a port or port-group');
        if (!['tcp', 'udp', 'tcp_udp'].includes(wanted as string))
          throw no('Protocol must be tcp, udp, or tcp_udp when specifying a port or port-group');
      }
    }
}

/** The lines of `show configuration commands`, without `set`. */
export function linesOf(tree: ConfigTree, above = ''): string[] {
  return Object.entries(tree).flatMap(([name, below]) => {
    const path = above === '' ? name : `${above} ${name}`;
    if (typeof below === 'string' || Array.isArray(below)) return [below].flat().map((value) => `${path} '${value}'`);
    return Object.keys(below).length === 0 ? [path] : linesOf(below, path);
  });
}
