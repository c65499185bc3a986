// Whether the card processor is set up as we need it: the key and its mode, the webhook, its events and their version.
import Stripe from 'stripe';
import { type Checkable, type Finding, findings } from '#platform/vendor-check.ts';

/** The events that the inbox acts on. `invoice.*` are listed one by one, since the processor's only wild card is `*`. */
export const CARD_EVENTS = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'charge.refund.updated',
  'charge.refunded',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'invoice.created',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  'invoice.voided',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
  'refund.created',
  'refund.failed',
  'refund.updated',
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[];

interface CheckedTerms {
  secretKey: string;
  /** The platform's address; webhooks go to /webhooks/card there. */
  publicUrl: string;
}

export const createCardCheck = (stripe: Stripe, { secretKey, publicUrl }: CheckedTerms): Checkable => {
  const url = `${publicUrl}/webhooks/card`;
  const ofUrl = async (): Promise<Stripe.WebhookEndpoint | undefined> => {
    for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) if (endpoint.url === url) return endpoint;
    return undefined;
  };
  return {
    check: () =>
      findings('key', async () => {
        const account = await stripe.accounts.retrieveCurrent();
        const live = secretKey.includes('_live_');
        return [
          { what: 'key', ok: true, words: `accepted for ${account.id}, API ${Stripe.API_VERSION}` },
          {
            what: 'mode',
            ok: account.charges_enabled,
            words: `${live ? 'live' : 'test'}; charges are ${account.charges_enabled ? 'on' : 'off'}`,
          },
          ...(await findings('webhook', async () => webhookFindings(url, await ofUrl()))),
        ];
      }),
    setUp: () =>
      findings('webhook', async () => {
        const known = await ofUrl();
        if (known) {
          if (!known.enabled_events.includes('*'))
            await stripe.webhookEndpoints.update(known.id, { enabled_events: [...CARD_EVENTS], disabled: false });
          return [{ what: 'webhook', ok: true, words: `${known.id} at ${url} has every event that is needed` }];
        }
        const made = await stripe.webhookEndpoints.create({ url, enabled_events: [...CARD_EVENTS], api_version: Stripe.API_VERSION });
        return [{ what: 'webhook', ok: true, words: `${made.id} was made for ${url}; put into STRIPE_WEBHOOK_SECRETS: ${made.secret}` }];
      }),
  };
};

function webhookFindings(url: string, endpoint: Stripe.WebhookEndpoint | undefined): Finding[] {
  if (!endpoint) return [{ what: 'webhook', ok: false, words: `none goes to ${url}` }];
  const { status, enabled_events: events, api_version: version } = endpoint;
  const missing = events.includes('*') ? [] : CARD_EVENTS.filter((event) => !events.includes(event));
  return [
    { what: 'webhook', ok: status === 'enabled', words: `${endpoint.id} at ${url} is ${status}` },
    {
      what: 'events',
      ok: missing.length === 0,
      words: missing.length === 0 ? 'every event that is needed' : `missing: ${missing.join(', ')}`,
    },
    // Any version will do: of an event only its type and object id are read, and the object is read anew in the library's version.
    { what: 'version', ok: true, words: `notices come in ${version ?? 'the version of the account'}` },
  ];
}
