// What every seller says of an order that it was paid for; accounts needs to know nothing else of a delivery. The subject is what was delivered.
import { z } from 'zod';
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
  'fulfilment.recorded': {
    when: 'What a seller knows of the use of what an order bought, as accounts has asked for a dispute.',
    data: ofOrder.extend({
      disputeId: z.string(),
      title: z.string(),
      /** In the order of time; who, from where, how much, in plain words. */
      lines: z.array(z.object({ at: z.string(), text: z.string() })),
    }),
  },
} as const satisfies Record<string, EventTerms>;
