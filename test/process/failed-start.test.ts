// A start that fails prints the reason in a sentence, closes what it opened and ends with 1, so that a supervisor sees the failure.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Child, runChild } from '../kit/child.ts';
import { type TestDatabase, createTestDatabase } from '../kit/database.ts';
import { deleteRows } from '../kit/tables.ts';
import { PLATFORM_PORTS, freePorts } from '../kit/ports.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';

// Generous limits for a busy machine: a whole platform starts in seconds on an idle one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

let database: TestDatabase;
let older: TestDatabase;
let dataDir: string;
let taken: Server;
let takenPort: number;
let free: number;
const children: Child[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  older = await createTestDatabase();
  await deleteRows(older.query, 'public.egress_migration', { name: '0140-schema-needs.sql' });
  dataDir = mkdtempSync(join(tmpdir(), 'egress-start-'));
  free = await freePorts(PLATFORM_PORTS);
  taken = createServer((socket) => socket.destroy());
  takenPort = await freePorts(1);
  await new Promise<void>((resolve) => taken.listen(takenPort, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
  taken.close();
  await database.drop();
  await older.drop();
  rmSync(dataDir, { recursive: true });
});

const file = (name: string, content: string) => {
  writeFileSync(join(dataDir, name), content);
  return join(dataDir, name);
};

async function start(entry: string, environment: Record<string, string>): Promise<Child> {
  // Several platforms run at once, so each has its own ports.
  const own = await freePorts(PLATFORM_PORTS);
  const child = runChild(entry, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(own),
    SANDBOX_PORT: String(own + 1),
    EDGE: 'false',
    DEMO: 'false',
    ...environment,
  });
  children.push(child);
  return child;
}

const NOBODY = 'redis://127.0.0.1:1';

