// A process that is told to stop ends with 0 within its time limit, with open feeds, streams, sockets, requests, and subscriptions to an unreachable part.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { type Child, runChild } from '../kit/child.ts';
import { type TestDatabase, createTestDatabase } from '../kit/database.ts';
import { PLATFORM_PORTS, freePorts } from '../kit/ports.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';

const SECRET = 'a master secret that all of these processes share';

// Generous limits for a busy machine: a whole platform starts in seconds on an idle one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

let database: TestDatabase;
let dataDir: string;
const children: Child[] = [];
const opened: { close(): unknown }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'egress-stop-'));
});
afterAll(async () => {
  for (const { close } of opened) close();
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

function start(entry: string, environment: Record<string, string>, args: string[] = []): Child {
  const child = runChild(
    entry,
    { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET, EDGE: 'false', DEMO: 'false', ...environment },
    args,
  );
  children.push(child);
  return child;
}

/** Stops a process. One that exceeds its time limit prints that and ends with 1. */
async function stop(child: Child, signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | string; text: string }> {
  child.process.kill(signal);
  return { code: await child.ended, text: child.text() };
}

/** Enrols a new node, and returns its key. */
async function enrol(id: string): Promise<string> {
  const command = start('subgraphs/residential/commands/enrol-edge.ts', {}, [id]);
  expect(await command.ended).toBe(0);
  return command.text().trim().replace('EDGE_KEY=', '');
}

/** Opens a node's feed and keeps it open; resolves when it has begun. */
async function follow(url: string, key: string): Promise<void> {
  const leave = new AbortController();
  opened.push({ close: () => leave.abort() });
  const { status, body } = await fetch(`${url}/edge/feed`, { headers: { authorization: `Bearer ${key}` }, signal: leave.signal });
  expect(status).toBe(200);
  await body?.getReader().read();
}

/** Opens a connection that sends half a request and then nothing. */
async function halfRequest(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  opened.push({ close: () => socket.destroy() });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
}

/** Starts a GraphQL subscription of a customer; resolves with its first event. */
function subscribe(url: string, authorization: string, planId: string): Promise<void> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
    retryAttempts: 0,
  });
  opened.push({ close: () => void client.dispose() });
  return new Promise((resolve) => {
    client.subscribe(
      { query: 'subscription ($plan: ID!) { residentialUsageChanged(planId: $plan) { usedBytes } }', variables: { plan: planId } },
      { next: () => resolve(), error: () => {}, complete: () => {} },
    );
  });
}

/** The end of the page that a whole platform prints when it is ready. */
const READY = 'Ctrl-C stops it';

describe('the whole platform', () => {
  let port: number;
  let child: Child;
  beforeAll(async () => {
    port = await freePorts(PLATFORM_PORTS);
    child = start('main.ts', { PORT: String(port), SANDBOX_PORT: String(port + 1), DEMO: 'true' });
    await child.said(READY);
  });

  test('ends with sockets, a feed and half a request open', async () => {
    const { apiKey, planId } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { apiKey: string; planId: string };
    const url = `http://127.0.0.1:${port}`;
    await subscribe(url, `Bearer ${apiKey}`, planId);
    await follow(url, await enrol('all-1'));
    await halfRequest(port);
    expect(await stop(child)).toEqual({ code: 0, text: expect.stringContaining('Stopping.') as string });
  });
});

test('a second signal ends a process at once while it waits for a request', async () => {
  const port = await freePorts(1);
  const child = start('subgraphs/accounts/server.ts', { PORT: String(port) });
  await child.said('accounts at');
  await halfRequest(port);
  child.process.kill('SIGTERM');
  // The port closes first, so a refused connection shows that the signal was handled.
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(130);
});

