// Tests that the sandbox is as strict as Transaction Search: https://developer.paypal.com/docs/api/transaction-search/v1/
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, after } from '#platform/clock.ts';
import type { PayPal } from '../../sandbox/paypal/processor.ts';
import { type World, createWorld } from './world.ts';

let world: World;
let paypal: PayPal;
let token = '';
beforeAll(async () => {
  world = await createWorld({ paypalClientId: 'client', paypalClientSecret: 'secret', paypalWebhookId: 'WEBHOOK1' });
  ({ paypal } = world.sandbox);
});
/** Advances the clock and gets a new token, since the old one may have expired. */
async function pass(ms: number): Promise<void> {
  world.clock.advance(ms);
  const answer = await fetch(`${paypal.url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  token = ((await answer.json()) as { access_token: string }).access_token;
}
beforeEach(() => pass(0));
afterAll(() => world.close());

interface Told {
  transaction_details: { transaction_info: Record<string, unknown> & { transaction_id: string; transaction_event_code: string } }[];
  total_items: number;
  total_pages: number;
  name: string;
  details: { issue: string }[];
}
async function ask(path: string, method = 'GET', body?: object): Promise<{ status: number; body: Told & { id: string } }> {
  const answer = await fetch(`${paypal.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(method === 'POST' && { 'paypal-request-id': `r${Math.random()}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Told & { id: string } };
}
const search = (query: Record<string, string>) => ask(`/v1/reporting/transactions?${new URLSearchParams(query).toString()}`);
const span = (fromMs: number, untilMs = 0) => ({
  start_date: after(world.clock.now(), -fromMs).toISOString(),
  end_date: after(world.clock.now(), untilMs).toISOString(),
});
const codes = ({ body }: { body: Told }) => body.transaction_details.map(({ transaction_info: entry }) => entry.transaction_event_code);

async function buy(value: string, funding: 'balance' | 'echeck' = 'balance'): Promise<string> {
  const order = {
    intent: 'CAPTURE',
    purchase_units: [{ amount: { currency_code: 'USD', value } }],
    payment_source: { paypal: { experience_context: { return_url: 'https://shop.test/1', cancel_url: 'https://shop.test/2' } } },
  };
  const { body } = await ask('/v2/checkout/orders', 'POST', order);
  paypal.approve(body.id, { email: `${funding}@paypal.test`, funding });
  await ask(`/v2/checkout/orders/${body.id}/capture`, 'POST', {});
  return paypal.captures().at(-1)?.id ?? '';
}

test('a payment appears three hours after it was made, with its fee', async () => {
  const id = await buy('100.00');
  await pass(2 * HOUR);
  expect((await search(span(DAY))).body.total_items).toBe(0);
  await pass(HOUR);
  expect((await search(span(DAY))).body.transaction_details).toMatchObject([
    {
      transaction_info: {
        transaction_id: id,
        transaction_event_code: 'T0006',
        transaction_amount: { value: '100.00' },
        fee_amount: { value: '-3.98' },
        transaction_status: 'S',
      },
    },
  ]);
});

test('a payment from a bank appears under its start time, once it has arrived', async () => {
  const id = await buy('50.00', 'echeck');
  await pass(6 * DAY);
  expect((await search(span(7 * DAY))).body.transaction_details.some(({ transaction_info: entry }) => entry.transaction_id === id)).toBe(
    false,
  );
  paypal.settle(id);
  expect((await search(span(5 * DAY))).body.total_items).toBe(0);
  const { body } = await search({ ...span(7 * DAY), transaction_id: id });
  expect(body.transaction_details).toMatchObject([{ transaction_info: { transaction_id: id, transaction_status: 'S' } }]);
});

test('disputes, chargebacks, what is given back and what the bank takes have codes of their own, and ids that are not unique', async () => {
  await pass(DAY);
  const [held, charged, back] = [await buy('10.00'), await buy('20.00'), await buy('30.00')];
  paypal.resolve(paypal.dispute(held).dispute_id, 'RESOLVED_BUYER_FAVOUR');
  paypal.resolve(paypal.dispute(charged, { channel: 'EXTERNAL' }).dispute_id, 'RESOLVED_BUYER_FAVOUR');
  paypal.settleRefund(paypal.refundByHand(back), 'FAILED');
  paypal.settleWithdrawal(paypal.withdraw('40.00'), 'SENT_BACK');
  await pass(3 * HOUR);
  const told = await search(span(4 * HOUR));
  expect(codes(told)).toEqual([
    'T0006',
    'T0006',
    'T0006',
    'T1110',
    'T1111',
    'T1106',
    'T0114',
    'T1110',
    'T1111',
    'T1201',
    'T0106',
    'T1107',
    'T1107',
    'T0400',
    'T1101',
  ]);
  const refunds = told.body.transaction_details.filter(({ transaction_info: entry }) => entry.transaction_event_code === 'T1107');
  expect(new Set(refunds.map(({ transaction_info: entry }) => entry.transaction_id)).size).toBe(1);
  const entries = told.body.transaction_details.map(({ transaction_info: entry }) => entry);
  const of = (code: string) => entries.filter((entry) => entry.transaction_event_code === code);
  expect(of('T1111').map(({ transaction_id: id }) => id)).toEqual(of('T1110').map(({ transaction_id: id }) => id));
  expect(of('T0106')[0]?.['paypal_reference_id']).toBe(of('T1201')[0]?.transaction_id);
  expect(codes(await search({ ...span(4 * HOUR), transaction_type: 'T0400' }))).toEqual(['T0400']);
});

test('pages hold at most 500, and spans 31 days', async () => {
  expect((await search({ ...span(4 * HOUR), page_size: '5', page: '3' })).body).toMatchObject({ total_pages: 3 });
  const refused = async (query: Record<string, string>) => {
    const { status, body } = await search(query);
    return [status, body.details[0]?.issue];
  };
  expect(await refused({ ...span(DAY), page_size: '501' })).toEqual([400, 'INVALID_PARAMETER_VALUE']);
  expect(await refused(span(32 * DAY))).toEqual([400, 'INVALID_DATE_RANGE']);
  expect(await refused(span(HOUR))).toEqual([400, 'DATA_NOT_AVAILABLE']);
  expect(await refused({ end_date: span(DAY).end_date })).toEqual([400, 'MISSING_REQUIRED_PARAMETER']);
  expect(await refused({ ...span(DAY), start_date: '2027-01-01' })).toEqual([400, 'INVALID_PARAMETER_SYNTAX']);
});

test('the end of a hold appears under the time of its start, after it has ended', async () => {
  await pass(DAY);
  const dispute = paypal.dispute(await buy('60.00'));
  await pass(20 * DAY);
  paypal.resolve(dispute.dispute_id, 'RESOLVED_SELLER_FAVOUR');
  expect(codes(await search({ ...span(21 * DAY), transaction_type: 'T1111' }))).toEqual([]);
  await pass(3 * HOUR);
  expect(codes(await search({ ...span(21 * DAY), transaction_type: 'T1111' }))).toEqual(['T1111']);
  expect((await search(span(10 * DAY))).body.total_items).toBe(0);
});

test('an app without the permission to read reports gets an error', async () => {
  paypal.permitReports(false);
  expect(await search(span(DAY))).toMatchObject({ status: 403, body: { name: 'NOT_AUTHORIZED' } });
  expect(await ask('/v1/reporting/balances')).toMatchObject({ status: 403 });
  paypal.permitReports(true);
});
