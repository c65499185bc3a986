// The node beside the platform, as `npm start` runs it, gets its certificate by ACME: a customer's line for HTTPS works without any file of the operator's.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAs } from '../../kit/dashboard.ts';
import { freePorts } from '../../kit/ports.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { HAS_PEBBLE, type Pebble, startPebble } from './pebble.ts';

const NAME = 'proxy.example';
const TOKEN = 'a-token-of-metrics-0123456789';

let directory: string;
let pebble: Pebble;
let stack: Stack;
beforeAll(async () => {
  if (!HAS_PEBBLE) return;
  directory = mkdtempSync(join(tmpdir(), 'egress-acme-own-node-'));
  pebble = await startPebble();
  const ports = await freePorts(2);
  stack = await startStack({
    environment: {
      EDGE: 'true',
      DATA_DIR: directory,
      PROXY_HOST: NAME,
      PROXY_HTTP_PORT: String(ports),
      PROXY_SOCKS5_PORT: String(ports + 1),
      // The authority looks for its proofs there: lines and challenges share the port.
      PROXY_HTTPS_PORT: String(pebble.tlsPort),
      EDGE_ACME_NAMES: NAME,
      EDGE_ACME_AGREED: 'true',
      EDGE_ACME_DIRECTORY: pebble.directory,
      EDGE_ACME_CA_FILE: pebble.caFile,
      METRICS_TOKEN: TOKEN,
    },
  });
  writeFileSync(join(directory, 'root.pem'), await pebble.root());
});
afterAll(async () => {
  await stack?.close();
  await pebble?.close();
  if (directory) rmSync(directory, { recursive: true, force: true });
});

const GENERATE = 'query ($plan: ID!, $input: ProxyGenerateInput!) { residentialProxies(planId: $plan, input: $input) { lines } }';

test.skipIf(!HAS_PEBBLE)('a customer speaks TLS to it by its name, and its metrics say until when', async () => {
  const owner = await stack.seed.account();
  const plan = await owner.residentialPlan();
  const customer = askAs(stack.url, await owner.cookie());
  const input = { targeting: { pool: 'Germany' }, session: 'ROTATING', sessionMinutes: 60, protocol: 'HTTPS', quantity: 1 };
  const { residentialProxies } = await customer<{ residentialProxies: { lines: [string] } }>(GENERATE, { plan: plan.id, input });
  const [host, port, username, password] = residentialProxies.lines[0].split(':');
  expect([host, Number(port)]).toEqual([NAME, pebble.tlsPort]);
  const curl = (...options: string[]): Promise<string> =>
    promisify(execFile)('curl', [
      ...['-sS', '--max-time', '10', '--noproxy', '', '--resolve', `${NAME}:${port}:127.0.0.1`],
      ...['--proxy', `https://${username}:${password}@${host}:${port}`, ...options, stack.siteUrl ?? ''],
    ]).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    );
  const trusting = () => curl('--proxy-cacert', join(directory, 'root.pem'));
  await expect.poll(trusting, { timeout: 50_000 }).toMatch(/You come from 127\.77\./);
  // Only who trusts the authority trusts the node.
  expect(await curl()).toMatch(/certificate/i);
  const metrics = async () => (await fetch(`${stack.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
  await expect.poll(metrics, { timeout: 5_000 }).toMatch(/^egress_edge_certificate_failures 0$/m);
  expect(Number(/^egress_edge_certificate_end_seconds (.+)$/m.exec(await metrics())?.[1]) * 1_000).toBeGreaterThan(Date.now());
  expect(readFileSync(join(directory, 'edge', 'acme', 'certificate.pem'), 'utf8')).toMatch(/^-----BEGIN (EC )?PRIVATE KEY-----/);
});

test.runIf(!HAS_PEBBLE)('pebble is not installed here: nothing was tried against an authority (apt-get install pebble)', () => {
  expect(HAS_PEBBLE).toBe(false);
});
