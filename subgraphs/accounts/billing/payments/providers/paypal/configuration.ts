// What is read of the configuration to be paid through PayPal.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';

/** Of live accounts; test accounts have https://api-m.sandbox.paypal.com. */
const LIVE_URL = 'https://api-m.paypal.com';

export const paypalConfiguration = configPart(
  {
    PAYPAL_CLIENT_ID: [
      z.string().min(1).optional(),
      'PayPal REST app that takes payments; without it nobody pays so, or the sandbox plays it',
    ],
    PAYPAL_CLIENT_SECRET: [z.string().min(1).optional(), 'its secret'],
    PAYPAL_WEBHOOK_IDS: [
      z
        .string()
        .regex(/^[A-Za-z0-9]+(,[A-Za-z0-9]+)*$/, 'must be ids of webhooks, separated by commas')
        .transform((value) => value.split(','))
        .optional(),
      'id of its webhook to /webhooks/paypal, and of a previous one, separated by a comma',
    ],
    PAYPAL_URL: [url('https').default(LIVE_URL), 'where its API is; `https://api-m.sandbox.paypal.com` for test accounts'],
  },
  { requires: { PAYPAL_CLIENT_ID: ['PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_IDS'] } },
);

/** A REST app of PayPal's. Webhook ids: current, previous. */
export interface PayPalTerms {
  url: string;
  clientId: string;
  clientSecret: string;
  webhookIds: readonly string[];
  /** Where certificates that sign webhooks may come from, as origins. */
  certificateOrigins: readonly string[];
  /** How long an answer may take; absent: 4.5 s. */
  timeoutMs?: number;
}

/** PayPal names certificates at its API's address, with and without `-m`. */
const originsOf = (api: string): string[] => [...new Set([new URL(api).origin, new URL(api.replace('//api-m.', '//api.')).origin])];

/** Without it nobody pays through PayPal. */
export const paypalVendor = vendor<PayPalTerms>({
  name: 'paypal',
  configured(config) {
    const { PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET, PAYPAL_WEBHOOK_IDS, PAYPAL_URL } = paypalConfiguration.of(config);
    return PAYPAL_CLIENT_ID && PAYPAL_CLIENT_SECRET && PAYPAL_WEBHOOK_IDS
      ? {
          url: PAYPAL_URL.replace(/\/$/, ''),
          clientId: PAYPAL_CLIENT_ID,
          clientSecret: PAYPAL_CLIENT_SECRET,
          webhookIds: PAYPAL_WEBHOOK_IDS,
          certificateOrigins: originsOf(PAYPAL_URL),
        }
      : undefined;
  },
  played: (sandbox) => ({
    url: sandbox.url('paypal'),
    clientId: sandbox.accepts('paypalClientId'),
    clientSecret: sandbox.accepts('paypalClientSecret'),
    webhookIds: [sandbox.accepts('paypalWebhookId')],
    certificateOrigins: [sandbox.url('paypal')],
  }),
});
