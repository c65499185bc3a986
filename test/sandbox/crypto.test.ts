import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#platform/clock.ts';
import { cryptoClient, STORE } from './crypto-world.ts';
import type { Answer, CryptoClient, InvoiceData } from './crypto-world.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
let client: CryptoClient;
beforeEach(async () => {
  world = await createWorld();
  client = cryptoClient(world);
});
afterEach(() => world.close());

const create = (more?: object): Promise<InvoiceData> => client.create(more);
const read = (id: string): Promise<InvoiceData> => client.read(id);
const call = <Body>(...ask: Parameters<CryptoClient['call']>): Promise<Answer<Body>> => client.call<Body>(...ask);
const events = (): ReturnType<CryptoClient['events']> => client.events();
const types = (): string[] => client.types();
const crypto = (): World['sandbox']['crypto'] => world.sandbox.crypto;
const pass = (milliseconds: number): void => {
  world.clock.advance(milliseconds);
  crypto().tick();
};

describe('an invoice', () => {
  test('is new, open for 15 minutes, and says where to pay', async () => {
    const invoice = await create();
    const now = Math.floor(world.clock.now().getTime() / 1000);
    expect(invoice).toMatchObject({
      status: 'New',
      additionalStatus: 'None',
      amount: '25.00',
      paidAmount: '0.00',
      currency: 'USD',
      type: 'Standard',
      createdTime: now,
      expirationTime: now + 15 * 60,
      monitoringExpiration: now + (15 + 1_440) * 60,
      metadata: { orderId: 'ord_1' },
      availableStatusesForManualMarking: ['Settled', 'Invalid'],
      archived: false,
    });
    const [method] = (await call<Record<string, unknown>[]>('GET', `${STORE}/invoices/${invoice.id}/payment-methods`)).body;
    expect(method).toMatchObject({ paymentMethodId: 'BTC-CHAIN', rate: '50000.00', amount: '0.00050000', due: '0.00050000', payments: [] });
  });

  test('paid in full is processing until it is confirmed, then settled', async () => {
    const { id } = await create();
    crypto().pay(id);
    expect(await read(id)).toMatchObject({ status: 'Processing', additionalStatus: 'None', paidAmount: '25.00' });
    crypto().confirm(id);
    expect(await read(id)).toMatchObject({ status: 'Settled', additionalStatus: 'None' });
    await crypto().idle();
    expect(types().toSorted()).toEqual(
      ['InvoiceCreated', 'InvoicePaymentSettled', 'InvoiceProcessing', 'InvoiceReceivedPayment', 'InvoiceSettled'].toSorted(),
    );
    expect(events().find(({ type }) => type === 'InvoiceSettled')).toMatchObject({ invoiceId: id, overPaid: false, manuallyMarked: false });
  });

  test('needs as many blocks as its speed policy says', async () => {
    const slow = await create({ checkout: { speedPolicy: 'LowSpeed' } });
    crypto().pay(slow.id);
    crypto().confirm(slow.id, 5);
    expect((await read(slow.id)).status).toBe('Processing');
    crypto().confirm(slow.id, 1);
    expect((await read(slow.id)).status).toBe('Settled');
    const fast = await create({ checkout: { speedPolicy: 'HighSpeed' } });
    crypto().pay(fast.id);
    expect((await read(fast.id)).status).toBe('Settled');
  });

  test('paid in part waits for the rest, and expires in part paid without it', async () => {
    const [first, second] = [await create(), await create()];
    for (const { id } of [first, second]) crypto().pay(id, { amount: '10.01' });
    expect(await read(first.id)).toMatchObject({ status: 'New', additionalStatus: 'PaidPartial', paidAmount: '10.01' });
    crypto().pay(first.id);
    expect(await read(first.id)).toMatchObject({ status: 'Processing', additionalStatus: 'None', paidAmount: '25.00' });
    pass(15 * MINUTE);
    expect(await read(second.id)).toMatchObject({ status: 'Expired', additionalStatus: 'PaidPartial' });
    await crypto().idle();
    expect(events().find(({ type }) => type === 'InvoiceExpired')).toMatchObject({ invoiceId: second.id, partiallyPaid: true });
  });

  test('paid with too much is settled and says so', async () => {
    const { id } = await create();
    crypto().pay(id, { amount: '30' });
    crypto().confirm(id);
    expect(await read(id)).toMatchObject({ status: 'Settled', additionalStatus: 'PaidOver', amount: '25.00', paidAmount: '30.00' });
    await crypto().idle();
    expect(events().find(({ type }) => type === 'InvoiceSettled')).toMatchObject({ overPaid: true });
  });

  test('paid too late stays expired, and the payment is recorded', async () => {
    const { id } = await create();
    pass(15 * MINUTE);
    crypto().pay(id);
    crypto().confirm(id);
    expect(await read(id)).toMatchObject({ status: 'Expired', additionalStatus: 'PaidLate', paidAmount: '25.00' });
    await crypto().idle();
    expect(events().find(({ type }) => type === 'InvoiceReceivedPayment')).toMatchObject({ afterExpiration: true });
  });

  test('whose payment is never confirmed becomes invalid a day after it expired', async () => {
    const { id } = await create();
    crypto().pay(id);
    pass(24 * HOUR + 15 * MINUTE - 1_000);
    expect((await read(id)).status).toBe('Processing');
    pass(1_000);
    expect((await read(id)).status).toBe('Invalid');
  });

  test('whose payment is confirmed after that stays invalid, and the payment is settled', async () => {
    const { id } = await create();
    crypto().pay(id);
    pass(13 * 24 * HOUR);
    crypto().confirm(id);
    expect([(await read(id)).status, crypto().receivedCents(id)]).toEqual(['Invalid', 2_500]);
    await crypto().idle();
    expect(types().slice(-2)).toEqual(['InvoiceInvalid', 'InvoicePaymentSettled']);
  });

  test('whose payment is in no block for two weeks loses it, as nodes forget it', async () => {
    const { id } = await create();
    crypto().pay(id);
    pass(336 * HOUR);
    crypto().confirm(id);
    expect([(await read(id)).status, crypto().receivedCents(id)]).toEqual(['Invalid', 0]);
    const { body } = await call<{ payments: { status: string }[] }[]>('GET', `/invoices/${id}/payment-methods`);
    expect(body.flatMap(({ payments }) => payments.map(({ status }) => status))).toEqual(['Invalid']);
  });

  test('may be short by its tolerance', async () => {
    const { id } = await create({ checkout: { paymentTolerance: 2 } });
    crypto().pay(id, { amount: '24.50' });
    expect(await read(id)).toMatchObject({ status: 'Processing', additionalStatus: 'None' });
  });

  test('can be marked by hand, within what is available', async () => {
    const { id } = await create();
    pass(15 * MINUTE);
    const marked = await call<InvoiceData>('POST', `${STORE}/invoices/${id}/status`, { status: 'Settled' });
    expect(marked.body).toMatchObject({ status: 'Settled', additionalStatus: 'Marked', availableStatusesForManualMarking: ['Invalid'] });
    expect((await call('POST', `/invoices/${id}/status`, { status: 'Settled' })).status).toBe(422);
    expect((await call<InvoiceData>('POST', `/invoices/${id}/status`, { status: 'Invalid' })).body.status).toBe('Invalid');
    await crypto().idle();
    expect(events().find(({ type }) => type === 'InvoiceSettled')).toMatchObject({ manuallyMarked: true });
  });

  test('is found by its order, its status, and its time; archived ones are not', async () => {
    const first = await create();
    const second = await create({ metadata: { orderId: 'ord_2' } });
    const found = async (query: string): Promise<string[]> =>
      (await call<InvoiceData[]>('GET', `${STORE}/invoices?${query}`)).body.map(({ id }) => id);
    expect(await found('orderId=ord_2')).toEqual([second.id]);
    expect(await found('orderId=ord_1&orderId=ord_2')).toEqual([second.id, first.id]);
    expect(await found('orderId=ord_3')).toEqual([]);
    crypto().pay(first.id);
    expect(await found('status=Processing&status=Settled')).toEqual([first.id]);
    expect(await found('skip=1&take=1')).toEqual([first.id]);
    await call('DELETE', `/invoices/${first.id}`);
    expect(await found('orderId=ord_1')).toEqual([]);
  });
});

