// Compares the sandbox's push service with what the sources named in it say of the real ones; the sender here is the library alone.
import { createPrivateKey, sign } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import webPush from 'web-push';
import { HOUR, SECOND, TestClock, systemClock } from '#platform/clock.ts';
import { decrypt } from '../../sandbox/push/aes128gcm.ts';
import { startPushService } from '../../sandbox/push/service.ts';
import type { SandboxBrowser } from '../../sandbox/push/browsers.ts';

const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
const clock = new TestClock();
const service = await startPushService({ host: '127.0.0.1', port: 0, clock, vendors: () => VENDORS });
afterAll(() => service.close());

const KEYS = webPush.generateVAPIDKeys();
const OTHER = webPush.generateVAPIDKeys();
const SUBJECT = 'mailto:support@egress.example';
const vapid = ({ audience = service.url, subject = SUBJECT, keys = KEYS } = {}) =>
  webPush.getVapidHeaders(audience, subject, keys.publicKey, keys.privateKey, 'aes128gcm').Authorization;

/** A token that the library would not make. */
function token(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const point = Buffer.from(KEYS.publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: KEYS.privateKey } as never, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${text}.${signature}, k=${KEYS.publicKey}`;
}
const inSeconds = (seconds: number) => Math.floor(systemClock.now().getTime() / SECOND) + seconds;

interface Sent {
  headers?: Record<string, string | undefined>;
  text?: string;
}
async function send(
  { subscription: { endpoint, keys } }: Pick<SandboxBrowser, 'subscription'>,
  { headers = {}, text = 'Hello' }: Sent = {},
) {
  const { cipherText } = webPush.encrypt(keys.p256dh, keys.auth, text, 'aes128gcm');
  const all = { ttl: '60', 'content-encoding': 'aes128gcm', authorization: vapid(), ...headers };
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
    body: new Uint8Array(cipherText),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

test('a browser reads the example of RFC 8291, 5', () => {
  const message =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const keys = {
    private: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    public: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  expect(decrypt(bytes(message), keys)).toBe('When I grow up, I want to be a watermelon');
});

test.each(['mozilla', 'google'] as const)('%s takes an encrypted message and says where it is', async (vendor) => {
  const browser = service.subscribe(KEYS.publicKey, vendor);
  const answer = await send(browser, { headers: { urgency: 'high', topic: 'low' }, text: 'Grüße' });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('location')).toMatch(/\/m\//);
  expect(browser.messages).toEqual([{ text: 'Grüße', urgency: 'high', topic: 'low', ttl: 60 }]);
});

test.each<[string, Sent, number, number]>([
  ['no TTL', { headers: { ttl: undefined } }, 400, 111],
  ['a negative TTL', { headers: { ttl: '-1' } }, 400, 112],
  ['a topic of other letters', { headers: { topic: 'a topic' } }, 400, 113],
  ['a topic of 33 letters', { headers: { topic: 'a'.repeat(33) } }, 400, 113],
  ['the encoding of a draft', { headers: { 'content-encoding': 'aesgcm' } }, 400, 110],
  ['no sender', { headers: { authorization: undefined } }, 401, 109],
  ['a token for another service', { headers: { authorization: vapid({ audience: 'https://push.example' }) } }, 401, 109],
  ['the key of another sender', { headers: { authorization: vapid({ keys: OTHER }) } }, 401, 109],
  ['a token that is over', { headers: { authorization: token({ aud: service.url, sub: SUBJECT, exp: inSeconds(-1) }) } }, 401, 109],
  ['a token for two days', { headers: { authorization: token({ aud: service.url, sub: SUBJECT, exp: inSeconds(172_800) }) } }, 401, 109],
  ['nobody to write to', { headers: { authorization: token({ aud: service.url, exp: inSeconds(60) }) } }, 401, 109],
  ['a signature of another key', { headers: { authorization: vapid({ keys: { ...KEYS, privateKey: OTHER.privateKey } }) } }, 401, 109],
  ['more than 4,096 bytes', { text: 'x'.repeat(4_090) }, 413, 104],
])('it refuses %s', async (_, sent, status, errno) => {
  const browser = service.subscribe(KEYS.publicKey);
  const answer = await send(browser, sent);
  expect([answer.status, (JSON.parse(answer.text) as { errno: number }).errno]).toEqual([status, errno]);
  expect(browser.messages).toEqual([]);
});

test('a browser that is gone answers 410, and an address that never was 404', async () => {
  const browser = service.subscribe(KEYS.publicKey);
  browser.unsubscribe();
  expect((await send(browser)).status).toBe(410);
  const { keys } = browser.subscription;
  expect((await send({ subscription: { endpoint: `${service.url}/wpush/v2/nobody`, keys } })).status).toBe(404);
});

test('Google’s service answers another sender with 403, in words, and takes no life beyond four weeks', async () => {
  const browser = service.subscribe(KEYS.publicKey, 'google');
  const answer = await send(browser, { headers: { authorization: vapid({ keys: OTHER }) } });
  expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('do not correspond to the credentials') });
  expect((await send(browser, { headers: { ttl: '2419201' } })).status).toBe(400);
});

test('a browser that is offline reads the last message of each topic that still lives', async () => {
  const browser = service.subscribe(KEYS.publicKey);
  browser.setOnline(false);
  for (const [text, topic, ttl] of [
    ['80 %', 'low', '7200'],
    ['95 %', 'low', '7200'],
    ['ready', undefined, '7200'],
    ['short', undefined, '60'],
  ] as const)
    await send(browser, { text, headers: { topic, ttl } });
  expect(browser.messages).toEqual([]);
  clock.advance(HOUR);
  browser.setOnline(true);
  expect(browser.messages.map(({ text }) => text)).toEqual(['95 %', 'ready']);
});

test('a fault answers once, with the wait that it asks for', async () => {
  const browser = service.subscribe(KEYS.publicKey);
  service.faults.push({ status: 429, retryAfter: '600' }, { status: 503 });
  const answers = [await send(browser), await send(browser), await send(browser)];
  expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [429, '600'],
    [503, '120'],
    [201, null],
  ]);
});

test('a person gets a browser to try with', async () => {
  const response = await fetch(`${service.url}/subscriptions`, {
    method: 'POST',
    body: JSON.stringify({ applicationServerKey: KEYS.publicKey }),
  });
  const subscription = (await response.json()) as SandboxBrowser['subscription'];
  expect((await send({ subscription }, { text: 'Seen on the page' })).status).toBe(201);
  expect(await (await fetch(service.url)).text()).toContain('Seen on the page');
});
