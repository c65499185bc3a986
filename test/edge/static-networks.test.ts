// Log-in by address at a static line: who comes from a network that it lets in needs no password, and ends within a second when the network goes.
import { createSocket } from 'node:dgram';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeDatagram } from '../../edge/socks-datagram.ts';
import type { StaticPlanFacts } from '../../edge/protocol/static-plan.ts';
import { freePorts } from '../kit/ports.ts';
import { fingerprint } from './memory-ledger.ts';
import { at, keep, withTargets, world } from './targets.ts';
import { type Client, type Target, connectHead, openClient, proxyLine, startEcho, startTarget } from './world.ts';

withTargets();

const HOME = '127.0.6.1';
const AWAY = '127.0.6.2';
const home = { id: 'net_home', network: `${HOME}/32` };
const away = { id: 'net_away', network: `${AWAY}/32` };
/** The contract promises a second; machines that run tests are slow at times. */
const WITHIN_MS = 5_000;

let plan: StaticPlanFacts;
let echo: Target;
const opened: Client[] = [];
beforeEach(async () => {
  const port = await freePorts(1);
  echo = keep(await startEcho());
  plan = {
    planId: 'static_1',
    username: 'isp-user',
    fingerprint: fingerprint('static-secret'),
    open: true,
    allowedClients: [],
    endpoints: [
      { address: '127.0.0.71', port, networks: [home, away] },
      { address: '127.0.0.72', port, networks: [home] },
    ],
  };
  await tell({});
});
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
});

/** Changes the plan; undefined ends it. */
async function tell(changes: Partial<StaticPlanFacts> | undefined): Promise<void> {
  plan = { ...plan, ...changes };
  world.ledger.setStatic(plan.planId, changes && plan);
  await world.edge.staticLines.settled();
}
/** The networks of each line. */
const letIn = (...networks: (typeof home)[][]) =>
  tell({ endpoints: plan.endpoints.map((endpoint, line) => ({ ...endpoint, networks: networks[line] })) });
const plain = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
const withPassword = (authority: string, password = 'static-secret') => connectHead(authority, 'isp-user', password);

async function dial(line: number, from: string): Promise<Client> {
  const { address, port } = plan.endpoints[line] ?? expect.unreachable();
  const client = await openClient(port, address, from);
  opened.push(client);
  return client;
}
/** The node's answer to a request for a tunnel; `200` is one that carries bytes. */
async function answer(line: number, from: string, head = plain): Promise<string> {
  const client = await dial(line, from);
  client.write(head(at(echo)));
  const said = String(await client.until('\r\n\r\n'));
  return /^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? said;
}
async function tunnel(line: number, from: string, head = plain): Promise<Client> {
  const client = await dial(line, from);
  client.write(head(at(echo)));
  await client.until('established\r\n\r\n');
  client.skip();
  return client;
}
async function carries(client: Client): Promise<void> {
  client.skip();
  client.write('still here');
  await client.until('still here');
}
/** Milliseconds until the connection has ended. */
async function endOf(client: Client, cut: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await cut();
  await client.ended();
  return performance.now() - began;
}

test('a line lets in who comes from its networks, leaves from its own address, and tells which were used', async () => {
  expect(await Promise.all([answer(0, HOME), answer(0, AWAY), answer(1, HOME)])).toEqual(['200', '200', '200']);
  expect(await Promise.all([answer(1, AWAY), answer(0, '127.0.6.3')])).toEqual(['407', '407']);
  await carries(await tunnel(1, HOME));
  expect(echo.sockets.at(-1)?.remoteAddress).toBe('127.0.0.72');
  await world.edge.sendStatus();
  expect(world.ledger.statuses.at(-1)?.staticNetworksUsed?.toSorted()).toEqual(['net_away', 'net_home']);
  expect(world.ledger.statuses.at(-1)?.networksUsed).toEqual([]);
});

test('SOCKS5 needs no log-in from there, for CONNECT and for datagrams', async () => {
  const client = await dial(0, HOME);
  client.write(Buffer.from([5, 1, 0]));
  expect([...(await client.until(2))]).toEqual([5, 0]);
  client.skip();
  const name = Buffer.from('target.example');
  at(echo);
  client.write(
    Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([echo.endpoint.port >> 8, echo.endpoint.port & 255])]),
  );
  expect([...(await client.until(10)).subarray(0, 2)]).toEqual([5, 0]);
  const stranger = await dial(0, '127.0.6.3');
  stranger.write(Buffer.from([5, 1, 0]));
  expect([...(await stranger.until(2))]).toEqual([5, 255]);
});

test('wrong credentials stay wrong from there, and right ones stay right from anywhere', async () => {
  expect(await answer(0, HOME, (authority) => withPassword(authority, 'wrong'))).toBe('407');
  expect(await answer(0, '127.0.6.3', withPassword)).toBe('200');
});

test('clients that are allowed by name keep others out with the password, and never a network that is let in', async () => {
  await tell({ allowedClients: ['192.0.2.1'] });
  expect(await Promise.all([answer(0, HOME), answer(0, HOME, withPassword), answer(1, AWAY, withPassword)])).toEqual(['200', '200', '403']);
});

