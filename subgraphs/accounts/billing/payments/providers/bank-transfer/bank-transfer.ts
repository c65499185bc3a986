// Payment by bank transfer: the buyer is shown where to send the money, and support confirms that it has arrived. Configured by `BANK_DETAILS`.
import { DAY } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { formatMoney, usd } from '#commerce/money.ts';
import type { MethodDefinition } from '../method-definition.ts';
import { withoutProcessor } from '../payment-processor.ts';
import { bankConfiguration } from './configuration.ts';

/** Spec, Payments: bank transfer from 500 USD for one purchase, from 1,000 USD for a subscription; with tax, before credit. */
const SMALLEST_TRANSFER_MINOR = 50_000;
const SMALLEST_RECURRING_TRANSFER_MINOR = 100_000;
/** How long the bank and the support staff may take. The specification is silent. */
export const TRANSFER_VALID_MS = 14 * DAY;

/** A transfer takes days and may never be sent: stock is held only when support has seen the money. The specification does not say how many may wait. */
export const bankTransfer = {
  name: 'BANK_TRANSFER',
  processor: 'bank',
  label: { en: 'bank transfer', de: 'Überweisung' },
  paidOutTo: { en: 'your bank account', de: 'auf Ihr Bankkonto' },
  ledger: 'BANK',
  opens: 'INSTRUCTIONS',
  validMs: TRANSFER_VALID_MS,
  renewal: 'ASKED',
  refunds: 'NEVER',
  unpaidMax: { account: 3, address: 15 },
  whyNot({ totalMinor, recurs }) {
    const smallest = recurs ? SMALLEST_RECURRING_TRANSFER_MINOR : SMALLEST_TRANSFER_MINOR;
    if (totalMinor >= smallest) return undefined;
    const sums = { min: formatMoney(usd(smallest)), price: formatMoney(usd(totalMinor)) };
    const reason = recurs ? because('bank_transfer_from_recurring', sums) : because('bank_transfer_from', sums);
    return fail('bank_transfer_too_small', { field: 'method', reason });
  },
  whyNotRest: () => undefined,
  configuration: bankConfiguration,
  unavailable: () => fail('vendor_unavailable'),
  create({ config }) {
    const { BANK_DETAILS, TRANSFER_SHORTFALL_MAX: max, TRANSFER_SHORTFALL_PERCENT: percent } = bankConfiguration.of(config);
    return {
      ...withoutProcessor('bank transfer'),
      instructions: BANK_DETAILS ?? [],
      shortfallOf: (dueMinor: number) => Math.min(max * 100, Math.floor((dueMinor * percent) / 100)),
    };
  },
} as const satisfies MethodDefinition;
