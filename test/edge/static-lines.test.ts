import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StaticPlanFacts } from '../../edge/protocol/static-plan.ts';
import { fingerprint } from './memory-ledger.ts';
import {
  PUBLIC,
  type Target,
  type World,
  connectHead,
  openClient,
  proxyLine,
  startEcho,
  startHttpTarget,
  startTarget,
  startWorld,
} from './world.ts';
import { freePorts } from '../kit/ports.ts';

let world: World;
let echo: Target;
let plan: StaticPlanFacts;
beforeEach(async () => {
  world = await startWorld();
  echo = await startEcho();
  world.route('target.example', [PUBLIC], echo.endpoint);
  plan = {
    planId: 'static_1',
    username: 'isp-user',
    fingerprint: fingerprint('static-secret'),
    open: true,
    allowedClients: [],
    endpoints: [
      { address: '127.0.0.31', port: await freePorts(1) },
      { address: '127.0.0.32', port: await freePorts(1) },
    ],
  };
});
afterEach(async () => {
  await echo.close();
  await world.close();
});

/** Changes the plan; undefined ends it. */
async function tell(changes: Partial<StaticPlanFacts> | undefined): Promise<void> {
  plan = { ...plan, ...changes };
  world.ledger.setStatic(plan.planId, changes && plan);
  await world.edge.staticLines.settled();
}
const authority = () => `target.example:${echo.endpoint.port}`;
const at = (line: number) => plan.endpoints[line] ?? expect.unreachable();
const dial = (line: number) => openClient(at(line).port, at(line).address);

async function tunnel(line: number, password = 'static-secret') {
  const client = await dial(line);
  client.write(connectHead(authority(), 'isp-user', password));
  client.skip((await client.until('\r\n\r\n')).indexOf('\r\n\r\n') + 4);
  client.write('ping');
  expect(String(await client.until(4))).toBe('ping');
  return client;
}
async function refusal(line: number, password = 'static-secret', username = 'isp-user'): Promise<string> {
  const client = await dial(line);
  client.write(connectHead(authority(), username, password));
  return (await client.ended()).toString();
}

test('each address of a plan listens, takes HTTP and SOCKS5, and leaves from exactly that address; nothing of it is leased', async () => {
  await tell({});
  expect(world.edge.figures().staticLines).toBe(2);
  for (const line of [0, 1]) {
    await tunnel(line);
    expect(echo.sockets.at(-1)?.remoteAddress).toBe(at(line).address);
    const socks = await dial(line);
    socks.write(Buffer.from([5, 1, 2]));
    await socks.until(2);
    socks.write(Buffer.concat([Buffer.from([1, 8]), Buffer.from('isp-user'), Buffer.from([13]), Buffer.from('static-secret')]));
    await socks.until(4);
    const name = Buffer.from('target.example');
    const { port } = echo.endpoint;
    socks.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])]));
    expect([...(await socks.until(14)).subarray(4, 6)]).toEqual([5, 0]);
    expect(echo.sockets.at(-1)?.remoteAddress).toBe(at(line).address);
  }
  expect(world.ledger.leases.size).toBe(0);
  expect(world.edge.figures()).toMatchObject({ upBytes: 8, downBytes: 8, tunnels: 4 });
});

