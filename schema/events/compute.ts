import { z } from 'zod';
import { type EventTerms, failedOrder, ofOrder, stockHeld, stockRefused } from './terms.ts';

const changed = z.object({ operationId: z.string().optional(), step: z.string().optional() });

export const COMPUTE_EVENTS = {
  'compute_vps.changed': { when: 'Anything that a page shows of a VPS is another one; with the operation that did it.', data: changed },
  'compute_vps.created': { when: 'A VPS is built.', data: ofOrder.extend({ hostname: z.string() }) },
  'compute_vps.adjusted': { when: 'A change of a VPS is paid, and in force.', data: ofOrder },
  'compute_vps.failed': { when: 'A VPS could not be built.', data: failedOrder },
  'compute_vps.deleted': { when: 'All of a delivered VPS is gone.', data: z.object({ hostname: z.string() }) },
  'compute_dedicated.changed': { when: 'Anything that a page shows of a dedicated server is another one.', data: changed },
  'compute_dedicated.delivered': { when: 'A dedicated server is handed over.', data: ofOrder },
  'compute_dedicated.failed': { when: 'A dedicated server could not be delivered.', data: failedOrder },
  'compute_server.handled': {
    when: 'Staff did something with a server of which its owner is told; before and after: the addresses, when one was exchanged.',
    data: z.object({
      act: z.enum(['SUSPENDED', 'RESTORED', 'REBUILT', 'READDRESSED', 'ENDED']),
      subscriptionId: z.string(),
      hostname: z.string(),
      reason: z.string(),
      before: z.string().optional(),
      after: z.string().optional(),
    }),
  },
  'compute_stock.held': {
    when: 'A machine waits for the payment of an order; the subject is the order.',
    data: stockHeld,
  },
  'compute_stock.refused': {
    when: 'No machine can be held for an order; the subject is the order.',
    data: stockRefused,
  },
} as const satisfies Record<string, EventTerms>;
