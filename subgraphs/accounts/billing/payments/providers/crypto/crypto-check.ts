// Whether a store of the crypto processor is set up as we need it: the key, the webhook, its events.
import { z } from 'zod';
import type { Finding } from '#platform/vendor-check.ts';

export interface CryptoCheck {
  /** Checks the store for a platform at this address. Throws if the store cannot be reached. */
  check(publicUrl: string): Promise<Finding[]>;
  /** Makes the webhook, unless there is one. */
  setUp(publicUrl: string): Promise<Finding[]>;
}

type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

const webhookShape = z.object({
  id: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  authorizedEvents: z.object({ everything: z.boolean(), specificEvents: z.array(z.string()).default([]) }),
});
const madeWebhookShape = webhookShape.extend({ secret: z.string() });

/** The events that the inbox acts on. */
const CRYPTO_EVENTS = [
  'InvoiceReceivedPayment',
  'InvoicePaymentSettled',
  'InvoiceProcessing',
  'InvoiceExpired',
  'InvoiceSettled',
  'InvoiceInvalid',
] as const;

const addressOf = (publicUrl: string): string => `${publicUrl}/webhooks/crypto`;

export function createCryptoCheck(call: Call, { url, storeId }: { url: string; storeId: string }): CryptoCheck {
  const webhooks = `/stores/${storeId}/webhooks`;
  const ofAddress = async (address: string) =>
    z
      .array(webhookShape)
      .parse(await call('GET', webhooks))
      .find((webhook) => webhook.url === address);
  return {
    async check(publicUrl) {
      await call('GET', '/api-keys/current');
      const address = addressOf(publicUrl);
      const key = { what: 'key', ok: true, words: `accepted by ${url}` };
      const webhook = await ofAddress(address);
      if (!webhook) return [key, { what: 'webhook', ok: false, words: `none goes to ${address}` }];
      const { everything, specificEvents } = webhook.authorizedEvents;
      const missing = everything ? [] : CRYPTO_EVENTS.filter((event) => !specificEvents.includes(event));
      return [
        key,
        { what: 'webhook', ok: webhook.enabled, words: `${webhook.id} at ${address} is ${webhook.enabled ? 'enabled' : 'disabled'}` },
        {
          what: 'events',
          ok: missing.length === 0,
          words: missing.length === 0 ? 'every event that is needed' : `missing: ${missing.join(', ')}`,
        },
      ];
    },

    async setUp(publicUrl) {
      const address = addressOf(publicUrl);
      const known = await ofAddress(address);
      if (known) return [{ what: 'webhook', ok: true, words: `${known.id} goes to ${address}` }];
      const authorizedEvents = { everything: true, specificEvents: [] };
      const made = madeWebhookShape.parse(
        await call('POST', webhooks, { url: address, enabled: true, automaticRedelivery: true, authorizedEvents }),
      );
      return [{ what: 'webhook', ok: true, words: `${made.id} was made for ${address}; put into CRYPTO_WEBHOOK_SECRETS: ${made.secret}` }];
    },
  };
}
