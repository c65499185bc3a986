// What a seller says of what it sold has cost its operator; accounts sets it against the revenue. The subject is the seller.
import { z } from 'zod';
import type { EventTerms } from './terms.ts';

/** A whole number, which may be larger than a number of JSON is exact for. */
const whole = z.string().regex(/^\d+$/);

export const COST_EVENTS = {
  'costs.counted': {
    when: 'A UTC day is over: what each product carried or held on it, and what that cost. Counted again, it replaces what was said of the day.',
    data: z.object({
      seller: z.string(),
      /** YYYY-MM-DD. */
      day: z.string(),
      products: z.array(
        z.object({
          /** As the seller's orders name it: `PREMIUM`, `isp-northline`, `PLANK`. */
          product: z.string(),
          /** Bytes in both directions, or seconds for which addresses or servers were sold. */
          unit: z.enum(['BYTES', 'ADDRESS_SECONDS', 'SERVER_SECONDS']),
          units: whole,
          /** Millionths of a minor unit. */
          costMicros: whole,
        }),
      ),
    }),
  },
} as const satisfies Record<string, EventTerms>;
