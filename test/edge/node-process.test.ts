// A node started as an operator does: `npm run edge` with two workers, TLS, metrics and rules, drained by a signal.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enrolEdge } from '../../subgraphs/residential/edges/services/edges.ts';
import { freePorts } from '../kit/ports.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';
import { connectHead, localExit, openClient } from './world.ts';
import { rowOf } from '../kit/tables.ts';

let world: PlatformWorld;
let directory: string;
const children: ChildProcess[] = [];
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};
beforeAll(async () => {
  world = await startPlatformWorld();
  directory = mkdtempSync(join(tmpdir(), 'egress-node-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await world.close();
  rmSync(directory, { recursive: true });
});

function run(environment: Record<string, string>): { child: ChildProcess; said: Promise<string> } {
  const child = spawn(process.execPath, [new URL('../../edge/server.ts', import.meta.url).pathname], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: directory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = new Promise<string>((resolve) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        if (text.includes('\n')) resolve(text);
      });
  });
  return { child, said };
}

test('it carries on both kinds of ports, tells Prometheus and the platform what it does, and a signal ends it cleanly', async () => {
  const first = await freePorts(3);
  const ports = [first, first + 1, first + 2] as const;
  const id = `fra-${first}`;
  const files = { cert: join(directory, 'crt'), key: join(directory, 'key') };
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=x', '-out', files.cert].concat([
      '-keyout',
      files.key,
    ]),
    { stdio: 'ignore' },
  );
  const { child, said } = run({
    PLATFORM_URL: world.url(),
    EDGE_KEY: await enrolEdge(world.residential.context(), id),
    EDGE_LISTEN: `127.0.0.1:${ports[0]}`,
    EDGE_TLS_LISTEN: `127.0.0.1:${ports[1]}`,
    EDGE_TLS_CERT_FILE: files.cert,
    EDGE_TLS_KEY_FILE: files.key,
    EDGE_METRICS: `127.0.0.1:${ports[2]}`,
    EDGE_EXITS_FILE: file('exits.json', JSON.stringify([localExit(11), localExit(12)])),
    EDGE_RULES_FILE: file('rules.json', JSON.stringify({ products: { PREMIUM: { forbiddenNames: ['blocked.example'] } } })),
    EDGE_WORKERS: '2',
    EDGE_DRAIN_MINUTES: '0',
  });
  expect(await said).toBe(`proxy node at 127.0.0.1:${ports[0]}, 127.0.0.1:${ports[1]}\n`);
  const plan = await world.residential.plan('acct_1');
  const password = world.passwordOf(plan);
  for (const target of ['10.1.2.3:80', 'www.blocked.example:443', '127.0.0.1:22']) {
    const client = await openClient(ports[0]);
    client.write(connectHead(target, `${plan.username}-country-de`, password));
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 403 /);
  }
  const secure = connect({ port: ports[1], host: '127.0.0.1', rejectUnauthorized: false });
  secure.write(connectHead('10.1.2.3:80', plan.username, 'wrong'));
  expect(await new Promise((resolve) => secure.once('data', (bytes: Buffer) => resolve(bytes.toString())))).toMatch(/^HTTP\/1\.1 407 /);
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${ports[2]}/metrics`)).text(), { timeout: 5_000 })
    .toMatch(/^egress_edge_exits 2$/m);
  await expect
    .poll(
      async () =>
        (await rowOf<{ status: { refusals: object } | null }>(world.residential.query, 'residential.edge', { id }))?.status?.refusals,
      { timeout: 15_000 },
    )
    .toEqual({ target_address_forbidden: 3, proxy_credentials_wrong: 1 });
  const over = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await over).toBe(0);
  expect(await world.openLeases(plan)).toBe(0);
});

test.each<[graceMs: string, status: string, ready: number]>([
  ['60000', '403', 200],
  ['0', '503', 503],
])(
  'with a grace of %s ms a plan that it knows is let in with %s while the platform is away, and readiness is %i',
  async (graceMs, status, ready) => {
    const port = await freePorts(2);
    const { child, said } = run({
      PLATFORM_URL: world.url(),
      EDGE_KEY: await enrolEdge(world.residential.context(), `grace-${graceMs}`),
      EDGE_LISTEN: `127.0.0.1:${port}`,
      EDGE_EXITS_FILE: file('exits.json', JSON.stringify([localExit(11)])),
      EDGE_GRACE_MS: graceMs,
      HEALTH_PORT: String(port + 1),
      EDGE_DRAIN_MINUTES: '0',
    });
    expect(await said).toContain('proxy node at');
    const plan = await world.residential.plan('acct_1');
    const answer = async () => {
      const client = await openClient(port);
      client.write(connectHead('10.1.2.3:80', plan.username, world.passwordOf(plan)));
      return (await client.ended()).toString().slice(9, 12);
    };
    // The log-in is right, the target is not allowed.
    await expect.poll(answer).toBe('403');
    const readiness = async () => (await fetch(`http://127.0.0.1:${port + 1}/health/ready`)).status;
    await expect.poll(readiness, { timeout: 10_000 }).toBe(200);
    await world.hangUp();
    expect(await answer()).toBe(status);
    // Longer than the feed may be silent, so the health check must have seen beats since.
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    expect([await answer(), await readiness()]).toEqual([status, ready]);
    await world.listen();
    await expect.poll(answer, { timeout: 10_000 }).toBe('403');
    const over = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await over).toBe(0);
  },
);

test('a configuration that is not usable is told in a sentence', async () => {
  const { child, said } = run({
    PLATFORM_URL: world.url(),
    EDGE_KEY: 'egress_edge_0123456789',
    EDGE_EXITS_FILE: 'x',
    EDGE_TLS_LISTEN: '0.0.0.0:7779',
  });
  expect(await said).toContain('EDGE_TLS_LISTEN needs EDGE_TLS_CERT_FILE and EDGE_TLS_KEY_FILE');
  if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
  expect(child.exitCode).toBe(1);
});
