// The configuration of payments by cryptocurrency.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';

export const cryptoConfiguration = configPart(
  {
    CRYPTO_URL: [
      url('http', 'https').optional(),
      'BTCPay Server that takes cryptocurrency; without it nobody pays so, or the sandbox plays it',
    ],
    CRYPTO_STORE_ID: [
      z
        .string()
        .regex(/^[A-Za-z0-9]+$/, 'must be letters and digits')
        .optional(),
      'its store',
    ],
    CRYPTO_API_KEY: [z.string().min(1).optional(), 'its API key, which may create, view and modify invoices of that store'],
    CRYPTO_WEBHOOK_SECRETS: [
      z
        .string()
        .transform((value) => value.split(','))
        .optional(),
      'current and previous secret of its webhook to /webhooks/crypto, separated by a comma',
    ],
  },
  { requires: { CRYPTO_URL: ['CRYPTO_STORE_ID', 'CRYPTO_API_KEY', 'CRYPTO_WEBHOOK_SECRETS'] } },
);

/** A store of a BTCPay Server. Webhook secrets: current, previous. */
export interface CryptoTerms {
  url: string;
  storeId: string;
  apiKey: string;
  webhookSecrets: readonly string[];
  /** How long an answer may take, in milliseconds; absent: 5,000. */
  timeoutMs?: number;
}

/** Without these terms payment by cryptocurrency is switched off. */
export const cryptoVendor = vendor<CryptoTerms>({
  name: 'crypto',
  configured(config) {
    const {
      CRYPTO_URL,
      CRYPTO_STORE_ID: storeId,
      CRYPTO_API_KEY: apiKey,
      CRYPTO_WEBHOOK_SECRETS: webhookSecrets,
    } = cryptoConfiguration.of(config);
    return CRYPTO_URL && storeId && apiKey && webhookSecrets
      ? { url: CRYPTO_URL.replace(/\/$/, ''), storeId, apiKey, webhookSecrets }
      : undefined;
  },
  played: (sandbox) => ({
    url: sandbox.url('crypto'),
    storeId: sandbox.accepts('cryptoStore'),
    apiKey: sandbox.accepts('cryptoApiKey'),
    webhookSecrets: [sandbox.accepts('cryptoWebhookSecret')],
  }),
});
