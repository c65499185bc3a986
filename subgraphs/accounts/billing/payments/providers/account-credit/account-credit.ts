// Payment by account credit: it is used first, whatever an order is placed by, and given back in the books at once. There is nobody outside to ask.
import { fail } from '#platform/errors.ts';
import type { MethodDefinition } from '../method-definition.ts';
import { withoutProcessor } from '../payment-processor.ts';

/** What it covers whole waits for the seller's stock only, and holds it as an order by card does. */
export const accountCredit = {
  name: 'CREDIT',
  processor: 'credit',
  label: { en: 'account credit', de: 'Guthaben' },
  paidOutTo: { en: 'your credit', de: 'als Guthaben' },
  ledger: 'CREDIT_HELD',
  opens: 'NOTHING',
  validMs: 0,
  renewal: 'ASKED',
  refunds: 'BOOKED',
  holdsAs: 'CARD',
  unpaidMax: { account: 0, address: 0 },
  whyNot: () => undefined,
  whyNotRest: () => undefined,
  unavailable: () => fail('vendor_unavailable'),
  create: () => withoutProcessor('account credit'),
} as const satisfies MethodDefinition;
