// The gateway's internal route accepts only calls that are signed, complete and recent.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { Access } from '../../gateway/sign-in/access.ts';
import { type Front, createFront } from '../../gateway/http/front.ts';
import type { Gateway } from '../../gateway/graph/gateway.ts';
import { Gateways } from '../../rest-adapter/gateways.ts';
import { createInternalGraphRoute, remoteGraph } from '../../rest-adapter/remote-graph.ts';

const secret = 's'.repeat(64);
const clock = new TestClock();
const asked: unknown[] = [];
let front: Front;
let url: string;

beforeAll(async () => {
  const access = {
    async admitKey(authorization: string | undefined) {
      asked.push(authorization);
      return { rate: { limit: 120, remaining: 119, resetSeconds: 60 } };
    },
  } as unknown as Access;
  const gateway = { prepare: (text: string) => text, execute: async (text: string) => ({ data: { text } }) } as unknown as Gateway;
  const route = createInternalGraphRoute({ gateway, access, secret: [secret], clock });
  front = createFront({ port: 0, host: '127.0.0.1', routes: [route], upgrades: [], clock, log: silentLog, metrics: createMetrics() });
  ({ url } = await front.listen());
});
afterAll(() => front.close());

const body = JSON.stringify({ call: 'admit', authorization: 'Bearer x', origin: { address: '::1', requestId: 'req_1' } });
let signatures = 0;
const sign = (at: number, text = body, key = secret, nonce = `n${signatures++}`) =>
  `${at}.${nonce}.${createHmac('sha256', key).update(`${at}.${nonce}.${text}`).digest('hex')}`;
const now = () => clock.now().getTime();
const post = (header: string | undefined, text = body, path = '/internal/admit') =>
  fetch(`${url}${path}`, { method: 'POST', body: text, headers: header === undefined ? {} : { 'egress-internal': header } });

test('a signed call is answered', async () => {
  expect((await post(sign(now()))).status).toBe(200);
  expect(asked).toEqual(['Bearer x']);
});

test.each<[string, () => Promise<Response>]>([
  ['without a signature', () => post(undefined)],
  ['with an empty signature', () => post('')],
  ['with a signature of nothing', () => post('.')],
  ['with a time only', () => post(String(now()))],
  ['with a time that is none', () => post(`NaN.${sign(now()).split('.').slice(1).join('.')}`)],
  ["with another secret's signature", () => post(sign(now(), body, 'x'.repeat(64)))],
  ['with another body', () => post(sign(now()), body.replace('Bearer x', 'Bearer y'))],
  ['with another time', () => post(sign(now()).replace(/^\d/, '9'))],
  ['that is older than 5 seconds', () => post(sign(now() - 5_001))],
  ['that is of more than 5 seconds later', () => post(sign(now() + 5_001))],
  ['that is signed for the other call', () => post(sign(now()), body, '/internal/execute')],
])('401 for a call %s', async (_title, send) => {
  asked.length = 0;
  expect((await send()).status).toBe(401);
  expect(asked).toEqual([]);
});

test('a call is not accepted twice', async () => {
  const header = sign(now());
  expect([(await post(header)).status, (await post(header)).status]).toEqual([200, 401]);
});

test('a call may be up to 5 seconds old', async () => {
  expect((await post(sign(now() - 5_000))).status).toBe(200);
  expect((await post(sign(now() + 5_000))).status).toBe(200);
});

test('405 for GET, and 413 for more than a megabyte', async () => {
  expect((await fetch(`${url}/internal/admit`)).status).toBe(405);
  expect((await post(sign(now()), 'x'.repeat(1_048_577))).status).toBe(413);
});

test('the client speaks it, and rejects when the gateway refuses', async () => {
  const graph = remoteGraph({ gateways: new Gateways([url]), secret: [secret], clock });
  const viewer = { kind: 'system', name: 'test', address: '::1', requestId: 'req_1' } as const;
  expect(await graph.prepare('{ me { id } }')({}, viewer, new AbortController().signal)).toEqual({ data: { text: '{ me { id } }' } });
  await graph.close();
  const stranger = remoteGraph({ gateways: new Gateways([url]), secret: ['x'], clock });
  await expect(stranger.admit('Bearer x', { address: '::1', requestId: 'req_1' })).rejects.toThrow('401');
  await stranger.close();
});