describe('the API refuses', () => {
  test.each([
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an unknown nested field', { checkout: { speedpolicy: 'LowSpeed' } }, 'checkout.speedpolicy'],
    ['an amount of three decimals', { amount: '1.005' }, 'amount'],
    ['an amount of nothing', { amount: '0' }, 'amount'],
    ['another currency', { currency: 'XAU' }, 'currency'],
    ['a payment method that the store lacks', { checkout: { paymentMethods: ['LTC-CHAIN'] } }, 'checkout.paymentMethods.0'],
  ])('422 for %s, and nothing is created', async (_, more, path) => {
    const { status, body } = await call('POST', `${STORE}/invoices`, { amount: '25.00', ...more });
    expect(status).toBe(422);
    expect(body).toMatchObject([{ path, message: expect.any(String) }]);
    expect(crypto().invoices()).toEqual([]);
  });

  test('401 without the token, 403 for another store, 404 for another invoice, 400 for invalid JSON', async () => {
    expect(await call('GET', `${STORE}/invoices`, undefined, 'wrong')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await call('GET', '/stores/other/invoices')).toMatchObject({ status: 403, body: { code: 'missing-permission' } });
    for (const id of ['none', 'constructor']) expect((await call('GET', `/invoices/${id}`)).status).toBe(404);
    expect((await call('POST', `${STORE}/invoices`, '{')).status).toBe(400);
    expect((await call('GET', `${STORE}/pull-payments`)).status).toBe(404);
  });
});

