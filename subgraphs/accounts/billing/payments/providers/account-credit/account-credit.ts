// Payment by account credit. It is used first, whatever method an order has, and is given back in the books at once: there is no processor to ask.
import { fail } from '#platform/errors.ts';
import type { MethodDefinition } from '../method-definition.ts';
import { withoutProcessor } from '../payment-processor.ts';

/** An order that credit covers completely waits only for the seller's stock, and holds it as an order by card does. */
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
