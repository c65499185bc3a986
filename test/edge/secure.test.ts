// Customers that speak TLS to the proxy itself.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect as connectRaw } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TLSSocket, connect } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { endOfCertificate, readCertificate, watchCertificate } from '../../edge/certificate.ts';
import { Registry } from 'prom-client';
import { registerEdgeMetrics } from '../../edge/edge-metrics.ts';
import { certify } from '../kit/certificate.ts';
import { PUBLIC, type Target, type World, connectHead, startEcho, startWorld } from './world.ts';

let directory: string;
let world: World;
let echo: Target;
let port: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-tls-'));
  world = await startWorld({
    secure: { listen: [{ address: '127.0.0.1', port: 0 }], ...certify(directory, 'proxy.example') },
    limits: { headMs: 300 },
  });
  port = world.edge.ports[1] as number;
  echo = await startEcho();
  world.route('target.example', [PUBLIC], echo.endpoint);
  world.ledger.plan();
});
afterEach(async () => {
  await echo.close();
  await world.close();
  rmSync(directory, { recursive: true });
});

const dial = (): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => resolve(socket));
    socket.once('error', reject);
  });
const until = (socket: TLSSocket, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let seen = '';
    const look = (bytes: Buffer) => {
      seen += bytes.toString('latin1');
      if (!seen.includes(text)) return;
      socket.removeListener('data', look);
      resolve(seen);
    };
    socket.on('data', look);
    socket.once('close', () => reject(new Error(`closed after ${seen}`)));
  });

test('CONNECT and SOCKS5 work over TLS, and what flows is counted', async () => {
  const http = await dial();
  http.write(connectHead(`target.example:${echo.endpoint.port}`, 'user1-country-de'));
  await until(http, '\r\n\r\n');
  http.write('hello over TLS');
  await until(http, 'hello over TLS');
  const socks = await dial();
  const name = Buffer.from('target.example');
  socks.write(Buffer.from([5, 1, 2]));
  await until(socks, '\x05\x02');
  const password = Buffer.from('correct-horse-battery');
  socks.write(Buffer.concat([Buffer.from([1, 5]), Buffer.from('user1'), Buffer.from([password.length]), password]));
  await until(socks, '\x01\x00');
  socks.write(
    Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([echo.endpoint.port >> 8, echo.endpoint.port & 255])]),
  );
  await until(socks, '\x05\x00\x00\x01');
  socks.write('and again');
  await until(socks, 'and again');
  expect(world.edge.figures()).toMatchObject({ upBytes: 23, downBytes: 23, connections: 2 });
  http.destroy();
  socks.destroy();
  await expect.poll(() => world.edge.figures().connections).toBe(0);
});

test('many megabytes come through whole', async () => {
  const client = await dial();
  client.write(connectHead(`target.example:${echo.endpoint.port}`, 'user1-country-de'));
  await until(client, '\r\n\r\n');
  const sent = Buffer.alloc(8_000_000, 'abcdefg');
  let received = 0;
  const whole = new Promise<void>((resolve) => {
    client.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += 4_099) expect(bytes[at]).toBe(sent[received + at]);
      received += bytes.length;
      if (received === sent.length) resolve();
    });
  });
  client.write(sent);
  await whole;
  client.destroy();
});

test('a client that speaks no TLS there, or nothing, is disconnected and holds no place', async () => {
  const plain = connectRaw(port, '127.0.0.1');
  plain.on('error', () => {});
  plain.write('GET / HTTP/1.1\r\n\r\n');
  await new Promise((done) => plain.once('close', done));
  const silent = connectRaw(port, '127.0.0.1');
  silent.on('error', () => {});
  await new Promise((done) => silent.once('close', done));
  const shaken = await dial();
  await new Promise((done) => shaken.once('close', done));
  await expect.poll(() => world.edge.figures().connections).toBe(0);
});

test('a renewed certificate is loaded; one that does not match its key is not', async () => {
  const files = certify(directory, 'first');
  const renewed: string[] = [];
  const { stop } = watchCertificate(files, silentLog, ({ cert }) => renewed.push(cert), 10);
  writeFileSync(files.keyFile, 'half a key');
  utimesSync(files.keyFile, 1, 2_000_000_000);
  await new Promise((done) => setTimeout(done, 50));
  expect(renewed).toEqual([]);
  certify(directory, 'first');
  await expect.poll(() => renewed.length).toBeGreaterThan(0);
  expect(renewed[0]).toBe(readCertificate(files).cert);
  stop();
  const registry = new Registry();
  registerEdgeMetrics(registry, world.edge, () => ({ ends: endOfCertificate(files.certFile) }));
  const told = Number(/^egress_edge_certificate_end_seconds (.+)$/m.exec(await registry.metrics())?.[1]);
  expect(told * 1_000).toBe(endOfCertificate(files.certFile).getTime());
  expect(told * 1_000).toBeGreaterThan(Date.now());
});
