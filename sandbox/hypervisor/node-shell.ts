// A root shell on a node, as far as an operator needs it to set the cluster up: `pveum`, `pvesm`, the firewall's file and its service. Sources: pve-access-control,
// PVE/CLI/pveum.pm; pve-storage 9.1.7, PVE/CLI/pvesm.pm; pve-firewall 6.0.4, PVE/Firewall.pm, for the file and its option `enable`.
import { randomUUID } from 'node:crypto';
import { knownPrivileges, noAccess } from './access.ts';
import { type HypervisorState, storagesOf } from './state.ts';

const FIREWALL = '/etc/pve/firewall/cluster.fw';

/** Runs a block of commands, and returns what they print. Throws at a command that the real one would refuse, or that is not played here. */
export function runOnNode(state: HypervisorState, block: string): string {
  const printed: string[] = [];
  const rest = block.replaceAll(/^cat > (\S+) <<'(\w+)'\n(.*?)^\2$/gms, (_, file: string, __, text: string) => {
    if (file !== FIREWALL) throw new Error(`cannot write ${file} here`);
    state.firewall = /^\[OPTIONS\]\n(?:[^[]*\n)?enable: 1$/m.test(text);
    return '';
  });
  const lines = rest.replaceAll(/ \\\n\s*/g, ' ').split('\n');
  for (const line of lines.flatMap((one) => one.replace(/\s+#.*$/, '').split('&&')))
    if (line.trim() !== '') printed.push(run(state, wordsOf(line.trim())));
  return printed.filter(Boolean).join('\n');
}

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, other, word]) => one ?? other ?? word ?? '');

/** Words and `--options` of a command; `--append` alone has no value. */
function parse(words: readonly string[]): { plain: string[]; options: Record<string, string> } {
  const [plain, options]: [string[], Record<string, string>] = [[], {}];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('--')) plain.push(word);
    else if (word === '--append') options['append'] = '1';
    else options[word.slice(2)] = words[++at] ?? '';
  }
  return { plain, options };
}

function run(state: HypervisorState, [program = '', ...words]: string[]): string {
  const { plain, options } = parse(words);
  if (program === 'pveum') return userManager(state, plain, options);
  if (program === 'pvesm') return storageManager(state, plain, options);
  if (program === 'pve-firewall' && plain[0] === 'compile') return '';
  if (program === 'pve-firewall' && plain[0] === 'status') return `Status: ${state.firewall ? 'enabled' : 'disabled'}/running`;
  throw new Error(`${program}: command not found`);
}

function userManager(state: HypervisorState, [kind, verb, ...names]: string[], options: Record<string, string>): string {
  const access = (state.access ??= noAccess());
  const [name = '', token = ''] = kind === 'user' && verb === 'token' ? names.slice(1) : names;
  const privileges = (options['privs'] ?? '').split(/[ ,]+/).filter(Boolean);
  const unknown = privileges.find((privilege) => !knownPrivileges(state).includes(privilege));
  if (unknown !== undefined) throw new Error(`invalid privilege '${unknown}'`);
  switch (`${kind} ${verb}`) {
    case 'role add':
      if (access.roles[name]) throw new Error(`role '${name}' already exists`);
      access.roles[name] = privileges;
      return '';
    case 'role modify':
      if (!access.roles[name]) throw new Error(`role '${name}' does not exist`);
      access.roles[name] = [...(options['append'] ? access.roles[name] : []), ...privileges];
      return '';
    case 'user add':
      if (name in access.users) throw new Error(`create user failed: user '${name}' already exists`);
      access.users[name] = options['password'] ?? null;
      return '';
    case 'user delete':
      if (!(name in access.users)) throw new Error(`no such user ('${name}')`);
      delete access.users[name];
      access.grants = access.grants.filter(({ user }) => user !== name);
      return '';
    case 'acl modify': {
      const [user = '', roles = ''] = [options['users'], options['roles']];
      if (!(user in access.users)) throw new Error(`user '${user}' does not exist`);
      for (const role of roles.split(',')) {
        if (!access.roles[role]) throw new Error(`role '${role}' does not exist`);
        access.grants.push({ path: name, user, role });
      }
      return '';
    }
    case 'user token': {
      if (names[0] !== 'add' || !(name in access.users)) throw new Error(`no such user ('${name}')`);
      if (options['privsep'] !== '0') throw new Error('the sandbox has tokens without privilege separation alone');
      const secret = randomUUID();
      access.tokens[`${name}!${token}`] = secret;
      return `full-tokenid ${name}!${token}\nvalue ${secret}`;
    }
    default:
      throw new Error(`pveum: unknown command '${kind} ${verb}'`);
  }
}

function storageManager(state: HypervisorState, plain: string[], { content }: Record<string, string>): string {
  const [verb = '', name = ''] = plain[0] === 'add' ? ['add', plain[2]] : plain;
  const isThere = name in storagesOf(state);
  if (verb === 'add' && isThere) throw new Error(`create storage failed: storage ID '${name}' already defined`);
  if (verb === 'set' && !isThere) throw new Error(`update storage failed: storage '${name}' does not exist`);
  if (!['add', 'set'].includes(verb) || content === undefined) throw new Error(`pvesm: the sandbox plays 'add' and 'set' with --content`);
  state.storages = { ...storagesOf(state), [name]: content };
  return '';
}
