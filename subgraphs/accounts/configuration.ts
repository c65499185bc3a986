// The configuration that accounts reads: one part for each noun and for each payment method that has one.
import type { ConfigPart } from '#platform/config.ts';
import { financeConfiguration } from './billing/finance/configuration.ts';
import { disputesConfiguration } from './billing/disputes/configuration.ts';
import { riskConfiguration } from './billing/risk/configuration.ts';
import { ledgerConfiguration } from './billing/ledger/configuration.ts';
import { PAYMENT_METHODS } from './billing/payments/providers/payment-methods.ts';
import { taxConfiguration } from './billing/tax/configuration.ts';
import { identityConfiguration } from './identity/configuration.ts';
import { mailConfiguration } from './mail/configuration.ts';
import { webhooksConfiguration } from './webhooks/configuration.ts';
import { subscriptionConfiguration } from './billing/subscriptions/configuration.ts';

export const accountsConfiguration: readonly ConfigPart[] = [
  mailConfiguration,
  identityConfiguration,
  ...Object.values(PAYMENT_METHODS).flatMap(({ configuration }) => configuration ?? []),
  financeConfiguration,
  taxConfiguration,
  subscriptionConfiguration,
  disputesConfiguration,
  riskConfiguration,
  ledgerConfiguration,
  webhooksConfiguration,
];
