// The shell on a guest's serial line: a log-in with the users that cloud-init and the agent have set, then some commands on the machine's own disk.
import type { Machine } from './state.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACE = '\u007F';

type Files = Record<string, string>;
type Command = (words: string[], machine: Machine, files: Files) => string;

const under = (path: string) => (path === '/' ? '/' : `${path.replace(/\/$/, '')}/`);
/** The file at the path, or all files below it. */
const at = (files: Files, path: string) => Object.keys(files).filter((file) => file === path || file.startsWith(under(path)));

const COMMANDS: Record<string, Command> = {
  help: () => `Commands: ${[...Object.keys(COMMANDS), 'exit'].sort().join(' ')}`,
  hostname: (_words, { config, name }) => String(config['description'] ?? name),
  uptime: (_words, machine) => `load average: ${(machine.load * Number(machine.config['cores'] ?? 1)).toFixed(2)}`,
  nproc: (_words, { config }) => String(config['cores'] ?? 1),
  free: (_words, { config }) => `Mem: ${String(config['memory'] ?? 512)} MB`,
  df: (_words, { disk }) => `/dev/sda1 ${disk?.gigabytes ?? 0}G /`,
  ip: (_words, { config }) =>
    Object.entries(config)
      .filter(([key]) => key.startsWith('ipconfig'))
      .map(([key, value]) => `eth${key.slice(8)}: ${String(value)}`)
      .join('\n'),
  ls: ([path = '/'], _machine, files) => at(files, path).sort().join('\n'),
  cat: ([path = ''], _machine, files) => files[path] ?? `cat: ${path}: No such file or directory`,
  echo(words, _machine, files) {
    const arrow = words.indexOf('>');
    if (arrow < 0) return words.join(' ');
    files[words[arrow + 1] ?? '/dev/null'] = words.slice(0, arrow).join(' ');
    return '';
  },
  rm(words, _machine, files) {
    const path = words.find((word) => !word.startsWith('-')) ?? '';
    const those = at(files, path);
    for (const file of those) delete files[file];
    return those.length > 0 ? '' : `rm: cannot remove '${path}': No such file or directory`;
  },
  /** Sets the load of all processors in percent, until it is set again. */
  stress([percent = '100'], machine) {
    machine.load = Math.min(100, Math.max(0, Number(percent) || 0)) / 100;
    return '';
  },
};

/** `write` prints to the terminal; `changed` is called when the machine may have changed. */
export function openShell(machine: Machine, write: (text: string) => void, changed: () => void) {
  let line = '';
  let user: string | undefined;
  let asked: 'name' | 'password' | 'command' = 'name';
  const host = () => String(machine.config['description'] ?? machine.name);
  const prompt = () => {
    if (asked === 'name') write(`${host()} login: `);
    else if (asked === 'password') write('Password: ');
    else write(`${user}@${host()}:~$ `);
  };
  const logIn = (password: string) => {
    const right = user !== undefined && machine.users[user] === password;
    asked = right ? 'command' : 'name';
    write(right ? `\r\nWelcome to ${host()}. Type help.\r\n` : '\r\nLogin incorrect\r\n');
  };
  const run = (text: string) => {
    const [name = '', ...words] = text.split(/\s+/).filter(Boolean);
    if (name === 'exit' || name === 'logout') {
      asked = 'name';
      return write('\r\n');
    }
    const command = COMMANDS[name];
    const output = name === '' ? '' : command ? command(words, machine, machine.disk?.contents ?? {}) : `${name}: command not found`;
    changed();
    if (output) write(`${output.replaceAll('\n', '\r\n')}\r\n`);
  };
  const enter = () => {
    const text = line;
    line = '';
    write('\r\n');
    if (asked === 'name') {
      user = text.trim();
      if (user) asked = 'password';
    } else if (asked === 'password') logIn(text);
    else run(text.trim());
    prompt();
  };

  write(`\r\n${host()} ttyS0\r\n\r\n`);
  prompt();
  return {
    input(text: string): void {
      for (const key of text) {
        if (key === '\r' || key === '\n') enter();
        else if (key === BACKSPACE || key === '\b') {
          if (line && asked !== 'password') write('\b \b');
          line = line.slice(0, -1);
        } else if (key === CTRL_C || (key === CTRL_D && line === '')) {
          line = '';
          if (key === CTRL_D) asked = 'name';
          write('\r\n');
          prompt();
        } else if (key >= ' ') {
          line += key;
          if (asked !== 'password') write(key);
        }
      }
    },
  };
}
