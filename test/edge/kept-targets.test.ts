// Requests in absolute form of one customer's connection and session share a connection to the target; nothing else does.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import type { EdgeOptions } from '../../edge/edge-options.ts';
import { readExits } from '../../edge/exits-file.ts';
import { at, keep, withTargets, world } from './targets.ts';
import { PASSWORD, type MemoryPlan } from './memory-ledger.ts';
import { PUBLIC, type Target, type World, localExit, proxyLine, startTarget, startWorld } from './world.ts';

withTargets();

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

/** Answers every request of every connection; `answer` gets the number of the connection and of its request. */
async function startKeeping(
  answer: (connection: number, request: number, socket: Socket) => string | undefined,
): Promise<Target & { requests: string[] }> {
  const requests: string[] = [];
  const target = await startTarget((socket) => {
    let text = '';
    let count = 0;
    socket.on('end', () => socket.end());
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        requests.push(text.slice(0, end + 4));
        text = text.slice(end + 4);
        const reply = answer(target.sockets.indexOf(socket), count++, socket);
        if (reply !== undefined) socket.write(reply);
      }
    });
  });
  return keep({ ...target, requests });
}

const sticky = ({ username }: MemoryPlan, session = 7): string => `${username}-country-de-session-${session}-sessionttl-30`;

/** One request after another on one connection of a customer; resolves with the answers. */
async function ask(heads: readonly string[]): Promise<string[]> {
  const client = await world.client();
  const answers: string[] = [];
  for (const head of heads) {
    client.write(`${head}\r\n`);
    answers.push((await client.until('hello')).toString());
    client.skip();
  }
  return answers;
}

const get = (authority: string, username: string, more = ''): string =>
  `GET http://${authority}/ HTTP/1.1\r\n${proxyLine(username)}${more}`;

async function settled(plan: MemoryPlan, { edge }: World = world): Promise<bigint> {
  await edge.plans.leases.flush();
  return plan.usedBytes;
}

const others: World[] = [];
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
});
/** Another node, which leads `shop.example` to the target, and a customer's connection to it. */
async function startOther(target: Target, options: Partial<EdgeOptions>) {
  const other = await startWorld(options);
  others.push(other);
  other.route('shop.example', [PUBLIC], target.endpoint);
  const client = await other.client();
  const plan = other.ledger.plan({ requestLog: 'WHOLE' });
  const line = `${get(`shop.example:${target.endpoint.port}`, sticky(plan))}\r\n`;
  const visit = async () => {
    client.write(line);
    await client.until('hello');
    client.skip();
    return target.sockets.length;
  };
  return { other, client, plan, line, visit };
}
const closed = (socket: Socket | undefined) => new Promise((done) => socket?.once('close', done));

