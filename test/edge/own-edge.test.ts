import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent as HttpAgent, get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExits } from '../../edge/exits-file.ts';
import { registerEdgeMetrics } from '../../edge/edge-metrics.ts';
import { generateProxies } from '../../subgraphs/residential/generation/services/generate-proxies.ts';
import { findAddressUse } from '../../subgraphs/residential/metering/services/find-address-use.ts';
import { createMetrics } from '#platform/metrics.ts';
import { keyOf } from '../kit/platform.ts';
import { type OwnEdgeWorld, startOwnEdgeWorld } from './own-edge-world.ts';

let own: OwnEdgeWorld;
beforeAll(async () => {
  own = await startOwnEdgeWorld();
});
afterAll(() => own.close());

const run = promisify(execFile);
const proxyUrl = (scheme: string, parts: string, port = own.edge.ports[0]) =>
  `${scheme}://${own.plan.username}${parts}:${own.password}@127.0.0.1:${port}`;

test('every line that is generated works: rotating and sticky, by country, state and city, Europe and Worldwide', async () => {
  const pools: { pool: string; state?: string; city?: string }[] = [
    { pool: 'Worldwide' },
    { pool: 'Europe' },
    { pool: 'Germany' },
    { pool: 'jp' },
    { pool: 'us', state: 'New York', city: 'New York City' },
    { pool: 'us', city: 'Miami' },
    { pool: 'us', state: 'Alaska' },
  ];
  for (const targeting of pools) {
    for (const session of ['ROTATING', 'STICKY'] as const) {
      const generation = { targeting, session, sessionMinutes: 60, protocol: 'HTTP' as const, quantity: 1 };
      const { text: line } = await generateProxies(own.world.as(keyOf('acct_1')), own.plan.id, generation);
      const [, , username = ''] = line.split(':');
      const agent = new ProxyAgent(`http://${username}:${own.password}@127.0.0.1:${own.edge.ports[0]}`);
      const answer = await undiciFetch(own.site.url, { dispatcher: agent });
      expect(await answer.text()).toMatch(/^You come from 127\.77\.\d+\.\d+\.\n$/);
      await agent.close();
    }
  }
});

test('curl comes through over HTTP, CONNECT and SOCKS5 with and without names resolved by the proxy; both ports take both', async () => {
  for (const port of own.edge.ports)
    for (const options of [
      ['-x', proxyUrl('http', '-country-de', port)],
      ['-p', '-x', proxyUrl('http', '-country-de', port)],
      ['-x', proxyUrl('socks5', '-country-de', port)],
      ['-x', proxyUrl('socks5h', '-country-de', port)],
    ]) {
      const { stdout } = await run('curl', ['-sS', '--max-time', '10', '--noproxy', '', ...options, own.site.url]);
      expect(stdout).toMatch(/^You come from 127\.77\./);
    }
});

test('the user of an address is found, with the line and the host', async () => {
  const { stdout } = await run('curl', ['-sS', '--noproxy', '', '-x', proxyUrl('http', '-country-it-session-12345678'), own.site.url]);
  const [address = ''] = /[\d.]+\d/.exec(stdout) ?? [];
  await own.edge.plans.leases.flush();
  const [use, ...others] = await findAddressUse(own.world.context(), { address, at: own.world.clock.now() });
  expect(others).toEqual([]);
  expect(use).toMatchObject({ planId: own.plan.id, address, client: '127.0.0.1', session: '12345678', hosts: [{ host: '127.0.0.1' }] });
});

test('traffic is counted for the plan, and the demo reaches nothing else on this machine', async () => {
  await own.edge.plans.leases.flush();
  const before = await own.world.planNow(own.plan.id);
  await run('curl', [
    '-sS',
    '-p',
    '-x',
    proxyUrl('http', '-country-fr'),
    '--noproxy',
    '',
    '-o',
    '/dev/null',
    `${own.site.url}/bytes/1000000`,
  ]);
  await own.edge.plans.leases.flush();
  const after = await own.world.planNow(own.plan.id);
  expect(after.downBytes - before.downBytes).toBeGreaterThan(1_000_000n);
  expect(after.downBytes - before.downBytes).toBeLessThan(1_001_000n);
  for (const url of [
    `http://127.0.0.1:${own.edge.ports[0]}/`,
    `http://127.0.0.1:${own.site.endpoint.port + 1}/`,
    `http://localhost:${own.site.endpoint.port}/`,
    'http://127.0.0.2:80/',
  ]) {
    const { stdout } = await run('curl', [
      '-sS',
      '-x',
      proxyUrl('http', ''),
      '--noproxy',
      '',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      url,
    ]);
    expect(stdout).toBe('403');
  }
});

test('a sticky line keeps its address over many requests of a kept connection', async () => {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
  const seen = new Set<string>();
  for (let count = 0; count < 5; count++) {
    seen.add(
      await new Promise<string>((resolve, reject) => {
        const authorization = `Basic ${Buffer.from(`${own.plan.username}-country-any-session-12345678-sessionttl-30:${own.password}`).toString('base64')}`;
        get(
          { agent, host: '127.0.0.1', port: own.edge.ports[0], path: own.site.url, headers: { 'Proxy-Authorization': authorization } },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            response.on('end', () => resolve(text));
          },
        ).on('error', reject);
      }),
    );
  }
  agent.destroy();
  expect(seen.size).toBe(1);
});

test('figures of the node are metrics', async () => {
  const { registry } = createMetrics();
  registerEdgeMetrics(registry, own.edge);
  const text = await registry.metrics();
  expect(text).toMatch(/^egress_edge_exits \d+$/m);
  expect(text).toMatch(/^egress_edge_ledger_exchanges [1-9]/m);
});

test('a file of exits is taken whole or refused with a sentence per mistake', () => {
  const file = join(own.world.platform.config.DATA_DIR, 'exits.json');
  const good = { id: 'fra-1', kind: 'local', address: '192.0.2.10', country: 'de', products: ['PREMIUM'], weight: 2 };
  writeFileSync(
    file,
    JSON.stringify([
      good,
      {
        id: 'p-1',
        kind: 'socks5',
        host: 'parent.example',
        port: 1080,
        username: 'u',
        password: 'p',
        country: 'us',
        state: 'new_york',
        products: ['MOBILE'],
      },
    ]),
  );
  expect(readExits(file)).toHaveLength(2);
  writeFileSync(
    file,
    JSON.stringify([good, { ...good, id: 'x', country: 'DE', address: 'nowhere' }, { ...good, id: 'y', kind: 'socks4' }]),
  );
  expect(() => readExits(file)).toThrow(/1\.country[^]*1\.address[^]*2\.kind/);
  writeFileSync(file, JSON.stringify([good, good]));
  expect(() => readExits(file)).toThrow('ids must be unique');
});
