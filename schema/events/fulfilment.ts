// What every seller says of an order that it was paid for; accounts needs to know nothing else of a delivery. The subject is what was delivered.
import { type EventTerms, failedOrder, ofOrder } from './terms.ts';

export const FULFILMENT_EVENTS = {
  'fulfilment.delivered': {
    when: 'What an order bought is there: a plan, more or fewer addresses of one, a server, a change of a server.',
    data: ofOrder,
  },
  'fulfilment.failed': {
    when: 'What an order bought cannot be delivered: accounts pays it back.',
    data: failedOrder,
  },
} as const satisfies Record<string, EventTerms>;
