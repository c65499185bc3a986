// How a span is asked for of which PayPal has too much to tell: in halves, page by page, none left out.
import { expect, test } from 'vitest';
import { DAY, HOUR, TestClock, after } from '#platform/clock.ts';
import { createPayPalBalance } from '../../../../../../../subgraphs/accounts/billing/payments/providers/paypal/paypal-balance.ts';
import {
  type PayPalClient,
  PayPalRefusal,
} from '../../../../../../../subgraphs/accounts/billing/payments/providers/paypal/paypal-client.ts';

/** One entry an hour, of which it tells no more than `most` at once, five on a page. */
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
