// What a seller of subscriptions says of their price; accounts tells their owners, and renews by it. The subject is the subscription.
import { z } from 'zod';
import { type EventTerms, instant } from './terms.ts';

/** Prices of a whole period, in minor units before tax. */
const lines = z.array(z.object({ label: z.string(), quantity: z.number().int(), amountMinor: z.number().int() }));

export const REPRICING_EVENTS = {
  'repricing.announced': {
    when: 'Periods of the subscription that begin at `appliesFrom` or later cost something else. Appended again when what recurs has changed since.',
    data: z.object({ repricingId: z.string(), appliesFrom: instant, linesBefore: lines, lines }),
  },
  'repricing.withdrawn': {
    when: 'The announced price does not come: the subscription goes on costing what it costs.',
    data: z.object({ repricingId: z.string() }),
  },
} as const satisfies Record<string, EventTerms>;
