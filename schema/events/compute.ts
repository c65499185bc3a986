import { z } from 'zod';
import { type EventTerms, instant } from './terms.ts';

const changed = z.object({ operationId: z.string().optional(), step: z.string().optional() });
const delivered = z.object({ orderId: z.string() });
const failed = z.object({ orderId: z.string(), reason: z.string() });

export const COMPUTE_EVENTS = {
  'compute_vps.changed': { when: 'Anything that a page shows of a VPS is another one; with the operation that did it.', data: changed },
  'compute_vps.created': { when: 'A VPS is built.', data: z.object({ orderId: z.string(), hostname: z.string() }) },
  'compute_vps.adjusted': { when: 'A change of a VPS is paid, and in force.', data: delivered },
  'compute_vps.failed': { when: 'A VPS could not be built.', data: failed },
  'compute_vps.deleted': { when: 'All of a delivered VPS is gone.', data: z.object({ hostname: z.string() }) },
  'compute_dedicated.changed': { when: 'Anything that a page shows of a dedicated server is another one.', data: changed },
  'compute_dedicated.delivered': { when: 'A dedicated server is handed over.', data: delivered },
  'compute_dedicated.failed': { when: 'A dedicated server could not be delivered.', data: failed },
  'compute_stock.held': {
    when: 'A machine waits for the payment of an order; the subject is the order.',
    data: z.object({ orderId: z.string(), until: instant }),
  },
  'compute_stock.refused': {
    when: 'No machine can be held for an order; the subject is the order.',
    data: z.object({ orderId: z.string(), code: z.enum(['out_of_stock', 'hold_too_large']), reason: z.string() }),
  },
} as const satisfies Record<string, EventTerms>;
