// A platform whose parts run in separate processes, as an operator starts them, with one database and one secret.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, runChild } from '../kit/child.ts';
import { createTestDatabase } from '../kit/database.ts';
import { freePorts } from '../kit/ports.ts';
import { SUBGRAPHS, type SubgraphName } from '../../schema/subgraphs.ts';

export const SECRET = 'a master secret that all of these processes share';

export type Role = SubgraphName | 'gateway' | 'adapter' | 'node';
const ROLES: readonly Role[] = [...SUBGRAPHS, 'gateway', 'adapter', 'node'];

export interface Deployment {
  dataDir: string;
  /** Runs any entry with the environment that all parts share. */
  start(entry: string, environment: Record<string, string>, args?: string[]): Child;
  /** Starts a part, and resolves when it is ready. */
  part(role: Role, environment?: Record<string, string>): Promise<Child>;
  port(role: Role): number;
  /** The URL of its PORT; a node does not serve the platform's HTTP there. */
  url(role: Role): string;
  healthUrl(role: Role): string;
  /** Enrols a new node, and returns its key. */
  enrol(id: string): Promise<string>;
  close(): Promise<void>;
}

/** `more`: additional environment of each process. `databaseUrl`: a database to use instead of a new one. */
export async function createDeployment(more: Record<string, string> = {}, databaseUrl?: string): Promise<Deployment> {
  const database = databaseUrl === undefined ? await createTestDatabase() : undefined;
  const dataDir = mkdtempSync(join(tmpdir(), 'egress-apart-'));
  const exits = join(dataDir, 'exits.json');
  writeFileSync(exits, '[{"id":"a","kind":"local","address":"127.0.0.1","country":"de","products":["PREMIUM"]}]');
  const first = await freePorts(2 * ROLES.length);
  const children: Child[] = [];
  const port = (role: Role) => first + ROLES.indexOf(role);
  const healthPort = (role: Role) => first + ROLES.length + ROLES.indexOf(role);
  const url = (role: Role) => `http://127.0.0.1:${port(role)}`;
  const SUBGRAPH_URLS = SUBGRAPHS.map((name) => `${name}=${url(name)}/graphql`).join(',');

  function start(entry: string, environment: Record<string, string>, args: string[] = []): Child {
    const common = { DATABASE_URL: databaseUrl ?? database?.url ?? '', DATA_DIR: dataDir, SECRET, EDGE: 'false', DEMO: 'false', ...more };
    const child = runChild(entry, { ...common, ...environment }, args);
    children.push(child);
    return child;
  }
  async function enrol(id: string): Promise<string> {
    const command = start('subgraphs/residential/commands/enrol-edge.ts', {}, [id]);
    if ((await command.ended) !== 0) throw new Error(command.text());
    return command.text().trim().replace('EDGE_KEY=', '');
  }
  async function entryOf(role: Role): Promise<[entry: string, said: string, own: Record<string, string>]> {
    if (role === 'gateway') return ['main.ts', 'gateway at', { ROLE: 'gateway' }];
    if (role === 'adapter') return ['main.ts', 'adapter at', { ROLE: 'adapter', GATEWAY_URL: url('gateway') }];
    if (role !== 'node') return [`subgraphs/${role}/server.ts`, `${role} at`, {}];
    const EDGE_LISTEN = `127.0.0.1:${port('node')}`;
    const own = {
      PLATFORM_URL: url('gateway'),
      EDGE_KEY: await enrol('apart-1'),
      EDGE_LISTEN,
      EDGE_EXITS_FILE: exits,
      EDGE_DRAIN_MINUTES: '0',
    };
    return ['edge/server.ts', 'proxy node at', own];
  }

  return {
    dataDir,
    start,
    async part(role, environment = {}) {
      const [entry, said, own] = await entryOf(role);
      const ports = { PORT: String(port(role)), HEALTH_PORT: String(healthPort(role)) };
      const child = start(entry, { ...ports, SUBGRAPH_URLS, ...own, ...environment });
      await child.said(said);
      return child;
    },
    port,
    url,
    healthUrl: (role) => `http://127.0.0.1:${healthPort(role)}`,
    enrol,
    async close() {
      for (const child of children) child.process.kill('SIGKILL');
      await Promise.all(children.map(({ ended }) => ended));
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
