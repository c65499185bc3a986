import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import type { UsageReport } from '../../sandbox/network/report.ts';
import { createWorld, SECRETS } from './world.ts';
import type { World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const reports = (): UsageReport[] => world.receiver.received.map(({ body }) => JSON.parse(body) as UsageReport);
const total = (list: UsageReport[]): number =>
  list.flatMap((report) => report.lines).reduce((sum, line) => sum + line.up_bytes + line.down_bytes, 0);
const traffic = {
  username: 'user-country-de-session-12345678-sessionttl-30',
  upBytes: 123,
  downBytes: 457,
  country: 'de',
  host: 'example.com',
};

test('a report is one POST, signed over its raw body', async () => {
  const ids = await world.sandbox.network.report(traffic);
  const [received] = world.receiver.received;
  expect(received?.path).toBe('/usage-reports');
  expect(reports()).toEqual([
    {
      source: 'sandbox-network',
      report_id: ids[0],
      lines: [
        {
          line: 0,
          username: traffic.username,
          up_bytes: 123,
          down_bytes: 457,
          at: world.clock.now().toISOString(),
          country: 'de',
          host: 'example.com',
        },
      ],
    },
  ]);
  const t = Math.floor(world.clock.now().getTime() / SECOND);
  const v1 = createHmac('sha256', SECRETS.usageSecret).update(`${t}.${received?.body}`).digest('hex');
  expect(received?.headers['egress-signature']).toBe(`t=${t},v1=${v1}`);
});

test('several lines go in one report, numbered', async () => {
  await world.sandbox.network.report([traffic, { ...traffic, username: 'other' }]);
  expect(reports().map((report) => report.lines.map((line) => [line.line, line.username]))).toEqual([
    [
      [0, traffic.username],
      [1, 'other'],
    ],
  ]);
});

test('a report is repeated under the same id until it is acknowledged', async () => {
  world.receiver.answers.push(500, 429, 503);
  const reported = world.sandbox.network.report(traffic);
  await world.sandbox.network.deliver();
  const [id] = await reported;
  expect(reports().map((report) => report.report_id)).toEqual([id, id, id, id]);
  expect(new Set(world.receiver.received.map(({ body }) => body)).size).toBe(1);
});

test('a report that is given up says so', async () => {
  await world.close();
  world = await createWorld({ retry: { firstMs: 1, maxMs: 1, attempts: 2 } });
  world.receiver.judge = () => 400;
  await expect(world.sandbox.network.report(traffic)).rejects.toThrow(/given_up/);
  expect(world.receiver.received).toHaveLength(2);
});

test('a split report has the same bytes under two ids, a duplicated one comes twice under one id', async () => {
  const { network } = world.sandbox;
  network.faults.split = 1;
  const ids = await network.report(traffic);
  expect(new Set(ids).size).toBe(2);
  expect(total(reports())).toBe(580);

  Object.assign(network.faults, { split: 0, duplicate: 1 });
  world.receiver.received.length = 0;
  const [id] = await network.report(traffic);
  await network.deliver();
  expect(reports().map((report) => report.report_id)).toEqual([id, id]);
});

test('a forged report comes first under a wrong signature', async () => {
  world.sandbox.network.faults.forge = 1;
  await world.sandbox.network.report(traffic);
  const [forged, genuine] = world.receiver.received;
  expect(forged?.body).toBe(genuine?.body);
  expect(forged?.headers['egress-signature']).not.toBe(genuine?.headers['egress-signature']);
  expect(world.sandbox.network.attempts().map((attempt) => attempt.forged)).toEqual([true, false]);
});

test('traffic is accepted as JSON, too, and refused with reasons when it is wrong', async () => {
  const post = (body: object): Promise<Response> =>
    fetch(`${world.sandbox.urls.network}/traffic`, { method: 'POST', body: JSON.stringify(body) });
  const taken = await post({ username: 'u1', up_bytes: 1, down_bytes: 2, session: '12345678', client: '198.51.100.7' });
  expect(taken.status).toBe(202);
  await world.sandbox.network.idle();
  expect(reports()).toMatchObject([
    {
      ...((await taken.json()) as { report_ids: string[] }).report_ids.map((report_id) => ({ report_id }))[0],
      lines: [{ session: '12345678', client: '198.51.100.7' }],
    },
  ]);

  for (const wrong of [
    {},
    { username: 'u1', up_bytes: -1, down_bytes: 0 },
    { username: 'u1', up_bytes: 1.5, down_bytes: 0 },
    { username: 'u1', up_bytes: 1, down_bytes: 0, upp: 1 },
  ]) {
    const refused = await post(wrong);
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { errors: string[] }).errors).not.toEqual([]);
  }
  expect(world.receiver.received).toHaveLength(1);
});

test('the page reports megabytes as bytes and shows the result', async () => {
  const form = new URLSearchParams({ username: 'u1', up_mb: '0.5', down_mb: '1000', country: 'de', host: '' });
  const answer = await fetch(world.sandbox.urls.network, { method: 'POST', body: form, redirect: 'manual' });
  expect(answer.status).toBe(303);
  await world.sandbox.network.idle();
  expect(reports()[0]?.lines).toMatchObject([{ username: 'u1', up_bytes: 500_000, down_bytes: 1_000_000_000, country: 'de' }]);
  const html = await (await fetch(world.sandbox.urls.network)).text();
  expect(html).toContain('acknowledged');
  expect(html).toContain('1000.5');
  const wrong = await fetch(world.sandbox.urls.network, { method: 'POST', body: new URLSearchParams({ username: '', up_mb: 'x' }) });
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain('role="alert"');
});
