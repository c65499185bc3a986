// The configuration of payments by card.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { neededVendor } from '#platform/vendors.ts';

/** The processor's names of the methods on its page. The last two are debits, whose money arrives days later. */
const PAYABLE_BY = ['card', 'us_bank_account', 'sepa_debit'] as const;
export type PayableBy = (typeof PAYABLE_BY)[number];

export const cardConfiguration = configPart(
  {
    STRIPE_SECRET_KEY: [
      z
        .string()
        .regex(/^(sk|rk)_(test|live)_/, 'must start with sk_ or rk_')
        .optional(),
      'card processor; without it the sandbox plays it',
    ],
    STRIPE_WEBHOOK_SECRETS: [
      z
        .string()
        .transform((value) => value.split(','))
        .optional(),
      'current and previous webhook secret, separated by a comma',
    ],
    STRIPE_PAYMENT_METHODS: [
      z
        .string()
        .default('card')
        .transform((value) => value.split(','))
        .pipe(z.array(z.enum(PAYABLE_BY))),
      'what a checkout takes of what is switched on there: `card`, `us_bank_account`, `sepa_debit`, separated by commas',
    ],
  },
  {
    needed: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'],
    requires: { STRIPE_SECRET_KEY: ['STRIPE_WEBHOOK_SECRETS'] },
  },
);

/** `apiUrl` absent: the processor's own address. Webhook secrets: current, previous. `timeoutMs`: of one try; absent: 4.5 s. */
export interface CardTerms {
  secretKey: string;
  webhookSecrets: readonly string[];
  apiUrl?: string;
  timeoutMs?: number;
}

export const cardVendor = neededVendor<CardTerms>({
  name: 'card',
  configured(config) {
    const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRETS: webhookSecrets } = cardConfiguration.of(config);
    return secretKey && webhookSecrets ? { secretKey, webhookSecrets } : undefined;
  },
  played: (sandbox) => ({
    secretKey: sandbox.accepts('cardApiKey'),
    webhookSecrets: [sandbox.accepts('webhookSecret')],
    apiUrl: sandbox.url('card'),
  }),
});
