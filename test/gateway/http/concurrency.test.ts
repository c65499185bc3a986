import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBody } from '#platform/read-body.ts';
import type { Route } from '#platform/route.ts';
import { createConcurrencyLimit } from '../../../gateway/http/concurrency.ts';
import { type Site, startSite } from '../site.ts';
import { recordingLog, until } from '../world.ts';

/** A limit of two on an event loop whose load is `loop.busy`, and the names of the calls that have begun. */
function limited(busy: number) {
  const loop = { busy, now: 0 };
  const begun: string[] = [];
  const limit = createConcurrencyLimit(
    { max: 2, countedMs: 500 },
    () => loop.now,
    () => loop.busy,
  );
  return { loop, begun, enter: (name: string) => limit.enter(() => begun.push(name)) };
}

test('while the loop is idle enough every call begins at once, however many there are', () => {
  const { begun, enter } = limited(0.5);
  for (const name of 'abcdef') enter(name);
  expect(begun.join('')).toBe('abcdef');
});

test('on a busy loop two calls begin, and the others in order as those before them are answered', () => {
  const { begun, enter } = limited(1);
  const [a, b] = [enter('a'), enter('b'), enter('c'), enter('d')];
  expect(begun.join('')).toBe('ab');
  b();
  expect(begun.join('')).toBe('abc');
  a();
  expect(begun.join('')).toBe('abcd');
});

test('an answer that ends twice frees one place', () => {
  const { begun, enter } = limited(1);
  const [a] = [enter('a'), enter('b'), enter('c'), enter('d')];
  a();
  a();
  expect(begun.join('')).toBe('abc');
});

test('a call that is cancelled while waiting is skipped', () => {
  const { begun, enter } = limited(1);
  const [a, , c] = [enter('a'), enter('b'), enter('c'), enter('d')];
  c();
  a();
  expect(begun.join('')).toBe('abd');
});

test('a call that waits for something other than the loop keeps its place for half a second only', () => {
  const { loop, begun, enter } = limited(1);
  enter('slow sender');
  enter('hung vendor');
  loop.now = 499;
  const next = enter('next');
  expect(begun).toHaveLength(2);
  loop.now = 519;
  enter('after');
  expect(begun).toEqual(['slow sender', 'hung vendor', 'next', 'after']);
  next();
});

test('waiting calls begin once the loop is idle again, even if none was answered', async () => {
  const { loop, begun, enter } = limited(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const limit = [enter('a'), enter('b')];
  expect(limit).toHaveLength(2);
  enter('c');
  loop.busy = 0.2;
  loop.now = 100;
  const look = setInterval(() => begun.length === 3 && resolve(), 5);
  await promise;
  clearInterval(look);
  expect(begun.join('')).toBe('abc');
});

describe('a front whose loop is always busy, with one place', () => {
  let site: Site;
  const begun: string[] = [];
  const held: (() => void)[] = [];
  const route = (name: string, handle: Route['handle']): Route => ({ name, matches: (pathname) => pathname === name, handle });
  beforeAll(async () => {
    const { log } = recordingLog();
    const routes = () => [
      route('/held', (_, response, { url }) => {
        begun.push(url.search);
        held.push(() => response.end('held'));
      }),
      route('/upload', async (request, response) => {
        const body = await readBody(request, 100);
        begun.push(body.toString());
        held.push(() => response.end('read'));
      }),
    ];
    site = await startSite({ log, routes, front: { concurrency: { max: 1, busyShare: 0, countedMs: 600_000 } } });
  });
  afterAll(() => site.close());

  test('each begins when one before it is answered, with or without a body', async () => {
    const answers = [fetch(`${site.url}/held?first`)];
    await until(() => begun.length === 1);
    answers.push(fetch(`${site.url}/upload`, { method: 'POST', body: 'second' }), fetch(`${site.url}/held?third`));
    // Both requests have arrived, and have not begun.
    await fetch(`${site.url}/nowhere`);
    expect(begun).toEqual(['?first']);
    for (let answered = 0; answered < answers.length; answered++) {
      await until(() => held.length > 0);
      expect(held).toHaveLength(1);
      held.shift()?.();
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(begun.toSorted()).toEqual(['?first', '?third', 'second']);
  });

  test('a slow sender blocks no other request, and is answered in the end', async () => {
    const slow = connect(Number(new URL(site.url).port), '127.0.0.1');
    let text = '';
    slow.on('data', (chunk) => (text += chunk));
    slow.write('POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
    await fetch(`${site.url}/nowhere`);
    const other = fetch(`${site.url}/held?other`);
    await until(() => held.length === 1);
    held.shift()?.();
    expect(await (await other).text()).toBe('held');
    slow.write(' whole');
    await until(() => held.length === 1);
    held.shift()?.();
    await until(() => text.endsWith('read'));
    slow.destroy();
  });
});
