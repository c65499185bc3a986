// When a call is made again, when it is not, and what it fails with; and what a webhook has to be signed with.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { EgressRefusal, EgressUnreachable, WebhookForged, createClient, verifyWebhook } from '../../../rest-adapter/client/index.ts';

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    { statusCode: status, success: false, message: 'No.', meta: { code, request_id: 'req_1', docs: '/' } },
    { status, headers },
  );
const success = () => Response.json({ success: true, data: { webhooks: [] } });

/** A client whose answers are given one after the other; an Error is no answer. */
function clientOf(...answers: (Response | Error)[]) {
  const waited: number[] = [];
  let calls = 0;
  const client = createClient({
    url: 'http://egress.example',
    key: 'k',
    async fetch() {
      const answer = answers[calls++] ?? success();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async (ms) => void waited.push(ms),
  });
  return { client, waited, calls: () => calls };
}

test('a call waits as long as it is asked to, and is made again', async () => {
  const { client, waited } = clientOf(refusal(429, 'rate_limited', { 'retry-after': '7' }), refusal(503, 'overloaded'));
  expect(await client.listWebhooks()).toEqual({ webhooks: [] });
  expect(waited).toEqual([7_000, 1_000]);
});

test('what changes something is made again when nothing was done, and never when nobody knows', async () => {
  const refused = clientOf(refusal(503, 'overloaded', { 'retry-after': '1' }));
  await refused.client.createWebhook({ url: 'https://shop.example' });
  expect(refused.calls()).toBe(2);
  const lost = clientOf(new TypeError('fetch failed'));
  await expect(lost.client.createWebhook({ url: 'https://shop.example' })).rejects.toThrow(EgressUnreachable);
  const fault = clientOf(refusal(500, 'internal'));
  await expect(fault.client.createWebhook({ url: 'https://shop.example' })).rejects.toMatchObject({ status: 500, code: 'internal' });
  expect([lost.calls(), fault.calls()]).toEqual([1, 1]);
  const read = clientOf(new TypeError('fetch failed'), refusal(500, 'internal'));
  expect(await read.client.listWebhooks()).toEqual({ webhooks: [] });
});

test('what begins something is made again with the same idempotency key, when nobody knows whether it was done', async () => {
  const keys: (string | undefined)[] = [];
  const answers = [new TypeError('fetch failed'), refusal(500, 'internal'), success(), success(), success()];
  const client = createClient({
    url: 'http://egress.example',
    key: 'k',
    async fetch(_url, init) {
      keys.push(new Headers(init?.headers).get('idempotency-key') ?? undefined);
      const answer = answers.shift() ?? success();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async () => {},
  });
  await client.rebootServer({ server_id: 'vps_1' });
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  expect(keys[0]?.length).toBeGreaterThanOrEqual(8);
  await client.rebootServer({ server_id: 'vps_1' });
  expect(keys[3]).not.toBe(keys[0]);
  await client.rebootServer({ server_id: 'vps_1' }, { idempotencyKey: 'deploy-of-today' });
  expect(keys[4]).toBe('deploy-of-today');
});

test('it gives up after three repetitions, and at once when it would have to wait for more than a minute', async () => {
  const often = clientOf(...Array.from({ length: 9 }, () => refusal(503, 'overloaded')));
  await expect(often.client.listWebhooks()).rejects.toThrow(EgressRefusal);
  expect(often.calls()).toBe(4);
  const long = clientOf(refusal(429, 'rate_limited', { 'retry-after': '61' }));
  await expect(long.client.listWebhooks()).rejects.toMatchObject({ code: 'rate_limited', requestId: 'req_1' });
  expect(long.waited).toEqual([]);
});

test('a list goes on after its last item, or by what the answer says', async () => {
  const page = (data: object) => Response.json({ success: true, data });
  const event = (event_id: string) => ({ event_id, type: 'residential_plan.paused' });
  const events = clientOf(page({ events: [event('a'), event('b')] }), page({ events: [event('c')] }), page({ events: [] }));
  const ids: string[] = [];
  for await (const { event_id } of events.client.eachEvent()) ids.push(event_id);
  expect([ids, events.calls()]).toEqual([['a', 'b', 'c'], 3]);
  const { client, calls } = clientOf(
    page({ deliveries: [{ delivery_id: 'x' }], next: 'x' }),
    page({ deliveries: [{ delivery_id: 'y' }], next: null }),
  );
  const deliveries: string[] = [];
  for await (const { delivery_id } of client.eachWebhookDelivery({ webhook_id: 'hook' })) deliveries.push(delivery_id);
  expect([deliveries, calls()]).toEqual([['x', 'y'], 2]);
});

test('an answer that is none of the API is no answer of it', async () => {
  const { client } = clientOf(...Array.from({ length: 4 }, () => new Response('<h1>Bad Gateway</h1>', { status: 502 })));
  await expect(client.listWebhooks()).rejects.toThrow(/502 without an answer of the API/);
});

test('who gives up waiting is let go', async () => {
  const stop = new AbortController();
  const client = createClient({
    url: 'http://egress.example',
    key: 'k',
    fetch: async () => refusal(429, 'rate_limited', { 'retry-after': '5' }),
    sleep: () => {
      stop.abort(new Error('enough'));
      return new Promise(() => {});
    },
  });
  await expect(client.listWebhooks({}, { signal: stop.signal })).rejects.toThrow('enough');
});

test('a webhook is believed by its signature alone', async () => {
  const secret = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;
  const body = JSON.stringify({ type: 'residential_plan.paused', timestamp: '2026-01-15T12:00:00.000Z', data: { product_id: 'plan_a' } });
  const atMs = 1_768_478_400_000;
  const signature = createHmac('sha256', 'a secret of the tests').update(`evt_1.1768478400.${body}`).digest('base64');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1768478400', 'webhook-signature': `v1,AAAA v1,${signature}` };
  expect(await verifyWebhook(secret, { headers, body }, atMs)).toMatchObject({
    type: 'residential_plan.paused',
    data: { product_id: 'plan_a' },
  });
  await expect(verifyWebhook(secret, { headers, body: `${body} ` }, atMs)).rejects.toThrow(WebhookForged);
  await expect(verifyWebhook('whsec_AAAA', { headers, body }, atMs)).rejects.toThrow(WebhookForged);
  await expect(verifyWebhook(secret, { headers, body }, atMs + 301_000)).rejects.toThrow(/five minutes/);
  await expect(verifyWebhook(secret, { headers: {}, body }, atMs)).rejects.toThrow(/no webhook-id/);
});
