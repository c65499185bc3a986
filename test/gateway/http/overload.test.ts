// How many requests run at once, and how those beyond the limit are refused.
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { readBody } from '#platform/read-body.ts';
import type { FrontOptions } from '../../../gateway/http/front.ts';
import { createHealthRoute } from '../../../gateway/http/health.ts';
import { createReadiness } from '#platform/readiness.ts';
import { createMetricsRoute } from '../../../gateway/http/metrics-route.ts';
import { type Site, type SiteOptions, startSite } from '../site.ts';
import { until } from '../world.ts';
import { route, log } from './front-site.ts';

describe('work in flight', () => {
  let busy: Site;
  let ticks = 0;
  const held: (() => void)[] = [];
  /** `/held` waits until it is released, `/long` blocks the event loop for some milliseconds. */
  async function start(overload: FrontOptions['overload']): Promise<void> {
    ticks = 0;
    const routes: SiteOptions['routes'] = ({ metrics }) => [
      createHealthRoute(createReadiness({}, {}, log)),
      createMetricsRoute(metrics, 'a token of sixteen'),
      route('/held', async (_request, response) => {
        await new Promise<void>((resolve) => held.push(resolve));
        response.end('done');
      }),
      route('/upload', async (request, response) => {
        await readBody(request, 1_000);
        response.end('read');
      }),
      route('/long', (_request, response) => {
        ticks += 600;
        response.end('long');
      }),
    ];
    busy = await startSite({ log, routes, now: () => ticks, front: { trustProxyHops: 1, overload: { ...overload } } });
  }
  afterEach(async () => {
    for (const release of held.splice(0)) release();
    await busy.close();
  });
  let addresses = 0;
  const from = (path: string, address = `198.51.100.${++addresses % 250}`) =>
    fetch(`${busy.url}${path}`, { headers: { 'x-forwarded-for': address } });

  test('beyond the limit a request is 503 with Retry-After, for each route separately, and vital routes still answer', async () => {
    await start({ inFlight: { initial: 4, min: 2, max: 4 } });
    const taken = Array.from({ length: 4 }, () => from('/held'));
    await until(() => held.length === 4);
    const refused = await from('/held');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    expect((await from('/long')).status).toBe(200);
    expect((await from('/health/ready')).status).toBe(200);

    held.shift()?.();
    expect(await (await taken[0])?.text()).toBe('done');
    const next = from('/held');
    await until(() => held.length === 4);
    for (const release of held.splice(0)) release();
    for (const answer of [...taken.slice(1), next]) expect((await answer).status).toBe(200);
  });

  test('one address gets at most half of the limit', async () => {
    await start({ inFlight: { initial: 4, min: 2, max: 4 } });
    const taken = [from('/held', '203.0.113.1'), from('/held', '203.0.113.1')];
    await until(() => held.length === 2);
    expect((await from('/held', '203.0.113.1')).status).toBe(503);
    taken.push(from('/held', '203.0.113.2'));
    await until(() => held.length === 3);
    for (const release of held.splice(0)) release();
    for (const answer of taken) expect((await answer).status).toBe(200);
  });

  test('the limit falls while answers are late, and rises again', async () => {
    await start({ inFlight: { initial: 10, min: 2, max: 10 }, lateMs: 1_000 });
    const round = async (count: number, took: number) => {
      const answers = Array.from({ length: count }, () => from('/held'));
      await until(() => held.length === count);
      ticks += took;
      for (const release of held.splice(0)) release();
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await round(10, 2_000)).toEqual(Array.from({ length: 10 }, () => 200));
    // The limit has fallen from ten to seven tenths of it.
    const seven = Array.from({ length: 7 }, () => from('/held'));
    await until(() => held.length === 7);
    expect((await from('/held')).status).toBe(503);
    for (const release of held.splice(0)) release();
    await Promise.all(seven);
    // Each answer in time raises the limit by one.
    expect(new Set(await round(8, 10))).toEqual(new Set([200]));
  });

  test('clients that have not sent their whole request take no place', async () => {
    await start({ inFlight: { initial: 1, min: 1, max: 1 } });
    const slow = connect(Number(new URL(busy.url).port), '127.0.0.1');
    slow.write('POST /upload HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\nContent-Length: 10\r\n\r\nhalf');
    // The front answers this request after it has seen the one before.
    await from('/health/ready');
    const whole = await fetch(`${busy.url}/upload`, { method: 'POST', body: 'all', headers: { 'x-forwarded-for': '203.0.113.8' } });
    expect(await whole.text()).toBe('read');
    slow.destroy();
  });

  test('a request that has waited too long behind others of the same turn is refused', async () => {
    await start({});
    const socket = connect(Number(new URL(busy.url).port), '127.0.0.1');
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`;
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    // One packet, so that one turn of the event loop handles all three.
    socket.write(get('/long') + get('/long') + get('/health/live'));
    await until(() => text.split('HTTP/1.1 ').length === 4);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '503', '200']);
    socket.destroy();
  });
});
