// Which of PayPal's webhooks are believed, and whether PayPal is set up: over real HTTP with the sandbox, which signs with its own certificate.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { startReceiver } from '../../../../../sandbox/receiver.ts';
import { rowsOf } from '../../../../kit/tables.ts';
import { startPayPalBilling } from './paypal-world.ts';

const { world, paypal, someone, place } = await startPayPalBilling();
const HEADERS = {
  'content-type': 'application/json',
  'paypal-auth-algo': 'SHA256withRSA',
  'paypal-cert-url': `${paypal.url}/v1/notifications/certs/CERT-1`,
  'paypal-transmission-id': '69cd13f0-d67a-11e5-baa3-778b53f4ae55',
  'paypal-transmission-time': '2026-01-01T00:00:00Z',
  'paypal-transmission-sig': 'AAAA',
};
const BODY = '{"id":"WH-1","event_type":"CHECKOUT.ORDER.APPROVED","resource":{"id":"X"}}';
const send = async (headers: Record<string, string>) =>
  (await fetch(`${world.url}/webhooks/paypal`, { method: 'POST', headers, body: BODY })).status;

test('a notice with a wrong signature, another algorithm, a missing header or no certificate is refused', async () => {
  expect(await send(HEADERS)).toBe(400);
  expect(await send({ ...HEADERS, 'paypal-auth-algo': 'SHA1withRSA' })).toBe(400);
  const { 'paypal-transmission-sig': _, ...without } = HEADERS;
  expect(await send(without)).toBe(400);
  expect(await rowsOf(world.query, 'accounts.inbox', { source: 'paypal' })).toEqual([]);
});

test('a certificate is fetched from PayPal alone, whatever address a notice names', async () => {
  const stranger = await startReceiver();
  try {
    const path = '/v1/notifications/certs/CERT-1';
    for (const address of [
      `${stranger.url}${path}`,
      `${paypal.url}/v2${path}`,
      `${paypal.url}${path}?x=1`,
      'file:///etc/passwd',
      'no address',
    ])
      expect(await send({ ...HEADERS, 'paypal-cert-url': address })).toBe(400);
    expect(stranger.received).toEqual([]);
  } finally {
    await stranger.close();
  }
});

test('the check says what is missing of the webhook, and sets it up', async () => {
  const { checks } = world.context().providers.payments['PAYPAL'] ?? {};
  const words = async (work: Promise<{ what: string; ok: boolean }[]> | undefined) => (await work)?.map(({ what, ok }) => [what, ok]);
  // The sandbox's webhook is registered at the address where the test listens, not at the public address.
  expect(await words(checks?.check())).toEqual([
    ['key', true],
    ['reports', true],
    ['webhook', false],
  ]);
  expect(await checks?.setUp?.()).toEqual([
    { what: 'webhook', ok: true, words: expect.stringMatching(/was made for .*\/webhooks\/paypal; put into PAYPAL_WEBHOOK_IDS: \w+/) },
  ]);
  expect(await words(checks?.check())).toEqual([
    ['key', true],
    ['reports', true],
    ['webhook', true],
    ['webhook id', false],
    ['events', true],
  ]);
});

test('the check says that an app may not read reports, and what to tick', async () => {
  const { checks } = world.context().providers.payments['PAYPAL'] ?? {};
  paypal.permitReports(false);
  expect(await checks?.check()).toContainEqual({ what: 'reports', ok: false, words: expect.stringContaining('Transaction Search') });
  paypal.permitReports(true);
});

test('a token that ends is got anew, unnoticed', async () => {
  world.clock.advance(DAY);
  expect(await place(await someone())).toMatchObject({ status: 'PENDING' });
});