test.concurrent.each<[cause: string, entry: string, environment: () => Record<string, string>, sentence: () => string]>([
  ['a wrong value', 'main.ts', () => ({ PORT: 'x' }), () => 'The configuration is not usable:\n  - PORT '],
  ['a taken port', 'main.ts', () => ({ PORT: String(takenPort) }), () => `Port ${takenPort} is taken: choose another`],
  ['a host that is none', 'main.ts', () => ({ HOST: '192.0.2.1' }), () => '192.0.2.1 is no address of this machine'],
  [
    'a taken port of the sandbox',
    'main.ts',
    () => ({ SANDBOX_PORT: String(takenPort) }),
    () => `The sandbox cannot listen on 127.0.0.1:${takenPort}`,
  ],
  [
    'a database that is older than the program, which may not change it',
    'main.ts',
    () => ({ MIGRATE: 'off', DATABASE_URL: older.url }),
    () =>
      'The database is older than this program, and MIGRATE=off: one migration is pending, from 0140-schema-needs.sql. Run: npm run --silent migrate',
  ],
  [
    'no catalogue',
    'main.ts',
    () => ({ CATALOGUE_FILE: join(dataDir, 'none.json') }),
    () => `The file ${dataDir}/none.json cannot be used. ENOENT`,
  ],
  [
    'a catalogue that is no JSON',
    'main.ts',
    () => ({ CATALOGUE_FILE: file('half.json', '{') }),
    () => 'half.json cannot be used. Expected property name',
  ],
  [
    'a wrong catalogue',
    'main.ts',
    () => ({ CATALOGUE_FILE: file('wrong.json', '{"residential":{"PREMIUM":{"prices":{"1":"free"}}}}') }),
    () => 'wrong.json cannot be used. The catalogue is not usable:\n  - residential.PREMIUM.prices.1:',
  ],
  [
    'no logo',
    'main.ts',
    () => ({ BRAND_LOGO_FILE: join(dataDir, 'none.svg') }),
    () => `The file ${dataDir}/none.svg cannot be used (ENOENT).`,
  ],
  [
    'no database',
    'main.ts',
    () => ({ DATABASE_URL: 'postgres://egress:x@127.0.0.1:1/postgres' }),
    // The rest of the sentence depends on the machine: a closed port refuses, and a port forwarder closes the connection.
    () => 'The database at 127.0.0.1:1 cannot be used: ',
  ],
  [
    'a wrong password of the database',
    'main.ts',
    () => ({ DATABASE_URL: database.url.replace(/:[^:@]+@/, ':wrong@') }),
    () => 'password authentication failed',
  ],
  ['no rate limit store', 'main.ts', () => ({ REDIS_URL: NOBODY }), () => 'REDIS_URL'],
  ['a taken port of a subgraph', 'subgraphs/accounts/server.ts', () => ({ PORT: String(takenPort) }), () => `Port ${takenPort} is taken`],
  ['a subgraph without a database', 'subgraphs/static/server.ts', () => ({ DATABASE_URL: '' }), () => 'DATABASE_URL must be set'],
  [
    'a gateway that misses a subgraph',
    'main.ts',
    () => ({ ROLE: 'gateway', SUBGRAPH_URLS: 'accounts=http://127.0.0.1:1/graphql' }),
    () => 'SUBGRAPH_URLS has no address for residential.',
  ],
  [
    'a taken port of a gateway',
    'main.ts',
    () => ({
      ROLE: 'gateway',
      PORT: String(takenPort),
      SUBGRAPH_URLS: SUBGRAPHS.map((name) => `${name}=http://127.0.0.1:1/graphql`).join(','),
    }),
    () => `Port ${takenPort} is taken`,
  ],
  [
    'a taken port of an adapter',
    'main.ts',
    () => ({ ROLE: 'adapter', PORT: String(takenPort), GATEWAY_URL: 'http://127.0.0.1:1' }),
    () => `Port ${takenPort} is taken`,
  ],
  [
    'a taken port of a node',
    'edge/server.ts',
    () => ({
      PLATFORM_URL: 'http://127.0.0.1:1',
      EDGE_KEY: 'egress_edge_0123456789',
      EDGE_LISTEN: `127.0.0.1:${takenPort}`,
      EDGE_EXITS_FILE: file('exits.json', '[{"id":"a","kind":"local","address":"127.0.0.1","country":"de","products":["PREMIUM"]}]'),
    }),
    () => `Port ${takenPort} is taken`,
  ],
  [
    'a taken port of the figures of a node',
    'edge/server.ts',
    () => ({
      PLATFORM_URL: 'http://127.0.0.1:1',
      EDGE_KEY: 'egress_edge_0123456789',
      EDGE_LISTEN: `127.0.0.1:${free + 15}`,
      EDGE_EXITS_FILE: file('exits.json', '[{"id":"a","kind":"local","address":"127.0.0.1","country":"de","products":["PREMIUM"]}]'),
      EDGE_METRICS: `127.0.0.1:${takenPort}`,
      EDGE_DRAIN_MINUTES: '0',
    }),
    () => `Port ${takenPort} is taken`,
  ],
  [
    'a node without exits',
    'edge/server.ts',
    () => ({ PLATFORM_URL: 'http://127.0.0.1:1', EDGE_KEY: 'egress_edge_0123456789', EDGE_EXITS_FILE: join(dataDir, 'no-exits.json') }),
    () => 'no-exits.json cannot be used. ENOENT',
  ],
  [
    'a command without a database',
    'subgraphs/static/commands/inventory.ts',
    () => ({ DATABASE_URL: 'postgres://egress:x@127.0.0.1:1/postgres' }),
    () => 'The database at 127.0.0.1:1 cannot be used',
  ],
])('%s: %s ends with 1 and a sentence', async (_, entry, environment, sentence) => {
  const child = await start(entry, environment());
  expect(await child.ended).toBe(1);
  expect(child.text()).toContain(sentence());
  expect(child.text()).not.toMatch(/^\s+at /m);
});
