// Clients that are slow, silent or gone, and too many clients of one address.
import { type Socket, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Site, startSite } from '../site.ts';
import { until } from '../world.ts';
import { openFrontSite, site, calls, route, options, get, closedRequests, lines } from './front-site.ts';

openFrontSite();

describe('clients that take their time', () => {
  const timeouts = { headers: 100, request: 200, idle: 200, keepAlive: 200, check: 20 };
  let slow: Site;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    slow = await startSite({ ...options, front: { timeouts } });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await slow.close();
  });
  function dribble(first: string): Promise<string> {
    const socket = connect(Number(new URL(slow.url).port), '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.write(first);
    const timer = setInterval(() => socket.write('a'), 20);
    return new Promise((resolve) => {
      socket
        .on('data', (chunk) => (text += chunk))
        .on('error', () => {})
        .on('close', () => {
          clearInterval(timer);
          resolve(text.split('\r\n')[0] ?? '');
        });
    });
  }

  test('are closed while they send headers', async () => {
    const all = Array.from({ length: 100 }, () => dribble('GET /echo HTTP/1.1\r\nHost: x\r\nX-A: '));
    expect(new Set(await Promise.all(all))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
  });

  test('are closed while they send a body', async () => {
    expect(await dribble('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n')).toBe(
      'HTTP/1.1 408 Request Timeout',
    );
  });

  test('are closed when they send nothing', async () => {
    const socket = connect(Number(new URL(slow.url).port), '127.0.0.1');
    sockets.push(socket);
    await new Promise((resolve) =>
      socket
        .on('error', () => {})
        .once('close', resolve)
        .resume(),
    );
    expect(socket.destroyed).toBe(true);
  });
});

test('a client that leaves in the middle of its body, or before its answer, is not logged as an error', async () => {
  const before = await closedRequests();
  for (const [head, length] of [
    ['POST /graphql', 1_000],
    ['GET /slow', 0],
  ] as const) {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
    socket.write(`${head} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${length ? '{' : ''}`);
    await new Promise((resolve) => setImmediate(resolve));
    await get('/echo');
    socket.destroy();
  }
  await until(async () => (await closedRequests()) >= before + 4);
  expect(lines).toEqual([]);
});

describe('a connection', () => {
  const say = (url: string, text: string, localAddress = '127.0.0.1') =>
    new Promise<string>((resolve) => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }, () => socket.write(text));
      let all = '';
      socket
        .on('data', (chunk) => (all += chunk))
        .on('error', () => {})
        .on('close', () => resolve(all.split('\r\n')[0] ?? ''));
    });

  test.each([
    ['two Host lines', 'GET /echo HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['two Host lines of other hosts', 'GET /echo HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n'],
    ['two hosts in one line', 'GET /echo HTTP/1.1\r\nHost: x, y\r\nConnection: close\r\n\r\n'],
    ['a request line of HTTP/0.9', 'GET /echo\r\n\r\n'],
    ['HTTP/0.9 by name', 'GET /echo HTTP/0.9\r\n\r\n'],
    ['HTTP/2 by name', 'GET /echo HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['an upgrade with two Host lines', 'GET /graphql HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ])('with %s is 400 and reaches no route', async (_, text) => {
    expect(await say(site.url, text)).toBe('HTTP/1.1 400 Bad Request');
    expect(calls).toEqual([]);
  });

  test('beyond the limit of its address is 503, other addresses are accepted, and closed connections free places', async () => {
    const few = await startSite({ ...options, front: { connections: { connectionsPerAddress: 3 } } });
    const port = Number(new URL(few.url).port);
    const open = await Promise.all(
      Array.from(
        { length: 3 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }, () => resolve(socket));
            socket.on('error', () => {});
          }),
      ),
    );
    const ask = (localAddress: string) => say(few.url, 'GET /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', localAddress);
    await until(async () => (await ask('127.0.0.2')) === 'HTTP/1.1 503 Service Unavailable');
    expect(await ask('127.0.0.3')).toBe('HTTP/1.1 200 OK');
    open[0]?.destroy();
    await until(async () => (await ask('127.0.0.2')) === 'HTTP/1.1 200 OK');
    for (const socket of open) socket.destroy();
    await few.close();
  });

  test('whose client reads very slowly is closed, one that reads steadily is not', async () => {
    const large = Buffer.alloc(32 * 1_048_576);
    const slow = await startSite({
      ...options,
      routes: () => [route('/large', (_request, response) => void response.end(large))],
      // A connection with a slow reader is not idle, so this timeout does not end it.
      front: { connections: { readMs: 1_000, readBytes: 4_096 }, timeouts: { idle: 600_000 } },
    });
    const reader = connect(Number(new URL(slow.url).port), '127.0.0.1');
    reader.on('error', () => {});
    reader.pause();
    reader.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    const trickle = setInterval(() => reader.read(32), 50);
    const answer = await fetch(`${slow.url}/large`);
    expect((await answer.arrayBuffer()).byteLength).toBe(large.length);
    await until(async () => (await slow.metrics.requests.get()).values.reduce((sum, { value }) => sum + value, 0) === 2);
    clearInterval(trickle);
    reader.destroy();
    await slow.close();
  });

  test('is not closed for slow reading when the process itself was blocked', async () => {
    const large = Buffer.alloc(64 * 1_048_576);
    const readMs = 40;
    const still = await startSite({
      ...options,
      routes: () => [route('/large', (_request, response) => void response.end(large))],
      front: { connections: { readMs, readBytes: 4_096 }, timeouts: { idle: 600_000 } },
    });
    const answer = await fetch(`${still.url}/large`);
    let length = 0;
    for await (const chunk of answer.body ?? []) {
      length += chunk.length;
      if (length < 2 * 1_048_576) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * readMs);
    }
    expect(length).toBe(large.length);
    await still.close();
  });
});
