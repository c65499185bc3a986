// HAProxy in front of two copies of each part, set up as the documentation tells operators.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export const hasBalancer = (): boolean => !spawnSync('haproxy', ['-v']).error;

export interface Backend {
  name: string;
  port: number;
  /** tcp: the port does not speak our HTTP. */
  mode: 'http' | 'tcp';
  copies: readonly { port: number; healthPort: number }[];
}

const CHECK = { everyMs: 500, limitMs: 1_500, failures: 2 };
/** The longest time that a hanging copy still gets requests. One that refuses connections is noticed sooner. */
export const LEFT_MS = CHECK.failures * (CHECK.everyMs + CHECK.limitMs) + 500;

const backendOf = ({ name, port, mode, copies }: Backend): string => `
listen ${name}
  bind 127.0.0.1:${port}
  mode ${mode}
  balance roundrobin
${copies.length > 1 ? '  option httpchk GET /health/ready\n' : ''}  option redispatch
  retries 3
${mode === 'http' ? '  retry-on conn-failure empty-response response-timeout 503\n' : ''}${copies.length > 1 ? `  default-server check inter ${CHECK.everyMs} fall ${CHECK.failures} rise 1 on-marked-down shutdown-sessions\n` : ''}${copies.map((copy, index) => `  server ${name}-${index + 1} 127.0.0.1:${copy.port}${copies.length > 1 ? ` port ${copy.healthPort}` : ''}`).join('\n')}`;

export interface Balancer {
  /** How many copies of each part get requests, by the part's name. */
  ready(): Promise<Map<string, number>>;
  close(): Promise<void>;
}

export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'egress-haproxy-'));
  const socket = join(folder, 'admin.sock');
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  stats socket ${socket} mode 600
defaults
  timeout connect 1s
  timeout client 30s
  timeout server 10s
  timeout check ${CHECK.limitMs}
${backends.map(backendOf).join('\n')}
`,
  );
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    async ready() {
      const asked = connect(socket);
      asked.end('show stat\n');
      const rows = await text(asked).catch(async () => Promise.reject(new Error(await said)));
      const found = new Map<string, number>();
      for (const row of rows.split('\n')) {
        const [name = '', server = '', , , , , , , , , , , , , , , , status = ''] = row.split(',');
        if (!server.startsWith(`${name}-`)) continue;
        found.set(name, (found.get(name) ?? 0) + (/^UP|no check/.test(status) ? 1 : 0));
      }
      return found;
    },
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