describe('in processes of their own', () => {
  const parts = new Map<string, Child>();
  const part = (name: string) => parts.get(name) as Child;
  let ports: number;
  let key: string;

  beforeAll(async () => {
    ports = await freePorts(8);
    const port = (index: number) => ({ PORT: String(ports + index) });
    const SUBGRAPH_URLS = SUBGRAPHS.map((name, index) => `${name}=http://127.0.0.1:${ports + index}/graphql`).join(',');
    for (const [index, name] of SUBGRAPHS.entries()) {
      parts.set(name, start(`subgraphs/${name}/server.ts`, { ...port(index), SUBGRAPH_URLS }));
      await part(name).said(`${name} at`);
    }
    parts.set('gateway', start('main.ts', { ...port(4), ROLE: 'gateway', SUBGRAPH_URLS }));
    await part('gateway').said('gateway at');
    parts.set('adapter', start('main.ts', { ...port(5), ROLE: 'adapter', GATEWAY_URL: `http://127.0.0.1:${ports + 4}` }));
    await part('adapter').said('adapter at');
    key = await enrol('apart-1');
    const exits = join(dataDir, 'exits.json');
    writeFileSync(exits, '[{"id":"a","kind":"local","address":"127.0.0.1","country":"de","products":["PREMIUM"]}]');
    parts.set(
      'node',
      start('edge/server.ts', {
        PLATFORM_URL: `http://127.0.0.1:${ports + 1}`,
        EDGE_KEY: key,
        EDGE_LISTEN: `127.0.0.1:${ports + 6}`,
        EDGE_EXITS_FILE: exits,
        EDGE_DRAIN_MINUTES: '0',
      }),
    );
    await part('node').said('proxy node at');
  });

  test('a subgraph ends while a node’s feed is open, and then its gateway while a subscription tries to reconnect', async () => {
    await follow(`http://127.0.0.1:${ports + 1}`, key);
    const { apiKey, planId } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { apiKey: string; planId: string };
    await subscribe(`http://127.0.0.1:${ports + 4}`, `Bearer ${apiKey}`, planId);
    await halfRequest(ports + 1);
    expect((await stop(part('residential'))).code).toBe(0);
    expect((await stop(part('gateway'))).code).toBe(0);
  });

  test('an adapter ends whose gateway is gone', async () => {
    await halfRequest(ports + 5);
    expect((await stop(part('adapter'))).code).toBe(0);
  });

  test('a node ends whose platform is gone', async () => {
    expect((await stop(part('node'))).code).toBe(0);
  });

  test.each(['accounts', 'static', 'compute'])('%s ends', async (name) => {
    expect((await stop(part(name))).code).toBe(0);
  });
});

describe('a failure that nobody waited for', () => {
  /** Preloaded code that makes an unhandled rejection on SIGUSR2. */
  const SLIP = `--import=data:text/javascript,${encodeURIComponent("process.on('SIGUSR2',()=>{Promise.reject(new Error('a slip'))})")}`;

  test.each<[name: string, entry: string, said: string, environment: (port: number) => Record<string, string>]>([
    ['a subgraph', 'subgraphs/accounts/server.ts', 'accounts at', (port) => ({ PORT: String(port) })],
    ['the whole platform', 'main.ts', READY, (port) => ({ PORT: String(port), SANDBOX_PORT: String(port + 1) })],
    [
      'a node',
      'edge/server.ts',
      'proxy node at',
      (port) => ({
        PLATFORM_URL: 'http://127.0.0.1:1',
        EDGE_KEY: 'egress_edge_0123456789',
        EDGE_LISTEN: `127.0.0.1:${port}`,
        EDGE_EXITS_FILE: join(dataDir, 'exits.json'),
        EDGE_DRAIN_MINUTES: '0',
      }),
    ],
  ])('ends %s with 1 and one line', async (_, entry, said, environment) => {
    const child = start(entry, { ...environment(await freePorts(PLATFORM_PORTS)), NODE_OPTIONS: SLIP, LOG_LEVEL: 'silent' });
    await child.said(said);
    const { code, text } = await stop(child, 'SIGUSR2');
    expect(code).toBe(1);
    const lines = text.split('\n').filter((line) => line.includes('a slip'));
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'the process ends: something failed that nobody waited for',
    ]);
  });
});
