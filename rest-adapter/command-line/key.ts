// Where the API key comes from: a file that is named, the environment, the file in the home folder, or whoever is asked. Never the command line,
// which others on the machine can see.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WrongUse } from './given.ts';
import type { Terminal } from './terminal.ts';

export const keyFileOf = ({ env, home }: Terminal): string => join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'egress', 'key');

/** Throws WrongUse when there is none. */
export async function findKey(terminal: Terminal, named: string | undefined): Promise<string> {
  if (named !== undefined) return readKey(terminal, named) ?? missing(`There is no file ${named}.`);
  const key = terminal.env['EGRESS_API_KEY']?.trim() || readKey(terminal, keyFileOf(terminal));
  if (key !== undefined && key !== '') return key;
  if (terminal.canAsk) return (await terminal.askSecret('API key: ')) || missing('No key was given.');
  return missing(`No API key: set EGRESS_API_KEY, name a file by --key-file, or run \`egress key save\`.`);
}

/** Writes a key to the file in the home folder, for its owner alone. Returns the path. */
export function saveKey(terminal: Terminal, key: string): string {
  const path = keyFileOf(terminal);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return path;
}

/** The key in a file; undefined when there is no such file. Says so when others may read it. */
function readKey(terminal: Terminal, path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return undefined;
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    terminal.err(`egress: others on this machine may read ${path}: chmod 600 ${path}\n`);
  return readFileSync(path, 'utf8').trim() || missing(`${path} is empty.`);
}

function missing(sentence: string): never {
  throw new WrongUse(sentence);
}
