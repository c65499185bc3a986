// A node that is started as an operator does, and gets its certificate by ACME; and what it says of settings that contradict each other.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readNodeSettings } from '../../../edge/node-configuration.ts';
import { enrolEdge } from '../../../subgraphs/residential/edges/services/edges.ts';
import { freePorts } from '../../kit/ports.ts';
import { type PlatformWorld, startPlatformWorld } from '../platform-world.ts';
import { HAS_PEBBLE, type Pebble, startPebble } from './pebble.ts';

let directory: string;
let world: PlatformWorld | undefined;
let pebble: Pebble | undefined;
const children: ChildProcess[] = [];
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'egress-acme-node-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await pebble?.close();
  await world?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The names of the certificate, as a client that trusts the authority sees them; else why there is none. */
const namesAt = (port: number, ca: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'proxy.example', ca }, () => {
      resolve(socket.getPeerCertificate().subjectaltname ?? '');
      socket.destroy();
    });
    socket.once('error', (error) => resolve(String(error)));
  });

test.skipIf(!HAS_PEBBLE)('its two workers speak TLS by the certificate that it has ordered, and its metrics say until when', async () => {
  world = await startPlatformWorld();
  pebble = await startPebble();
  const port = await freePorts(2);
  const child = spawn(process.execPath, [new URL('../../../edge/server.ts', import.meta.url).pathname], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: directory,
      PLATFORM_URL: world.url(),
      EDGE_KEY: await enrolEdge(world.residential.context(), 'by-acme'),
      EDGE_LISTEN: `127.0.0.1:${port}`,
      EDGE_TLS_LISTEN: `127.0.0.1:${pebble.tlsPort}`,
      EDGE_METRICS: `127.0.0.1:${port + 1}`,
      EDGE_WORKERS: '2',
      EDGE_DRAIN_MINUTES: '0',
      EDGE_ACME_NAMES: 'proxy.example, www.proxy.example',
      EDGE_ACME_AGREED: 'true',
      EDGE_ACME_CONTACT: 'ada@proxy.example',
      EDGE_ACME_DIRECTORY: pebble.directory,
      EDGE_ACME_CA_FILE: pebble.caFile,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let log = '';
  child.stderr?.on('data', (bytes: Buffer) => (log += bytes));
  const { tlsPort } = pebble;
  const root = await pebble.root();
  await expect
    .poll(async () => `${await namesAt(tlsPort, root)} ${log}`, { timeout: 50_000 })
    .toMatch(/^DNS:proxy\.example, DNS:www\.proxy\.example /);
  const metrics = async () => (await fetch(`http://127.0.0.1:${port + 1}/metrics`)).text();
  await expect.poll(metrics, { timeout: 5_000 }).toMatch(/^egress_edge_certificate_failures 0$/m);
  expect(Number(/^egress_edge_certificate_end_seconds (.+)$/m.exec(await metrics())?.[1]) * 1_000).toBeGreaterThan(Date.now());
  const over = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await over).toBe(0);
});

const NODE = { PLATFORM_URL: 'https://shop.example', EDGE_KEY: 'egress_edge_0123456789' };
test.each([
  [{ EDGE_ACME_NAMES: 'proxy.example' }, 'EDGE_ACME_NAMES needs EDGE_ACME_AGREED=true'],
  [{ EDGE_ACME_NAMES: 'a.example', EDGE_ACME_AGREED: 'true', EDGE_TLS_CERT_FILE: 'x', EDGE_TLS_KEY_FILE: 'y' }, 'two certificates'],
  [{ EDGE_ACME_NAMES: 'a.example', EDGE_ACME_AGREED: 'true', EDGE_ACME_EAB_KEY_ID: 'kid' }, 'are set together'],
  [{ EDGE_ACME_NAMES: '*.example.com', EDGE_ACME_AGREED: 'true' }, 'must be host names or addresses'],
  [{ EDGE_ACME_DIRECTORY: 'http://ca.example/dir' }, 'EDGE_ACME_DIRECTORY'],
])('%j is not usable', (given, says) => {
  expect(() => readNodeSettings({ ...NODE, ...given })).toThrow(says);
});

test("names are enough beside the operator's word: the rest is Let's Encrypt's", () => {
  const read = readNodeSettings({
    ...NODE,
    EDGE_TLS_LISTEN: '0.0.0.0:443',
    EDGE_ACME_NAMES: 'Proxy.example,192.0.2.7',
    EDGE_ACME_AGREED: 'true',
  });
  expect(read.EDGE_ACME_NAMES).toEqual(['proxy.example', '192.0.2.7']);
  expect(read.EDGE_ACME_DIRECTORY).toBe('https://acme-v02.api.letsencrypt.org/directory');
});
