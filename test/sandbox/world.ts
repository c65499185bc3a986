// A sandbox for its own tests: in memory, on free ports, with a fixed clock, a receiver instead of the product, and the card processor's own library as the
// client.
import Stripe from 'stripe';
import { TestClock } from '#platform/clock.ts';
import { startReceiver } from '../../sandbox/receiver.ts';
import type { Receiver } from '../../sandbox/receiver.ts';
import { startSandbox } from '../../sandbox/start.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/start.ts';

export const SECRETS = {
  webhookSecret: 'whsec_test',
  cardApiKey: 'sk_test_sandbox',
  usageSecret: 'usage_test',
  cryptoApiKey: 'crypto_test',
  cryptoWebhookSecret: 'crypto_secret',
};

export interface World {
  sandbox: Sandbox;
  clock: TestClock;
  receiver: Receiver;
  stripe: Stripe;
  close(): Promise<void>;
}

export async function createWorld(options: Partial<SandboxOptions> = {}): Promise<World> {
  const receiver = await startReceiver();
  const clock = new TestClock();
  const sandbox = await startSandbox({ clock, egressUrl: () => receiver.url, ...SECRETS, ...options });
  return {
    sandbox,
    clock,
    receiver,
    stripe: clientOf(sandbox),
    async close() {
      await sandbox.close();
      await receiver.close();
    },
  };
}

/** The card processor's library, as a client of the sandbox. */
export function clientOf(sandbox: Sandbox, key = SECRETS.cardApiKey): Stripe {
  const { hostname, port } = new URL(sandbox.urls.card);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

/** A checkout of 5 GB of Premium. */
export const premiumCheckout = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [{ price_data: { currency: 'usd', unit_amount: 2500, product_data: { name: 'Premium, 5 GB' } }, quantity: 1 }],
  success_url: 'http://shop.test/orders/done?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://shop.test/orders/back',
  client_reference_id: 'ord_1',
  metadata: { order: 'ord_1' },
  payment_intent_data: { metadata: { order: 'ord_1' } },
  ...more,
});
