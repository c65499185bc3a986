// The programs to compare, each in its own processes, with credentials if it supports them. A program that is not installed is skipped.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Peer {
  name: string;
  /** `relay`: forwards every connection to the target, without a handshake. */
  protocol: 'http' | 'socks5' | 'relay';
  port: number;
  authenticated: boolean;
  /** Supports requests in absolute form on persistent connections. */
  keepsAlive: boolean;
  /** Only its requests on persistent connections are measured, each connection with a session of its own. */
  hasSessions?: boolean;
  /** CPU seconds of all its processes so far. */
  cpuSeconds(): number;
  /** Proportional set size of all its processes, in bytes. */
  memoryBytes(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export interface Target {
  address: string;
  port: number;
}

const here = (name: string): string => new URL(name, import.meta.url).pathname;
const TICKS = 100;

/** The ids of a process and all its descendants. */
function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const parent = Number(fields[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  const family = [pid];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
}

function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0;
  }
}

function memoryOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** Kills a child process and its descendants, and waits for the end. */
const ended = (child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.once('exit', () => done());
    const family = familyOf(child.pid ?? 0).slice(1);
    child.kill(signal);
    for (const pid of family) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended with its parent.
      }
    }
  });

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const open = await new Promise<boolean>((done) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('connect', () => (socket.destroy(), done(true)));
      socket.once('error', () => done(false));
    });
    if (open) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`nothing answers on port ${port}`);
}

/** Starts a script of this folder, which prints its port. */
export async function startScript(
  script: string,
  options: object = {},
): Promise<{ child: ChildProcess; port: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [here(script), JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (bytes: Buffer) => resolve(bytes.toString()));
    child.once('exit', () => reject(new Error(`${script} did not start`)));
  });
  return { child, port: Number(line), stop: () => ended(child) };
}

const toPeer = (
  child: ChildProcess,
  peer: Pick<Peer, 'name' | 'protocol' | 'port' | 'authenticated' | 'keepsAlive' | 'hasSessions'>,
  clean: () => void = () => {},
): Peer => ({
  ...peer,
  cpuSeconds: () => familyOf(child.pid ?? 0).reduce((sum, pid) => sum + cpuOf(pid), 0),
  memoryBytes: () => familyOf(child.pid ?? 0).reduce((sum, pid) => sum + memoryOf(pid), 0),
  signal: (name) => void child.kill(name),
  async stop() {
    await ended(child);
    clean();
  },
});

async function program(
  peer: Omit<Pick<Peer, 'name' | 'protocol' | 'port' | 'authenticated' | 'keepsAlive'>, 'port'>,
  binary: string,
  make: (port: number, directory: string) => readonly string[],
): Promise<Peer> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'edge-peer-'));
  // Some programs drop privileges and must still read these files.
  execFileSync('chmod', ['755', directory]);
  const child = spawn(binary, make(port, directory), { stdio: ['ignore', 'ignore', 'ignore'] });
  try {
    await answers(port);
  } catch (error) {
    await ended(child);
    throw error;
  }
  return toPeer(child, { ...peer, port }, () => rmSync(directory, { recursive: true, force: true }));
}

const isThere = (file: string): boolean => {
  try {
    accessSync(file);
    return true;
  } catch {
    return false;
  }
};