describe('a fault of the API', () => {
  test('after the effect leaves an invoice that only its order finds', async () => {
    crypto().faults.api.next.push({ fault: 'error_after_effect', on: 'POST' });
    await expect(create()).rejects.toThrow(/generic-error/);
    expect((await call<InvoiceData[]>('GET', `${STORE}/invoices?orderId=ord_1`)).body).toHaveLength(1);
  });

  test('may lose the answer, refuse before the effect, or ask to wait', async () => {
    crypto().faults.api.next.push(
      { fault: 'lost_answer', on: 'POST' },
      { fault: 'error_before_effect', on: 'POST' },
      { fault: 'rate_limited' },
    );
    await expect(create()).rejects.toThrow();
    await expect(create()).rejects.toThrow(/generic-error/);
    await expect(create()).rejects.toThrow(/too-many/);
    expect(crypto().invoices()).toHaveLength(1);
  });
});

describe('the webhook', () => {
  test('comes again until it is accepted, each time as a new delivery of the same original', async () => {
    world.receiver.answers.push(500, 503);
    await create();
    await crypto().deliver();
    const [first, second, third] = events();
    expect(events()).toHaveLength(3);
    expect(first).toMatchObject({ isRedelivery: false, originalDeliveryId: first?.deliveryId });
    for (const again of [second, third]) {
      expect(again).toMatchObject({ isRedelivery: true, originalDeliveryId: first?.deliveryId, type: 'InvoiceCreated' });
    }
    expect(new Set(events().map(({ deliveryId }) => deliveryId)).size).toBe(3);
    const { webhookId } = first ?? { webhookId: '' };
    const log = await call<{ httpCode: number }[]>('GET', `/webhooks/${webhookId}/deliveries`);
    expect(log.body.map(({ httpCode }) => httpCode)).toEqual([200, 503, 500]);
  });

  test('can be sent again by request', async () => {
    await create();
    await crypto().idle();
    const [first] = events();
    const path = `/webhooks/${first?.webhookId}/deliveries/${first?.deliveryId}`;
    const { body: id } = await call<string>('POST', `${path}/redeliver`);
    await crypto().idle();
    expect(events()[1]).toMatchObject({ deliveryId: id, originalDeliveryId: first?.deliveryId, isRedelivery: true });
    expect((await call('GET', `${path}/request`)).body).toEqual(first);
  });

  test('is duplicated, dropped, and forged on demand', async () => {
    const { webhooks } = crypto().faults;
    webhooks.duplicate = 1;
    await create();
    await crypto().deliver();
    expect(new Set(events().map(({ originalDeliveryId }) => originalDeliveryId)).size).toBe(1);
    expect(events()).toHaveLength(2);
    Object.assign(webhooks, { duplicate: 0, drop: 1 });
    await create();
    await crypto().deliver();
    expect(events()).toHaveLength(2);
    Object.assign(webhooks, { drop: 0, forge: 1 });
    await create();
    await crypto().deliver();
    expect(() => events()).toThrow(/signature/);
  });
});

describe('the payment page', () => {
  const press = async (link: string, action: string): Promise<string> => {
    const answer = await fetch(link, { method: 'POST', body: new URLSearchParams({ action }) });
    return answer.text();
  };

  test('pays less, then the rest, then confirms', async () => {
    const { id, checkoutLink } = await create();
    const page = await (await fetch(checkoutLink)).text();
    for (const label of ['Pay in full', 'Pay less', 'Pay more', 'Waiting for your payment.']) expect(page).toContain(label);
    expect(await press(checkoutLink, 'pay_less')).toContain('Less than the full amount has arrived.');
    expect(await press(checkoutLink, 'pay_full')).toContain('Confirm');
    expect(await press(checkoutLink, 'pay_full')).not.toContain('Pay in full');
    expect(await press(checkoutLink, 'confirm')).toContain('Paid and confirmed.');
    expect(await read(id)).toMatchObject({ status: 'Settled', paidAmount: '25.00' });
  });

  test('pays more, and goes back to the shop', async () => {
    const { id, checkoutLink } = await create({ checkout: { redirectURL: 'http://shop.test/orders/ord_1', redirectAutomatically: true } });
    const answer = await fetch(checkoutLink, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action: 'pay_more' }) });
    expect(answer.headers.get('location')).toBe('http://shop.test/orders/ord_1');
    expect(await read(id)).toMatchObject({ additionalStatus: 'PaidOver', paidAmount: '37.50' });
  });
});
