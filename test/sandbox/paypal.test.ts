// Tests that the sandbox's PayPal is as strict as PayPal's documents; each case names its source. "Spec" is
// github.com/paypal/paypal-rest-api-specifications, openapi/.
import { X509Certificate, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import type { PayPal } from '../../sandbox/paypal/processor.ts';
import { type World, createWorld } from './world.ts';

const CLIENT = { paypalClientId: 'client', paypalClientSecret: 'secret', paypalWebhookId: 'WEBHOOK1' };
let world: World;
let paypal: PayPal;
let token = '';
beforeAll(async () => {
  world = await createWorld(CLIENT);
  ({ paypal } = world.sandbox);
});
// Each test gets a new token, since advancing the clock expires the old one.
beforeEach(async () => void (token = await grant()));
afterAll(() => world.close());

interface Body {
  id: string;
  status: string;
  name: string;
  debug_id: string;
  details: { issue: string; field?: string }[];
  links: { rel: string; href: string }[];
  [field: string]: unknown;
}

async function grant(): Promise<string> {
  const answer = await fetch(`${paypal.url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

let ids = 0;
async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${paypal.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      prefer: 'return=representation',
      ...(method === 'POST' && { 'paypal-request-id': `test-${++ids}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Body };
}
const issueOf = async (answer: Promise<{ status: number; body: Body }>) => {
  const { status, body } = await answer;
  return [status, body.details?.[0]?.issue];
};

const usd = (value: string) => ({ currency_code: 'USD', value });
const orderOf = (unit: object = {}, source: object = {}) => ({
  intent: 'CAPTURE',
  purchase_units: [{ amount: usd('25.00'), ...unit }],
  payment_source: {
    paypal: { experience_context: { return_url: 'http://shop.test/back', cancel_url: 'http://shop.test/cancel' }, ...source },
  },
});
const make = async (unit?: object, source?: object) => (await call('POST', '/v2/checkout/orders', orderOf(unit, source))).body;
const capture = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  call('POST', `/v2/checkout/orders/${id}/capture`, body, headers);
async function captured(unit: object = {}, payer: Parameters<PayPal['approve']>[1] = {}) {
  const { id } = await make(unit);
  paypal.approve(id, payer);
  await capture(id);
  const found = paypal.captures().find(({ orderId }) => orderId === id);
  if (!found) throw new Error(`${id} was not captured`);
  return found.id;
}
const refund = (id: string, body: object = {}) => call('POST', `/v2/payments/captures/${id}/refund`, body);

test('a client that is not known gets no token, and a token ends after nine hours (api/rest/authentication)', async () => {
  const none = await fetch(`${paypal.url}/v1/oauth2/token`, { method: 'POST', headers: { authorization: 'Basic bm86bm8=' } });
  expect([none.status, await none.json()]).toEqual([401, { error: 'invalid_client', error_description: expect.any(String) }]);
  const bad = await call('GET', '/v2/checkout/orders/X', undefined, { authorization: 'Bearer forged' });
  expect([bad.status, bad.body['error']]).toEqual([401, 'invalid_token']);
  world.clock.advance(9 * HOUR + MINUTE);
  expect((await call('GET', '/v1/notifications/webhooks')).status).toBe(401);
});

test('errors have a name, a message, a debug_id and details with an issue (api/rest/responses)', async () => {
  const { status, body } = await call('GET', '/v2/checkout/orders/NONE');
  expect(status).toBe(404);
  expect(body).toMatchObject({
    name: 'RESOURCE_NOT_FOUND',
    message: expect.any(String),
    debug_id: expect.stringMatching(/^[0-9a-f]{13}$/),
    details: [{ issue: 'INVALID_RESOURCE_ID' }],
  });
});

test('amounts are decimal strings with the places of their currency, and add up (Spec, checkout_orders_v2: 422)', async () => {
  const tried = (unit: object) => issueOf(call('POST', '/v2/checkout/orders', orderOf(unit)));
  expect(await tried({ amount: usd('25.001') })).toEqual([422, 'DECIMAL_PRECISION']);
  expect(await tried({ amount: { currency_code: 'JPY', value: '25.5' } })).toEqual([422, 'DECIMAL_PRECISION']);
  expect(await tried({ amount: usd('0.00') })).toEqual([422, 'CANNOT_BE_ZERO_OR_NEGATIVE']);
  expect(await tried({ amount: { currency_code: 'XXX', value: '1.00' } })).toEqual([422, 'INVALID_CURRENCY_CODE']);
  expect(await tried({ amount: { currency_code: 'USD', value: 25 } })).toEqual([400, 'INVALID_PARAMETER_VALUE']);
  const item = { name: 'One', quantity: '1', unit_amount: usd('24.00') };
  expect(await tried({ items: [item] })).toEqual([422, 'ITEM_TOTAL_REQUIRED']);
  expect(await tried({ items: [item], amount: { ...usd('25.00'), breakdown: { item_total: usd('25.00') } } })).toEqual([
    422,
    'ITEM_TOTAL_MISMATCH',
  ]);
  expect(await tried({ amount: { ...usd('25.00'), breakdown: { item_total: usd('24.00') } } })).toEqual([422, 'AMOUNT_MISMATCH']);
  expect(await tried({ description: 'x'.repeat(128) })).toEqual([400, 'INVALID_STRING_LENGTH']);
  expect(await tried({ unknown: 1 })).toEqual([400, 'NOT_SUPPORTED']);
});

test('an order with a payment source needs a PayPal-Request-Id, which does it once for six hours (Spec, paypal_request_id)', async () => {
  const bare = await fetch(`${paypal.url}/v2/checkout/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(orderOf()),
  });
  expect(((await bare.json()) as Body).details[0]?.issue).toBe('PAYPAL_REQUEST_ID_REQUIRED');
  const key = { 'paypal-request-id': 'same' };
  const [one, two] = [await call('POST', '/v2/checkout/orders', orderOf(), key), await call('POST', '/v2/checkout/orders', orderOf(), key)];
  expect([one.status, two.status, two.body.id]).toEqual([201, 200, one.body.id]);
  const other = call('POST', '/v2/checkout/orders', orderOf({ amount: usd('1.00') }), key);
  expect(await issueOf(other)).toEqual([422, 'PAYPAL_REQUEST_ID_PREVIOUSLY_USED']);
  world.clock.advance(6 * HOUR + MINUTE);
  expect((await call('POST', '/v2/checkout/orders', orderOf(), key)).body.id).not.toBe(one.body.id);
});

test('an answer is minimal unless it is asked for (Spec, prefer)', async () => {
  const { body } = await call('POST', '/v2/checkout/orders', orderOf(), { prefer: 'return=minimal' });
  expect(Object.keys(body).toSorted()).toEqual(['id', 'links', 'status']);
  expect(body.links.find(({ rel }) => rel === 'payer-action')?.href).toContain('/checkoutnow?token=');
});

test('an order is captured after its payer has agreed, once (Spec, orders.capture-422)', async () => {
  const { id } = await make();
  expect(await issueOf(capture(id))).toEqual([422, 'ORDER_NOT_APPROVED']);
  paypal.approve(id);
  expect((await capture(id)).body).toMatchObject({
    status: 'COMPLETED',
    purchase_units: [{ payments: { captures: [{ status: 'COMPLETED' }] } }],
  });
  expect(await issueOf(capture(id))).toEqual([422, 'ORDER_ALREADY_CAPTURED']);
});

test('an invoice id is paid once (Spec, DUPLICATE_INVOICE_ID)', async () => {
  await captured({ invoice_id: 'inv-1' });
  const { id } = await make({ invoice_id: 'inv-1' });
  paypal.approve(id);
  expect(await issueOf(capture(id))).toEqual([422, 'DUPLICATE_INVOICE_ID']);
});

test('a payer’s problem is named by its issue, and too many attempts end it (Spec, orders.capture-422)', async () => {
  const { id } = await make();
  paypal.approve(id, { funding: 'INSTRUMENT_DECLINED' });
  expect(await issueOf(capture(id))).toEqual([422, 'INSTRUMENT_DECLINED']);
  for (let count = 1; count < 10; count++) await capture(id);
  expect(await issueOf(capture(id))).toEqual([422, 'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED']);
});

test('an order that nobody captures is gone after three hours (Spec, order.links; v5/checkout/uncaptured-payments)', async () => {
  const { id } = await make();
  paypal.approve(id);
  world.clock.advance(3 * HOUR + MINUTE);
  expect((await call('GET', `/v2/checkout/orders/${id}`)).status).toBe(404);
  await paypal.deliver();
  const types = world.receiver.received.map(({ body }) => (JSON.parse(body) as { event_type: string }).event_type);
  expect(types).toContain('CHECKOUT.PAYMENT-APPROVAL.REVERSED');
});

test('a refund is refused beyond what is left, in another currency, while pending, and after 180 days (Spec, captures.refund-422)', async () => {
  const id = await captured();
  expect(await issueOf(refund(id, { amount: usd('25.01') }))).toEqual([422, 'REFUND_AMOUNT_EXCEEDED']);
  expect(await issueOf(refund(id, { amount: { currency_code: 'EUR', value: '1.00' } }))).toEqual([422, 'REFUND_CAPTURE_CURRENCY_MISMATCH']);
  expect((await refund(id, { amount: usd('5.00') })).body).toMatchObject({ status: 'COMPLETED', amount: usd('5.00') });
  expect((await refund(id)).body).toMatchObject({ amount: usd('20.00') });
  expect(await issueOf(refund(id))).toEqual([422, 'CAPTURE_FULLY_REFUNDED']);
  expect(await issueOf(refund(await captured({}, { email: 'slow@paypal.test', funding: 'echeck' })))).toEqual([422, 'PENDING_CAPTURE']);
  const old = await captured();
  const disputed = await captured();
  paypal.dispute(disputed, { channel: 'EXTERNAL' });
  expect(await issueOf(refund(disputed))).toEqual([422, 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK']);
  world.clock.advance(181 * DAY);
  token = await grant();
  expect(await issueOf(refund(old))).toEqual([422, 'REFUND_TIME_LIMIT_EXCEEDED']);
});

test('a payment token comes out of an agreement that its payer has approved, and pays without the payer (Spec, vault_payment_tokens_v3)', async () => {
  const context = { return_url: 'http://shop.test/back', cancel_url: 'http://shop.test/cancel' };
  const setup = await call('POST', '/v3/vault/setup-tokens', {
    payment_source: { paypal: { usage_type: 'MERCHANT', experience_context: context } },
  });
  const exchange = () =>
    call('POST', '/v3/vault/payment-tokens', { payment_source: { token: { id: setup.body.id, type: 'SETUP_TOKEN' } } });
  expect(setup.body.status).toBe('PAYER_ACTION_REQUIRED');
  expect((await exchange()).status).toBe(422);
  const page = setup.body.links.find(({ rel }) => rel === 'approve')?.href ?? '';
  await fetch(page, { method: 'POST', body: new URLSearchParams({ email: 'v@paypal.test', funding: 'balance' }), redirect: 'manual' });
  const { id } = (await exchange()).body;
  expect((await exchange()).status).toBe(422);
  const order = await call('POST', '/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount: usd('9.00') }] });
  expect(order.body.status).toBe('CREATED');
  const source = { payment_source: { paypal: { vault_id: id } } };
  expect((await capture(order.body.id, source)).body.status).toBe('COMPLETED');
  expect((await call('DELETE', `/v3/vault/payment-tokens/${id}`)).status).toBe(204);
  const next = await call('POST', '/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount: usd('9.00') }] });
  expect(await issueOf(capture(next.body.id, source))).toEqual([422, 'TOKEN_ID_NOT_FOUND']);
});

test('a notice is signed over its id, time, webhook and checksum, by the certificate that it names (api/rest/webhooks/rest)', async () => {
  await captured();
  await paypal.deliver();
  const { body, headers } = world.receiver.received.at(-1) as (typeof world.receiver.received)[number];
  const pem = await (await fetch(headers['paypal-cert-url'] ?? '')).text();
  const { publicKey, validFromDate } = new X509Certificate(pem);
  const signed = `${headers['paypal-transmission-id']}|${headers['paypal-transmission-time']}|WEBHOOK1|${crc32(body)}`;
  expect(headers['paypal-auth-algo']).toBe('SHA256withRSA');
  expect(verify('sha256', Buffer.from(signed), publicKey, Buffer.from(headers['paypal-transmission-sig'] ?? '', 'base64'))).toBe(true);
  expect(validFromDate.getTime()).toBeLessThan(world.clock.now().getTime());
});

test('events are listed for thirty days, the newest first, ten a page with a link to the next (webhooks/v1, webhooks-events_list)', async () => {
  const id = await captured();
  for (let count = 0; count < 11; count++) await refund(id, { amount: usd('0.01') });
  interface Page {
    events: { event_type: string; create_time: string }[];
    count: number;
    links: { rel: string; href: string }[];
  }
  const page = async (path: string) => (await call('GET', path)).body as unknown as Page;
  const LIST = '/v1/notifications/webhooks-events';
  const first = await page(`${LIST}?event_type=PAYMENT.CAPTURE.REFUNDED`);
  expect([first.events.length, first.count, first.links.map(({ rel }) => rel)]).toEqual([10, 10, ['next']]);
  const next = new URL(first.links[0]?.href ?? '');
  expect((await page(next.pathname + next.search)).events.length).toBeGreaterThan(0);
  world.clock.advance(31 * DAY);
  token = await grant();
  await refund(await captured(), {});
  expect(
    (await page(`${LIST}?page_size=100`)).events.every(
      ({ create_time: at }) => new Date(at) >= new Date(world.clock.now().getTime() - 30 * DAY),
    ),
  ).toBe(true);
  expect(await issueOf(call('GET', `${LIST}?page_size=none`))).toEqual([400, 'INVALID_PARAMETER_VALUE']);
});
