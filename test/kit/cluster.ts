// PostgreSQL as an operator runs it outside the platform: with the programs of the system's package, and with a standby where a test wants one.
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serverOwner } from '#platform/embedded-programs.ts';
import { freePorts } from './ports.ts';

const run = promisify(execFile);
const VERSIONS = '/usr/lib/postgresql';

/** The folder with the programs of the newest installed server; undefined where none is installed (Debian: postgresql). */
export function installedServer(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted((a, b) => Number(a) - Number(b)) : [];
  return versions.map((version) => join(VERSIONS, version, 'bin')).findLast((bin) => existsSync(join(bin, 'initdb')));
}

export interface Cluster {
  url: string;
  port: number;
  data: string;
  start(): Promise<void>;
  /** `immediate` stops without a checkpoint, as a power cut does. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  promote(): Promise<void>;
  /** Sends SIGKILL to the postmaster, which then closes no connection and writes nothing. */
  kill(): void;
  /** Stops the server and deletes its folder. */
  remove(): Promise<void>;
}

/** Makes a new folder, and returns it with a function that runs PostgreSQL's programs there as a user that is not root. */
function workplace(): { root: string; control(program: string, words: string[]): Promise<unknown> } {
  const owner = serverOwner();
  const root = mkdtempSync(join(tmpdir(), 'egress-cluster-'));
  chmodSync(root, 0o755);
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(root, owner.uid, owner.gid);
  const bin = installedServer() ?? '';
  return {
    root,
    // The server inherits pg_ctl's stdout and stderr, which therefore stay open. Waiting for their end would take for ever.
    control: (program, words) =>
      run(join(bin, program), words, { ...owner, cwd: root, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } }),
  };
}

/** Makes a cluster that is not started yet. `settings`: lines of postgresql.conf. */
export async function createCluster(settings: readonly string[] = []): Promise<Cluster> {
  const { root, control } = workplace();
  const data = join(root, 'data');
  await control('initdb', ['--pgdata', data, '--auth=trust', '--username=egress', '--encoding=UTF8', '--locale=C']);
  return clusterIn(root, data, control, settings);
}

/** Makes a cluster of the folder that a restore has written, which holds `data`. Moves the folder to where the server's user may read it. */
export async function adoptCluster(folder: string): Promise<Cluster> {
  const { root, control } = workplace();
  const place = join(root, 'adopted');
  execFileSync('mv', [folder, place]);
  const { uid, gid } = serverOwner();
  if (uid !== undefined && gid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, place]);
  return clusterIn(root, join(place, 'data'), control, []);
}

/** Makes and starts a standby that follows `primary`, under `name` as its application_name. */
export async function createStandby(primary: Cluster, name: string): Promise<Cluster> {
  const { root, control } = workplace();
  const data = join(root, 'data');
  const from = `postgres://egress@127.0.0.1:${primary.port}/postgres?application_name=${name}`;
  await control('pg_basebackup', ['--pgdata', data, '--write-recovery-conf', '--checkpoint=fast', '--dbname', from]);
  const standby = await clusterIn(root, data, control, [
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=egress application_name=${name}'`,
  ]);
  await standby.start();
  return standby;
}

async function clusterIn(
  root: string,
  data: string,
  control: (program: string, words: string[]) => Promise<unknown>,
  settings: readonly string[],
): Promise<Cluster> {
  const port = await freePorts(1);
  const own = [`port = ${port}`, `listen_addresses = '127.0.0.1'`, `unix_socket_directories = ''`, 'fsync = on', ...settings];
  // The last line for a setting wins. PostgreSQL reads the file that ALTER SYSTEM writes after this one.
  appendFileSync(join(data, 'postgresql.conf'), `\n${own.join('\n')}\n`);
  writeFileSync(join(root, 'log'), '', { mode: 0o666 });
  chmodSync(join(root, 'log'), 0o666);
  let runs = false;
  const cluster: Cluster = {
    url: `postgres://egress@127.0.0.1:${port}/postgres`,
    port,
    data,
    async start() {
      await control('pg_ctl', ['start', '--wait', '--pgdata', data, '--log', join(root, 'log')]).catch((error: Error) =>
        Promise.reject(new Error(`${error.message}\n${readFileSync(join(root, 'log'), 'utf8').slice(-2_000)}`)),
      );
      runs = true;
    },
    async stop(mode = 'fast') {
      if (runs) await control('pg_ctl', ['stop', '--wait', '--mode', mode, '--pgdata', data]);
      runs = false;
    },
    promote: async () => void (await control('pg_ctl', ['promote', '--wait', '--pgdata', data])),
    kill() {
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
      runs = false;
    },
    async remove() {
      await cluster.stop('immediate').catch(() => {});
      rmSync(root, { recursive: true, force: true });
    },
  };
  return cluster;
}
