import { afterEach, beforeEach, expect, test } from 'vitest';
import { PASSWORD } from './memory-ledger.ts';
import { PUBLIC, type Target, type World, startEcho, startWorld } from './world.ts';

let world: World;
let echo: Target;
beforeEach(async () => {
  world = await startWorld();
  echo = await startEcho();
  world.route('target.example', [PUBLIC, '2606:2800:21f::1'], echo.endpoint);
});
afterEach(async () => {
  await world.close();
  await echo.close();
});

const METHODS = Buffer.from([5, 2, 0, 2]);
const login = (username: string, password = PASSWORD): Buffer =>
  Buffer.concat([Buffer.from([1, username.length]), Buffer.from(username), Buffer.from([password.length]), Buffer.from(password)]);
const portBytes = (port: number) => Buffer.from([port >> 8, port & 255]);
const toName = (name: string, port: number): Buffer =>
  Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), Buffer.from(name), portBytes(port)]);
const toIpv4 = (address: string, port: number): Buffer =>
  Buffer.concat([Buffer.from([5, 1, 0, 1, ...address.split('.').map(Number)]), portBytes(port)]);
const toIpv6 = (bytes: number[], port: number): Buffer => Buffer.concat([Buffer.from([5, 1, 0, 4, ...bytes]), portBytes(port)]);
const DONE = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

async function ask(username: string, request: Buffer, password?: string): Promise<Buffer> {
  const client = await world.client();
  client.write(Buffer.concat([METHODS, login(username, password), request]));
  return client.ended();
}

test('carries bytes to a name and to an IPv4 address, and counts them', async () => {
  const plan = world.ledger.plan();
  const { port } = echo.endpoint;
  for (const request of [toName('target.example', port), toIpv4(PUBLIC, port)]) {
    const client = await world.client();
    client.write(METHODS);
    expect(await client.until(2)).toEqual(Buffer.from([5, 2]));
    client.skip();
    client.write(login(`${plan.username}-country-any`));
    expect(await client.until(2)).toEqual(Buffer.from([1, 0]));
    client.skip();
    client.write(request);
    expect(await client.until(10)).toEqual(DONE);
    client.skip();
    client.write('ping');
    expect((await client.until(4)).toString()).toBe('ping');
  }
  await world.edge.plans.leases.flush();
  expect(plan.usedBytes).toBe(16n);
});

test('reads packets however they are cut: every byte alone, and everything in one', async () => {
  const plan = world.ledger.plan();
  const all = Buffer.concat([METHODS, login(plan.username), toName('target.example', echo.endpoint.port), Buffer.from('hello')]);
  const answer = Buffer.concat([Buffer.from([5, 2, 1, 0]), DONE, Buffer.from('hello')]);
  const whole = await world.client();
  whole.write(all);
  expect(await whole.until(answer.length)).toEqual(answer);
  const cut = await world.client();
  for (const byte of all) {
    cut.write(Buffer.from([byte]));
    await new Promise((done) => setImmediate(done));
  }
  expect(await cut.until(answer.length)).toEqual(answer);
});

test('takes no method but username and password from an address that is not listed, and no wrong password', async () => {
  const plan = world.ledger.plan();
  const open = await world.client();
  open.write(Buffer.from([5, 1, 0]));
  expect(await open.ended()).toEqual(Buffer.from([5, 255]));
  expect(await ask(plan.username, toName('target.example', 80), 'wrong')).toEqual(Buffer.from([5, 2, 1, 1]));
  expect(await ask('nobody', toName('target.example', 80))).toEqual(Buffer.from([5, 2, 1, 1]));
  expect(world.dialled).toEqual([]);
});

test('SOCKS4, which has no passwords, is refused with its own reply', async () => {
  const old = await world.client();
  old.write(Buffer.from([4, 1, 0, 80, 93, 184, 215, 14, 0]));
  expect(await old.ended()).toEqual(Buffer.from([0, 0x5b, 0, 0, 0, 0, 0, 0]));
  expect(world.dialled).toEqual([]);
});

test('refuses with the nearest reply: used up, bad line, forbidden, unknown name, refused, no exit, command, address type', async () => {
  const plan = world.ledger.plan();
  const used = world.ledger.plan({ totalBytes: 1n, usedBytes: 1n });
  world.route('closed.example', [PUBLIC], { address: '127.0.0.1', port: 9 });
  const { port } = echo.endpoint;
  const cases: [string, Buffer, number][] = [
    [used.username, toName('target.example', port), 2],
    [`${plan.username}-mars-1`, toName('target.example', port), 1],
    [plan.username, toIpv4('10.0.0.1', port), 2],
    [plan.username, toIpv6([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1], port), 2],
    [plan.username, toIpv6([0x20, 0x02, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], port), 2],
    [plan.username, toName('target.example', 25), 2],
    [plan.username, toName('0x7f.1', port), 2],
    [plan.username, toName('nowhere.example', port), 4],
    [plan.username, toName('closed.example', 9), 5],
    [`${plan.username}-country-jp`, toName('target.example', port), 3],
    [plan.username, Buffer.from([5, 2, 0, 1, 1, 2, 3, 4, 0, 80]), 7],
    [used.username, Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]), 2],
    [plan.username, Buffer.from([5, 1, 0, 9, 1, 2, 3, 4, 0, 80]), 8],
  ];
  for (const [username, request, code] of cases) expect([...(await ask(username, request)).subarray(0, 6)]).toEqual([5, 2, 1, 0, 5, code]);
});
