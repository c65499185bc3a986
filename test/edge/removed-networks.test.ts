// A customer network that is removed or changed: what was opened by the log-in from there ends within a second, and nothing else does.
import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { writeDatagram } from '../../edge/socks-datagram.ts';
import type { ClientNetwork } from '../../edge/protocol/client-network.ts';
import type { MemoryPlan } from './memory-ledger.ts';
import { at, keep, withTargets, world } from './targets.ts';
import { type Client, connectHead, openClient, startEcho, startTarget } from './world.ts';

withTargets();

const HOME = '127.0.5.1';
const AWAY = '127.0.5.2';
/** The contract promises a second; machines that run tests are slow at times. */
const WITHIN_MS = 5_000;

let plan: MemoryPlan;
let home: ClientNetwork;
let away: ClientNetwork;
beforeEach(async () => {
  plan = world.ledger.plan();
  const username = `${plan.username}-country-de`;
  home = { id: 'net_home', network: `${HOME}/32`, username };
  away = { id: 'net_away', network: `${AWAY}/32`, username };
  world.ledger.setNetworks([home, away]);
  await new Promise((done) => setImmediate(done));
});

const plain = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;

async function tunnel(from: string, head: string): Promise<Client> {
  const client = await openClient(world.port, '127.0.0.1', from);
  client.write(head);
  await client.until('established\r\n\r\n');
  client.skip();
  return client;
}

/** It still carries bytes both ways. */
async function carries(client: Client): Promise<void> {
  client.skip();
  client.write('still here');
  await client.until('still here');
}

/** Milliseconds until the connection has ended. */
async function endOf(client: Client, cut: () => void): Promise<number> {
  const began = performance.now();
  cut();
  await client.ended();
  return performance.now() - began;
}

test('its tunnels end; those of another network, and of the password from the same address, go on', async () => {
  const authority = at(keep(await startEcho()));
  const [cut, other, byPassword] = [
    await tunnel(HOME, plain(authority)),
    await tunnel(AWAY, plain(authority)),
    await tunnel(HOME, connectHead(authority, home.username)),
  ];
  for (const client of [cut, other, byPassword]) await carries(client);
  expect(await endOf(cut, () => world.ledger.setNetworks([away]))).toBeLessThan(WITHIN_MS);
  await carries(other);
  await carries(byPassword);
  const again = await openClient(world.port, '127.0.0.1', HOME);
  again.write(plain(authority));
  await again.until('407 ');
  // With nobody in it the exit is free, and the plan counts only what is open.
  const [meter] = [...world.edge.plans.meters()];
  expect([meter?.flows.size, meter?.connections]).toEqual([2, 2]);
});

test('a network whose line was changed, or that became another plan’s, ends too', async () => {
  const authority = at(keep(await startEcho()));
  const [one, two] = [await tunnel(HOME, plain(authority)), await tunnel(AWAY, plain(authority))];
  const changed = { ...home, username: `${plan.username}-country-any` };
  expect(await endOf(one, () => world.ledger.setNetworks([changed, away]))).toBeLessThan(WITHIN_MS);
  const another = world.ledger.plan();
  const moved = { ...away, id: 'net_moved', username: `${another.username}-country-de` };
  expect(await endOf(two, () => world.ledger.setNetworks([changed, moved]))).toBeLessThan(WITHIN_MS);
  await carries(await tunnel(AWAY, plain(authority)));
  expect([...world.edge.plans.meters()].find(({ facts }) => facts.planId === another.planId)?.flows.size).toBe(1);
});

test('a list that was written anew without a change ends nothing', async () => {
  const authority = at(keep(await startEcho()));
  const client = await tunnel(HOME, plain(authority));
  world.ledger.setNetworks([{ ...away }, { ...home }]);
  world.ledger.cutOff();
  world.ledger.comeBack();
  await new Promise((done) => setImmediate(done));
  await carries(client);
  expect(client.socket.destroyed).toBe(false);
});

test('an answer that is half way ends, and is charged as far as it went', async () => {
  const target = keep(
    await startTarget((socket) => socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n`))),
  );
  const authority = at(target);
  const client = await openClient(world.port, '127.0.0.1', HOME);
  client.write(`GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  await client.until('9999');
  expect(await endOf(client, () => world.ledger.setNetworks([]))).toBeLessThan(WITHIN_MS);
  expect(client.received.toString()).toMatch(/^HTTP\/1\.1 200 OK/);
});

test('a request that no target has answered yet gets 407 with the reason', async () => {
  const target = keep(await startTarget(() => {}));
  const authority = at(target);
  const client = await openClient(world.port, '127.0.0.1', HOME);
  client.write(`GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  while (target.sockets.length === 0) await new Promise((done) => setImmediate(done));
  const [socket] = target.sockets;
  await once(socket as NodeJS.EventEmitter, 'data');
  expect(await endOf(client, () => world.ledger.setNetworks([]))).toBeLessThan(2 * WITHIN_MS);
  expect(client.received.toString()).toMatch(/^HTTP\/1\.1 407 [^]*X-Proxy-Error: proxy_credentials_required/i);
});

test('SOCKS5 that has logged in and not asked yet is refused', async () => {
  const authority = at(keep(await startEcho()));
  const client = await openClient(world.port, '127.0.0.1', HOME);
  client.write(Buffer.from([5, 1, 0]));
  expect([...(await client.until(2))]).toEqual([5, 0]);
  client.skip();
  world.ledger.setNetworks([away]);
  await new Promise((done) => setImmediate(done));
  const [host, port] = authority.split(':') as [string, string];
  client.write(
    Buffer.concat([Buffer.from([5, 1, 0, 3, host.length]), Buffer.from(host), Buffer.from([Number(port) >> 8, Number(port) & 255])]),
  );
  // "Connection not allowed by ruleset". RFC 1928, 6.
  expect([...(await client.until(10))].slice(0, 2)).toEqual([5, 2]);
});

test('a UDP association ends', async () => {
  const client = await openClient(world.port, '127.0.0.1', HOME);
  client.write(Buffer.from([5, 1, 0]));
  await client.until(2);
  client.skip();
  client.write(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]));
  const relay = (await client.until(10)).readUInt16BE(8);
  const socket: Socket = createSocket('udp4');
  socket.send(writeDatagram({ host: '127.0.0.1', port: 9, payload: Buffer.from('x') }), relay, '127.0.0.1');
  expect(await endOf(client, () => world.ledger.setNetworks([]))).toBeLessThan(WITHIN_MS);
  socket.close();
});

test('a connection that is being opened while its network goes is not opened', async () => {
  const authority = at(keep(await startEcho()));
  const client = await openClient(world.port, '127.0.0.1', HOME);
  // The lease that it waits for comes after the network has gone.
  let held: (() => void) | undefined;
  world.ledger.onSync = () => {
    world.ledger.setNetworks([away]);
    held?.();
  };
  const asked = new Promise<void>((done) => (held = done));
  client.write(plain(authority));
  await asked;
  await client.until('407 ');
  expect([...world.edge.plans.meters()].map(({ connections }) => connections)).toEqual([0]);
});