describe('a kept connection', () => {
  test('serves the next requests of a session, each counted once to the byte', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping(() => OK);
    const authority = at(target);
    const answers = await ask(Array.from({ length: 5 }, () => get(authority, sticky(plan))));
    expect(answers).toEqual(Array.from({ length: 5 }, () => OK));
    expect(target.sockets).toHaveLength(1);
    expect(target.requests).toEqual(
      Array.from({ length: 5 }, () => `GET / HTTP/1.1\r\nHost: ${authority}\r\nConnection: keep-alive\r\n\r\n`),
    );
    expect(await settled(plan)).toBe(BigInt(target.requests.join('').length + answers.join('').length));
  });

  test('is never shared: another session, another line, another customer, a rotating line or a body get their own', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping(() => OK);
    const authority = at(target);
    await ask([get(authority, sticky(plan)), get(authority, sticky(plan, 8)), get(authority, sticky(world.ledger.plan()))]);
    expect(target.sockets).toHaveLength(3);
    await ask([get(authority, sticky(plan))]);
    expect(target.sockets).toHaveLength(4);
    await ask([get(authority, plan.username), get(authority, plan.username)]);
    expect(target.sockets).toHaveLength(6);
    const post = `POST http://${authority}/ HTTP/1.1\r\n${proxyLine(sticky(plan))}Content-Length: 0\r\n`;
    await ask([get(authority, sticky(plan)), post, get(authority, sticky(plan))]);
    expect(target.sockets).toHaveLength(9);
  });

  test('that the target closes instead of an answer is replaced once, and its request is counted once', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping((connection, request, socket) => {
      if (connection > 0 || request === 0) return OK;
      socket.destroy();
      return undefined;
    });
    const answers = await ask([get(at(target), sticky(plan)), get(at(target), sticky(plan))]);
    expect(answers).toEqual([OK, OK]);
    expect(target.requests).toHaveLength(3);
    expect(await settled(plan)).toBe(BigInt(2 * (target.requests[0] as string).length + 2 * OK.length));
  });

  test('a fresh connection that is closed without an answer is not tried again', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping((_, request, socket) => {
      if (request === 0 && target.sockets.length === 1) return OK;
      socket.destroy();
      return undefined;
    });
    const client = await world.client();
    const line = `${get(at(target), sticky(plan))}\r\n`;
    client.write(line);
    await client.until('hello');
    client.skip();
    client.write(line);
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 502 /);
    expect(target.requests).toHaveLength(3);
  });

  test.each([
    ['says that it closes', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello'],
    ['speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['sends more than its answer', `${OK}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`],
  ])('is dropped when the target %s', async (_, answer) => {
    const plan = world.ledger.plan();
    const target = await startKeeping(() => answer);
    const answers = await ask([get(at(target), sticky(plan)), get(at(target), sticky(plan))]);
    expect(answers.join()).not.toContain('poison');
    expect(target.sockets).toHaveLength(2);
  });

  test('is dropped when the target sends something between two requests, and is not used for pipelined ones', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping(() => OK);
    const client = await world.client();
    const line = `${get(at(target), sticky(plan))}\r\n`;
    client.write(line);
    await client.until('hello');
    client.skip();
    const first = target.sockets[0] as Socket;
    const closed = new Promise((done) => first.once('close', done));
    first.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison');
    await closed;
    client.write(`${line}${line}`);
    expect((await client.until(2 * OK.length)).toString()).toBe(`${OK}${OK}`);
    expect(target.sockets).toHaveLength(3);
  });

  test('ends with the log-in while it is idle, and counts as open until then', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping(() => OK);
    const client = await world.client();
    client.write(`${get(at(target), sticky(plan))}\r\n`);
    await client.until('hello');
    const [meter] = [...world.edge.plans.meters()];
    expect(meter?.connections).toBe(1);
    const closed = new Promise((done) => (target.sockets[0] as Socket).once('close', done));
    client.socket.destroy();
    await closed;
    expect(meter?.connections).toBe(0);
    expect(meter?.flows.size).toBe(0);
  });

  test('ends while it is idle when the password is reset', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping(() => OK);
    const authority = at(target);
    const client = await world.client();
    client.write(`${get(authority, sticky(plan))}\r\n`);
    await client.until('hello');
    client.skip();
    const closed = new Promise((done) => (target.sockets[0] as Socket).once('close', done));
    world.ledger.reset(plan, 'another password');
    await closed;
    client.write(`GET http://${authority}/ HTTP/1.1\r\n${proxyLine(sticky(plan), 'another password')}\r\n`);
    await client.until('hello');
    expect(target.sockets).toHaveLength(2);
  });

  test('gives no byte more than the plan has', async () => {
    const target = await startKeeping(() => OK);
    const authority = at(target);
    const once = `GET / HTTP/1.1\r\nHost: ${authority}\r\nConnection: keep-alive\r\n\r\n`.length + OK.length;
    const plan = world.ledger.plan({ totalBytes: BigInt(once) });
    const client = await world.client();
    client.write(`${get(authority, sticky(plan))}\r\n`);
    await client.until('hello');
    client.skip();
    client.write(`${get(authority, sticky(plan))}\r\n`);
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 402 /);
    expect(target.requests).toHaveLength(1);
    expect(await settled(plan)).toBe(BigInt(once));
  });

  test('gives no way around a wrong password, or a name that leads elsewhere now', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping(() => OK);
    const authority = at(target);
    const client = await world.client();
    client.write(`${get(authority, sticky(plan))}\r\n`);
    await client.until('hello');
    client.skip();
    world.route('target.example', ['10.0.0.1'], target.endpoint);
    client.write(`${get(authority, sticky(plan))}\r\n`);
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 403 /);
    at(target);
    const second = await world.client();
    second.write(`${get(authority, sticky(plan))}\r\n`);
    await second.until('hello');
    second.skip();
    second.write(`GET http://${authority}/ HTTP/1.1\r\n${proxyLine(sticky(plan), 'wrong')}\r\n`);
    expect((await second.ended()).toString()).toMatch(/^HTTP\/1\.1 407 /);
    await expect.poll(() => [...world.edge.plans.meters()][0]?.connections).toBe(0);
    expect(target.requests).toHaveLength(2);
  });

  test('is replaced once it is five minutes old, however often it was used', async () => {
    let now = 0;
    const target = await startKeeping(() => OK);
    const { other, visit } = await startOther(target, { monotonic: () => now });
    const step = async (milliseconds: number) => {
      now += milliseconds;
      await expect.poll(() => other.edge.standing().feed, { interval: 10 }).toBe(true);
    };
    expect(await visit()).toBe(1);
    await step(150_000);
    expect(await visit()).toBe(1);
    await step(149_999);
    expect(await visit()).toBe(1);
    await step(1);
    expect(await visit()).toBe(2);
    await step(299_999);
    expect(await visit()).toBe(2);
  });

  test('ends when its exit leaves or becomes another, and stays when others change', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'edge-kept-')), 'exits.json');
    const write = (...exits: unknown[]) => writeFileSync(file, JSON.stringify(exits));
    const [ours, theirs] = [localExit(11), localExit(12, { country: 'fr' })];
    write(ours, theirs);
    const target = await startKeeping(() => OK);
    const { other, client, line, visit } = await startOther(target, { exits: readExits(file), exitsFile: file, exitsLookMs: 10 });
    expect(await visit()).toBe(1);
    write(ours, theirs, localExit(13, { country: 'fr' }));
    await expect.poll(() => other.edge.figures().exits, { interval: 5 }).toBe(3);
    expect(await visit()).toBe(1);
    const changed = closed(target.sockets[0]);
    write({ ...ours, weight: 2 }, theirs);
    await changed;
    expect(await visit()).toBe(2);
    const gone = closed(target.sockets[1]);
    write(theirs, localExit(14));
    await gone;
    expect([...other.edge.plans.meters()][0]?.flows.size).toBe(0);
    client.write(line);
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 503 [^]*X-Proxy-Error: exit_gone/);
  });

  test('stands in the log of requests once for each request, also when one was sent again', async () => {
    const target = await startKeeping((connection, request, socket) => {
      if (request === 0 && connection < 2) return OK;
      socket.destroy();
      return undefined;
    });
    const { other, client, plan, line, visit } = await startOther(target, { requestsEveryMs: 5 });
    await visit();
    await visit();
    expect([target.sockets.length, target.requests.length]).toEqual([2, 3]);
    client.write(line);
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 502 /);
    const told = () => other.ledger.batches.flatMap(({ requests }) => requests);
    await expect.poll(() => told().length, { interval: 5 }).toBe(3);
    const up = target.requests[0]?.length;
    expect(told()).toMatchObject([
      { status: 200, up, down: OK.length },
      { status: 200, up, down: OK.length },
      { status: 502, error: 'target_response_invalid', down: 0 },
    ]);
    const sum = told().reduce((bytes, request) => bytes + request.up + request.down, 0);
    expect(await settled(plan, other)).toBe(BigInt(sum));
  });

  test('serves curl, which asks for three URLs on one connection', async () => {
    const plan = world.ledger.plan();
    const target = await startKeeping(() => OK);
    const url = `http://${at(target)}/`;
    const proxy = `http://${sticky(plan)}:${PASSWORD}@127.0.0.1:${world.port}`;
    const { stdout } = await promisify(execFile)('curl', ['-sS', '--noproxy', '', '-x', proxy, url, url, url]);
    expect(stdout).toBe('hellohellohello');
    expect(target.sockets).toHaveLength(1);
  });
});