describe('a network that is removed', () => {
  test('ends its tunnels; those of another network, and of the password from the same address, go on', async () => {
    const [cut, other, byPassword, there] = [
      await tunnel(0, HOME),
      await tunnel(0, AWAY),
      await tunnel(0, HOME, withPassword),
      await tunnel(1, HOME),
    ];
    for (const client of [cut, other, byPassword, there]) await carries(client);
    expect(await endOf(cut, () => letIn([away], [home]))).toBeLessThan(WITHIN_MS);
    for (const client of [other, byPassword, there]) await carries(client);
    expect(await answer(0, HOME)).toBe('407');
  });

  test('ends a connection that is kept for the next request, and refuses that', async () => {
    const site = keep(
      await startTarget((socket) => {
        socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'));
        socket.on('end', () => socket.end());
      }),
    );
    const authority = at(site, 'site.example');
    const client = await dial(0, HOME);
    const get = `GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
    client.write(get);
    await client.until('hello');
    client.skip();
    const closed = new Promise((done) => site.sockets[0]?.once('close', done));
    await letIn([away], [home]);
    await closed;
    client.write(get);
    await client.until('407 ');
  });

  test('ends a UDP association, and refuses SOCKS5 that has logged in and not asked yet', async () => {
    const client = await dial(0, HOME);
    client.write(Buffer.from([5, 1, 0]));
    await client.until(2);
    client.skip();
    client.write(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]));
    const relay = (await client.until(10)).readUInt16BE(8);
    const early = await dial(0, HOME);
    early.write(Buffer.from([5, 1, 0]));
    await early.until(2);
    early.skip();
    const socket = createSocket('udp4');
    socket.send(writeDatagram({ host: '127.0.0.1', port: 9, payload: Buffer.from('x') }), relay, '127.0.0.71');
    expect(await endOf(client, () => letIn([away], [home]))).toBeLessThan(WITHIN_MS);
    socket.close();
    early.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, 0, 80]));
    // "Connection not allowed by ruleset". RFC 1928, 6.
    expect([...(await early.until(10))].slice(0, 2)).toEqual([5, 2]);
  });

  test('a plan that is told anew without a change ends nothing', async () => {
    const client = await tunnel(0, HOME);
    await letIn([{ ...away }, { ...home }], [home]);
    world.ledger.cutOff();
    world.ledger.comeBack();
    await world.edge.staticLines.settled();
    await carries(client);
    expect(client.socket.destroyed).toBe(false);
  });
});

describe('where both are needed', () => {
  test('neither is enough; what one of them has opened ends, and what both allow goes on', async () => {
    const [byNetwork, byPassword, byBoth] = [
      await tunnel(0, HOME),
      await tunnel(0, '127.0.6.3', withPassword),
      await tunnel(0, AWAY, withPassword),
    ];
    expect(await endOf(byNetwork, () => tell({ networksAndPassword: true }))).toBeLessThan(WITHIN_MS);
    await byPassword.ended();
    await carries(byBoth);
    expect(await Promise.all([answer(0, HOME), answer(0, '127.0.6.3', withPassword), answer(0, HOME, withPassword)])).toEqual([
      '407',
      '403',
      '200',
    ]);
    // Not at an address that does not let it in.
    expect(await answer(1, AWAY, withPassword)).toBe('403');
    expect(await answer(0, AWAY, withPassword)).toBe('200');
    expect(world.edge.status().staticNetworksUsed?.toSorted()).toEqual(['net_away', 'net_home']);
  });

  test('without any network nobody gets in', async () => {
    await letIn();
    await tell({ networksAndPassword: true });
    expect(await Promise.all([answer(0, HOME), answer(0, HOME, withPassword)])).toEqual(['407', '403']);
  });
});

test('a suspended plan is refused with its reason, and an ended one listens nowhere', async () => {
  const client = await tunnel(0, HOME);
  expect(await endOf(client, () => tell({ open: false }))).toBeLessThan(WITHIN_MS);
  expect(await answer(0, HOME)).toBe('402');
  const { address, port } = plan.endpoints[0] ?? expect.unreachable();
  await tell(undefined);
  await expect(openClient(port, address, HOME)).rejects.toThrow('ECONNREFUSED');
});

test('the same network uses a residential plan at the residential port, and the static one at its address', async () => {
  const residential = world.ledger.plan();
  world.ledger.setNetworks([{ ...home, id: 'net_residential', username: `${residential.username}-country-de` }]);
  await new Promise((done) => setImmediate(done));
  const authority = at(echo);
  const client = await openClient(world.port, '127.0.0.1', HOME);
  opened.push(client);
  client.write(plain(authority));
  await client.until(' 200 ');
  expect(world.ledger.leases.size).toBe(1);
  expect(await answer(0, HOME)).toBe('200');
  const request = await dial(0, HOME);
  request.write(`GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n${proxyLine(residential.username, residential.password)}\r\n`);
  await request.until('407 ');
  expect(world.ledger.leases.size).toBe(1);
});
