// What accounts reads of the configuration: each of its nouns, and each way to pay, brings its part.
import type { ConfigPart } from '#platform/config.ts';
import { PAYMENT_METHODS } from './billing/payments/providers/payment-methods.ts';
import { identityConfiguration } from './identity/configuration.ts';
import { mailConfiguration } from './mail/configuration.ts';
import { supportConfiguration } from './support/configuration.ts';

export const accountsConfiguration: readonly ConfigPart[] = [
  mailConfiguration,
  identityConfiguration,
  ...Object.values(PAYMENT_METHODS).flatMap(({ configuration }) => configuration ?? []),
  supportConfiguration,
];
