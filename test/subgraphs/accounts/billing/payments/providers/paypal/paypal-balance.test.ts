// How PayPal's transactions are read: page by page, in halves where a time span holds too many; what its codes mean; withdrawals in one query.
import { expect, test } from 'vitest';
import { DAY, HOUR, TestClock, after } from '#platform/clock.ts';
import { createPayPalBalance } from '../../../../../../../subgraphs/accounts/billing/payments/providers/paypal/paypal-balance.ts';
import {
  type PayPalClient,
  PayPalRefusal,
} from '../../../../../../../subgraphs/accounts/billing/payments/providers/paypal/paypal-client.ts';

/** A PayPal with one entry at each of `times`, that refuses spans with more than `most` entries and answers five per page. */
function payPalOf(times: readonly Date[], most: number): PayPalClient {
  const entry = (at: Date) => ({
    transaction_info: {
      transaction_id: `T${at.getTime()}`,
      transaction_event_code: 'T0006',
      transaction_initiation_date: at.toISOString().replace(/\.\d+Z$/, '+0000'),
      transaction_amount: { currency_code: 'USD', value: '10.00' },
      fee_amount: { currency_code: 'USD', value: '-0.84' },
      transaction_status: 'S',
    },
  });
  return {
    text: async () => undefined,
    async call(_, path) {
      const query = new URL(path, 'http://paypal.test').searchParams;
      const [from, until] = [new Date(query.get('start_date') ?? ''), new Date(query.get('end_date') ?? '')];
      const told = times.filter((at) => at >= from && at <= until);
      if (told.length > most) throw new PayPalRefusal(400, 'RESULTSET_TOO_LARGE', 'too many');
      const page = Number(query.get('page'));
      return { transaction_details: told.slice((page - 1) * 5, page * 5).map(entry), total_pages: Math.ceil(told.length / 5) };
    },
  };
}

test('a span of too many is read in halves, and every entry of it is seen', async () => {
  const clock = new TestClock();
  const from = after(clock.now(), -7 * DAY);
  const until = after(clock.now(), -HOUR * 4);
  const times = Array.from({ length: 160 }, (_, index) => after(from, index * HOUR));
  const balance = createPayPalBalance(payPalOf(times, 20), clock);
  const seen = new Set<string>();
  let next: string | undefined;
  do {
    const page = await balance.movements({ from, until, after: next });
    for (const { id, amountMinor, feeMinor, kind } of page.items) {
      expect({ amountMinor, feeMinor, kind }).toEqual({ amountMinor: 1_000, feeMinor: 84, kind: 'PAYMENT' });
      seen.add(id);
    }
    next = page.next;
  } while (next !== undefined);
  expect(seen.size).toBe(times.length);
});

/** A PayPal with entries of these codes and amounts, a minute apart, that records what it is asked. */
function payPalWith(told: readonly (readonly [code: string, value: string])[], clock: TestClock) {
  const asked: URLSearchParams[] = [];
  const client: PayPalClient = {
    text: async () => undefined,
    async call(_, path) {
      const query = new URL(path, 'http://paypal.test').searchParams;
      asked.push(query);
      const entries = told.map(([code, value], index) => ({
        transaction_info: {
          transaction_id: `ENTRY${index}`,
          paypal_reference_id: 'CAPTURE1',
          paypal_reference_id_type: 'TXN',
          transaction_event_code: code,
          transaction_initiation_date: after(clock.now(), -DAY).toISOString(),
          transaction_amount: { currency_code: 'USD', value },
          transaction_status: code.startsWith('T04') ? 'P' : 'S',
        },
      }));
      const type = query.get('transaction_type');
      return {
        transaction_details: entries.filter(({ transaction_info: entry }) => type === null || entry.transaction_event_code === type),
        total_pages: 1,
      };
    },
  };
  return { client, asked };
}

test.each([
  ['T0006', '10.00', 'PAYMENT'],
  ['T0003', '10.00', 'PAYMENT'],
  ['T0000', '-10.00', 'OTHER'],
  ['T0106', '-20.00', 'FEE'],
  ['T0114', '-15.00', 'FEE'],
  ['T0400', '-10.00', 'PAYOUT'],
  ['T0401', '-10.00', 'PAYOUT'],
  ['T0403', '-10.00', 'PAYOUT'],
  ['T1101', '10.00', 'PAYOUT_RETURNED'],
  ['T1106', '-10.00', 'DISPUTE'],
  ['T1106', '10.00', 'DISPUTE_RETURNED'],
  ['T1107', '-10.00', 'REFUND'],
  ['T1107', '10.00', 'REFUND_RETURNED'],
  ['T1108', '1.00', 'FEE'],
  ['T1109', '1.00', 'FEE'],
  ['T1110', '-10.00', 'DISPUTE'],
  ['T1111', '10.00', 'DISPUTE_RETURNED'],
  ['T1201', '-10.00', 'DISPUTE'],
  ['T1201', '10.00', 'DISPUTE_RETURNED'],
  ['T1202', '10.00', 'DISPUTE_RETURNED'],
  ['T1205', '10.00', 'DISPUTE_RETURNED'],
  ['T1207', '-10.00', 'DISPUTE'],
  ['T1208', '10.00', 'DISPUTE_RETURNED'],
  ['T0700', '10.00', 'OTHER'],
  // Money that is held or reserved, and released again, stays ours.
  ...(['T1501', 'T1503', 'T1105', 'T2101', 'T2102', 'T2103', 'T2104'] as const).map((code) => [code, '-10.00', undefined] as const),
] as const)('%s of %s is %s', async (code, value, kind) => {
  const clock = new TestClock();
  const balance = createPayPalBalance(payPalWith([[code, value]], clock).client, clock);
  const { items } = await balance.movements({ from: after(clock.now(), -2 * DAY), until: clock.now() });
  expect(items.map((movement) => movement.kind)).toEqual(kind === undefined ? [] : [kind]);
  // The fee of a chargeback refers to the chargeback, not to a payment.
  if (code === 'T0106') expect(items[0]?.paymentId).toBeUndefined();
});

test('however many withdrawals are on their way, PayPal is asked three times', async () => {
  const clock = new TestClock();
  const told = Array.from({ length: 40 }, (_, index) => [index % 2 === 0 ? 'T0400' : 'T0403', '-1.00'] as const);
  const { client, asked } = payPalWith(told, clock);
  const ids = told.map((_, index) => `ENTRY${index}`);
  const states = await createPayPalBalance(client, clock).payouts([...ids, 'OLDER'], after(clock.now(), -40 * DAY));
  expect(ids.map((id) => states.get(id)?.status)).toEqual(ids.map(() => 'IN_TRANSIT'));
  expect(states.get('OLDER')?.status).toBe('PAID');
  expect(asked.map((query) => query.get('transaction_type'))).toEqual(['T0400', 'T0401', 'T0403']);
  // PayPal accepts spans of at most 31 days.
  for (const query of asked)
    expect(Date.parse(query.get('end_date') ?? '') - Date.parse(query.get('start_date') ?? '')).toBeLessThanOrEqual(31 * DAY);
});
