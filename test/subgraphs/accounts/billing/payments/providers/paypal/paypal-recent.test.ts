import { expect, test } from 'vitest';
import { createPayPalRecent } from '../../../../../../../subgraphs/accounts/billing/payments/providers/paypal/paypal-recent.ts';

const event = (event_type: string, resource: object) => ({ id: 'WH-1', event_type, resource });
const PAGES: Record<string, object> = {
  '/v1/notifications/webhooks-events?page_size=100&start_time=2026-01-01T00%3A00%3A00Z': {
    events: [
      event('PAYMENT.CAPTURE.REFUNDED', { id: 'R2' }),
      event('CHECKOUT.ORDER.APPROVED', { id: 'O1' }),
      event('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { id: 'P1' }),
      event('CUSTOMER.DISPUTE.RESOLVED', { dispute_id: 'PP-D-1' }),
    ],
    links: [{ rel: 'next', href: 'https://api-m.paypal.com/v1/notifications/webhooks-events?offset=100' }],
  },
  '/v1/notifications/webhooks-events?offset=100': {
    events: [event('CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-D-1' }), event('PAYMENT.REFUND.FAILED', { id: 'R1' })],
    links: [],
  },
};

test('what is looked for is gathered over the pages, each thing once by its newest event', async () => {
  const asked: string[] = [];
  const { recent } = createPayPalRecent({
    async call(_, path) {
      asked.push(path);
      return PAGES[path];
    },
    text: async () => undefined,
  });
  const found = await recent(new Date('2026-01-01T00:00:00.123Z'));
  expect(found.map(({ type, objectId }) => [type, objectId])).toEqual([
    ['PAYMENT.CAPTURE.REFUNDED', 'R2'],
    ['CUSTOMER.DISPUTE.RESOLVED', 'PP-D-1'],
    ['PAYMENT.REFUND.FAILED', 'R1'],
  ]);
  expect(asked).toEqual(Object.keys(PAGES));
});