const file = (directory: string, name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

interface Candidate {
  name: string;
  installed: boolean;
  start(target: Target): Promise<Peer>;
}

interface EdgeForm {
  exits: number;
  workers?: number;
  hasSessions?: boolean;
}

export const edge = (name: string, protocol: 'http' | 'socks5', { hasSessions = false, ...options }: EdgeForm): Candidate => ({
  name,
  installed: true,
  async start(target) {
    const { child, port } = await startScript('serve-edge.ts', { target, ...options });
    return toPeer(child, { name, protocol, port, authenticated: true, keepsAlive: true, hasSessions });
  },
});

/** The hash of the password `bench` for squid's helper. */
const APR1_OF_BENCH = '$apr1$egress00$t5004IV3S.ldkqNahGkjo0';
const SQUID_HELPER = ['/usr/lib/squid/basic_ncsa_auth', '/usr/lib64/squid/basic_ncsa_auth'].find(isThere);

const THREE_PROXY = ['/usr/bin/3proxy', '/usr/local/bin/3proxy', '/usr/sbin/3proxy'].find(isThere);

export const CANDIDATES: readonly Candidate[] = [
  edge('egress', 'http', { exits: 16 }),
  edge('egress, SOCKS5', 'socks5', { exits: 16 }),
  edge('egress, sessions', 'http', { exits: 16, hasSessions: true }),
  edge('egress, one exit', 'http', { exits: 1 }),
  edge('egress, all cores', 'http', { exits: 16, workers: Math.max(2, availableParallelism()) }),
  {
    name: 'proxy-chain',
    installed: true,
    async start() {
      const { child, port } = await startScript('serve-proxy-chain.ts');
      return toPeer(child, { name: 'proxy-chain', protocol: 'http', port, authenticated: true, keepsAlive: true });
    },
  },
  {
    name: 'squid',
    installed: isThere('/usr/sbin/squid') && SQUID_HELPER !== undefined,
    start: () =>
      program({ name: 'squid', protocol: 'http', authenticated: true, keepsAlive: true }, '/usr/sbin/squid', (port, directory) => {
        execFileSync('chmod', ['777', directory]);
        const users = file(directory, 'users', `bench:${APR1_OF_BENCH}\n`);
        const text = [
          `http_port 127.0.0.1:${port}`,
          `auth_param basic program ${SQUID_HELPER} ${users}`,
          'auth_param basic children 1',
          'auth_param basic credentialsttl 2 hours',
          'acl known proxy_auth REQUIRED',
          'http_access allow known',
          'http_access deny all',
          'cache deny all',
          'access_log none',
          'cache_log /dev/null',
          'cache_store_log none',
          `pid_filename ${directory}/pid`,
          `coredump_dir ${directory}`,
          'max_filedescriptors 20000',
          'via off',
          'forwarded_for delete',
          'shutdown_lifetime 0 seconds',
          'pinger_enable off',
          '',
        ].join('\n');
        return ['-N', '-f', file(directory, 'squid.conf', text)];
      }),
  },
  {
    name: 'tinyproxy',
    installed: isThere('/usr/bin/tinyproxy'),
    start: () =>
      program({ name: 'tinyproxy', protocol: 'http', authenticated: true, keepsAlive: false }, '/usr/bin/tinyproxy', (port, directory) => [
        '-d',
        '-c',
        file(
          directory,
          'tinyproxy.conf',
          `Port ${port}\nListen 127.0.0.1\nTimeout 600\nMaxClients 12000\nBasicAuth bench bench\nLogLevel Critical\n`,
        ),
      ]),
  },
  {
    name: 'microsocks',
    installed: isThere('/usr/bin/microsocks'),
    start: () =>
      program({ name: 'microsocks', protocol: 'socks5', authenticated: true, keepsAlive: false }, '/usr/bin/microsocks', (port) => [
        '-i',
        '127.0.0.1',
        '-p',
        String(port),
        '-u',
        'bench',
        '-P',
        'bench',
      ]),
  },
  {
    // The floor: a native program that relays without a log-in or a choice of target.
    name: 'haproxy, relay',
    installed: isThere('/usr/sbin/haproxy'),
    start: (target) =>
      program(
        { name: 'haproxy, relay', protocol: 'relay', authenticated: false, keepsAlive: false },
        '/usr/sbin/haproxy',
        (port, directory) => [
          '-db',
          '-f',
          file(
            directory,
            'haproxy.cfg',
            [
              'global',
              // Two file descriptors per connection, of the usual limit of 20,000 per process.
              '  maxconn 9500',
              '  nbthread 1',
              'defaults',
              '  mode tcp',
              '  timeout connect 5s',
              '  timeout client 10m',
              '  timeout server 10m',
              'frontend near',
              `  bind 127.0.0.1:${port}`,
              '  default_backend far',
              'backend far',
              `  server target ${target.address}:${target.port}`,
              '',
            ].join('\n'),
          ),
        ],
      ),
  },
  {
    // Splices in the kernel: the limit of what a native program can reach.
    name: '3proxy',
    installed: THREE_PROXY !== undefined,
    start: () =>
      program({ name: '3proxy', protocol: 'http', authenticated: true, keepsAlive: true }, THREE_PROXY ?? '', (port, directory) => [
        file(
          directory,
          '3proxy.cfg',
          ['users bench:CL:bench', 'auth strong', 'allow bench', 'maxconn 12000', `proxy -p${port} -i127.0.0.1`, ''].join('\n'),
        ),
      ]),
  },
];
