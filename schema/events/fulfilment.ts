// What every seller says of an order that it was paid for; accounts needs to know nothing else of a delivery. The subject is what was delivered.
import { z } from 'zod';
import type { EventTerms } from './terms.ts';

export const FULFILMENT_EVENTS = {
  'fulfilment.delivered': {
    when: 'What an order bought is there: a plan, more or fewer addresses of one, a server, a change of a server.',
    data: z.object({ orderId: z.string() }),
  },
  'fulfilment.failed': {
    when: 'What an order bought cannot be delivered: accounts pays it back.',
    data: z.object({ orderId: z.string(), reason: z.string() }),
  },
} as const satisfies Record<string, EventTerms>;
