// The health port answers from its own thread. Another thread calls it here, while this one is blocked until the answers are there.
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { type HealthPort, openHealthPort } from '#platform/health-port.ts';
import { PROGRAM_VERSION } from '#platform/program-version.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { Readiness } from '#platform/readiness.ts';
import { readConfig } from '../../../../configuration.ts';
import { until } from '../../../gateway/world.ts';

let port: HealthPort | undefined;
afterEach(async () => port?.close());

const open = async (readiness: () => Promise<Readiness>) => {
  const config = readConfig({ NODE_ENV: 'test', HEALTH_PORT: '0' });
  port = await openHealthPort({ config, metrics: createMetrics(), log: silentLog }, readiness);
  return (port as HealthPort).url;
};
const ok = async (): Promise<Readiness> => ({ status: 'ok', checks: { database: true } });

/** The calling thread: requests each path, writes the statuses to shared memory, and wakes the waiting thread. */
const CLIENT = `
  const { workerData: { url, paths, memory } } = require('node:worker_threads');
  const cells = new Int32Array(memory);
  (async () => {
    for (const [index, path] of paths.entries()) cells[index + 1] = (await fetch(url + path)).status;
    Atomics.store(cells, 0, 1);
    Atomics.notify(cells, 0);
  })();`;

test('liveness and readiness are answered while the main thread is blocked', async () => {
  const url = await open(ok);
  await until(async () => (await fetch(`${url}/health/ready`)).status === 200);
  const paths = ['/health/live', '/health/ready'];
  const memory = new SharedArrayBuffer(4 * (paths.length + 1));
  const cells = new Int32Array(memory);
  const client = new Worker(CLIENT, { eval: true, workerData: { url, paths, memory } });
  // Blocks this thread's event loop until the client has its answers.
  expect(Atomics.wait(cells, 0, 0, 20_000)).not.toBe('timed-out');
  expect([...cells.subarray(1)]).toEqual([200, 200]);
  await client.terminate();
});

test('what is vital and does not work is 503 with Retry-After, what can be done without is 200', async () => {
  let status: Readiness['status'] = 'unavailable';
  const url = await open(async () => ({ status, checks: { database: status === 'ok', limits: false } }));
  await until(async () => Object.keys(((await (await fetch(`${url}/health/ready`)).json()) as Readiness).checks).length > 0);
  const refused = await fetch(`${url}/health/ready`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await refused.json()).toMatchObject({
    status: 'unavailable',
    checks: { database: false, limits: false },
    version: PROGRAM_VERSION,
  });
  status = 'degraded';
  await until(async () => (await fetch(`${url}/health/ready`)).status === 200);
});

test('it has metrics without a token, and nothing else', async () => {
  const url = await open(ok);
  const metrics = await fetch(`${url}/metrics`);
  expect([metrics.status, (await metrics.text()).includes('egress_requests_total')]).toEqual([200, true]);
  for (const path of ['/', '/v1/residential', '/graphql', '/health/other']) expect((await fetch(`${url}${path}`)).status).toBe(404);
  expect((await fetch(`${url}/health/live`, { method: 'POST' })).status).toBe(404);
});

test('a chosen port that is taken stops the start with a sentence', async () => {
  const url = await open(ok);
  const config = readConfig({ NODE_ENV: 'test', HEALTH_PORT: new URL(url).port });
  await expect(openHealthPort({ config, metrics: createMetrics(), log: silentLog }, ok)).rejects.toThrow(
    /cannot be listened on .EADDRINUSE.\. Choose another HEALTH_PORT/,
  );
});