test('a request in absolute form leaves from the address too', async () => {
  const site = await startHttpTarget('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  world.route('site.example', [PUBLIC], site.endpoint);
  await tell({});
  const client = await dial(1);
  client.write(
    `GET http://site.example:${site.endpoint.port}/ HTTP/1.1\r\nHost: site.example\r\n${proxyLine('isp-user', 'static-secret')}\r\n`,
  );
  expect(String(await client.until('ok'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(world.dialled).toEqual([{ exit: '127.0.0.32', target: `${PUBLIC}:${site.endpoint.port}` }]);
  await site.close();
});

test('wrong credentials and lines of other products open nothing; private targets and the listeners themselves are refused', async () => {
  const residential = world.ledger.plan();
  await tell({});
  expect(await refusal(0, 'wrong')).toMatch(/^HTTP\/1\.1 407 /);
  expect(await refusal(0, 'static-secret', 'isp-user-country-de')).toMatch(/^HTTP\/1\.1 407 /);
  expect(await refusal(0, residential.password, residential.username)).toMatch(/^HTTP\/1\.1 407 /);
  const crossed = await world.client();
  crossed.write(connectHead(authority(), 'isp-user', 'static-secret'));
  expect((await crossed.ended()).toString()).toMatch(/^HTTP\/1\.1 407 /);
  for (const target of ['10.0.0.1:80', `127.0.0.32:${at(1).port}`, `127.0.0.1:${world.port}`]) {
    const client = await dial(0);
    client.write(connectHead(target, 'isp-user', 'static-secret'));
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 403 /);
  }
  expect(world.dialled).toEqual([]);
});

test('suspension ends what is open and is told by 402; once it is paid the lines work again', async () => {
  await tell({});
  const open = await tunnel(0);
  await tell({ open: false });
  await open.ended();
  expect(await refusal(0)).toMatch(/^HTTP\/1\.1 402 [^]*static_plan_suspended/);
  expect(await refusal(0, 'wrong')).toMatch(/^HTTP\/1\.1 407 /);
  await tell({ open: true });
  await tunnel(0);
});

test('a password from before a change is refused as old, however often it comes; if it is set again, it works', async () => {
  await tell({ fingerprint: fingerprint('another-secret'), oldFingerprints: [fingerprint('static-secret')] });
  for (let count = 0; count < 40; count++) expect(await refusal(0)).toContain('X-Proxy-Error: proxy_password_replaced');
  expect(await refusal(0, 'a-guess')).toContain('X-Proxy-Error: proxy_credentials_wrong');
  await tunnel(0, 'another-secret');
  await tell({ fingerprint: fingerprint('static-secret'), oldFingerprints: [fingerprint('another-secret'), fingerprint('static-secret')] });
  await tunnel(0);
});

test('another password ends what the old one opened', async () => {
  await tell({});
  const open = await tunnel(1);
  await tell({ fingerprint: fingerprint('another') });
  await open.ended();
  expect(await refusal(1)).toMatch(/^HTTP\/1\.1 407 /);
  await tunnel(1, 'another');
});

test('only named clients may use lines that name some', async () => {
  await tell({});
  const open = await tunnel(0);
  await tell({ allowedClients: ['192.0.2.1'] });
  await open.ended();
  expect(await refusal(0)).toMatch(/^HTTP\/1\.1 403 [^]*client_not_allowed/);
  await tell({ allowedClients: ['192.0.2.1', '127.0.0.1'] });
  await tunnel(0);
  await tell({ allowedClients: ['2001:db8::/32', '127.0.0.0/8'] });
  await tunnel(0);
});

test('an address that is exchanged stops at once and the new one works; a plan that ended listens nowhere', async () => {
  await tell({});
  const [gone, kept] = [await tunnel(0), await tunnel(1)];
  const before = at(0);
  await tell({ endpoints: [{ address: '127.0.0.33', port: await freePorts(1) }, at(1)] });
  await gone.ended();
  await expect(openClient(before.port, before.address)).rejects.toThrow('ECONNREFUSED');
  await tunnel(0);
  kept.write('still');
  expect(String((await kept.until(9)).subarray(4))).toBe('still');
  await tell(undefined);
  await kept.ended();
  await expect(dial(0)).rejects.toThrow('ECONNREFUSED');
  expect(world.edge.figures().staticLines).toBe(0);
});

test('an address goes from one plan to another', async () => {
  await tell({});
  const open = await tunnel(0);
  world.ledger.setStatic('static_1', undefined);
  world.ledger.setStatic('static_2', { ...plan, planId: 'static_2', username: 'next', fingerprint: fingerprint('theirs') });
  await world.edge.staticLines.settled();
  await open.ended();
  expect(await refusal(0)).toMatch(/^HTTP\/1\.1 407 /);
  const client = await dial(0);
  client.write(connectHead(authority(), 'next', 'theirs'));
  await client.until(' 200 ');
});

test('addresses of other machines are left to them', async () => {
  await tell({ endpoints: [{ address: '192.0.2.77', port: 8000 }, at(1)] });
  expect(world.edge.figures().staticLines).toBe(1);
  await tunnel(1);
});

test('while the platform is away lines go on; what changed meanwhile holds when it is back', async () => {
  await tell({});
  const open = await tunnel(0);
  world.ledger.cutOff();
  world.ledger.setStatic('static_1', { ...plan, open: false });
  await tunnel(1);
  world.ledger.comeBack();
  await world.edge.staticLines.settled();
  await open.ended();
  expect(await refusal(0)).toMatch(/^HTTP\/1\.1 402 /);
});

test('requests of one connection share a connection to their target, which ends with the plan', async () => {
  await tell({});
  const target = await startTarget((socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'));
    socket.on('end', () => socket.end());
  });
  try {
    world.route('web.example', [PUBLIC], target.endpoint);
    const client = await dial(0);
    for (let request = 0; request < 3; request++) {
      client.write(
        `GET http://web.example:${target.endpoint.port}/ HTTP/1.1\r\nHost: web.example\r\n${proxyLine('isp-user', 'static-secret')}\r\n`,
      );
      await client.until('hello');
      client.skip();
    }
    expect(target.sockets).toHaveLength(1);
    const closed = new Promise((done) => target.sockets[0]?.once('close', done));
    await tell({ open: false });
    await closed;
  } finally {
    await target.close();
  }
});
