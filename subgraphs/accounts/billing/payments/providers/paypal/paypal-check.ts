// Whether PayPal is set up as we need it: the app's key, the webhook, its events, its id.
import { z } from 'zod';
import { type Checkable, type Finding, findings } from '#platform/vendor-check.ts';
import { type PayPalClient, PayPalTrouble } from './paypal-client.ts';
import { PAYPAL_EVENTS } from './paypal-notices.ts';

const webhookShape = z.object({ id: z.string(), url: z.string(), event_types: z.array(z.object({ name: z.string() })).default([]) });
const AT = '/v1/notifications/webhooks';

interface CheckedTerms {
  /** Of the API. */
  url: string;
  webhookIds: readonly string[];
  /** Of the platform; notices go to /webhooks/paypal there. */
  publicUrl: string;
}

export const createPayPalCheck = (client: PayPalClient, { url, webhookIds, publicUrl }: CheckedTerms): Checkable => {
  const address = `${publicUrl}/webhooks/paypal`;
  const ofAddress = async () =>
    z
      .object({ webhooks: z.array(webhookShape) })
      .parse(await client.call('GET', AT))
      .webhooks.find((webhook) => webhook.url === address);
  const wanted = PAYPAL_EVENTS.map((name) => ({ name }));
  const missingOf = ({ event_types: events }: z.output<typeof webhookShape>): string[] =>
    events.some(({ name }) => name === '*') ? [] : PAYPAL_EVENTS.filter((event) => !events.some(({ name }) => name === event));
  const idFinding = (id: string): Finding => ({
    what: 'webhook id',
    ok: webhookIds.includes(id),
    words: webhookIds.includes(id) ? `${id} is configured` : `put into PAYPAL_WEBHOOK_IDS: ${id}`,
  });
  const reports = async (): Promise<Finding> => {
    try {
      await client.call('GET', '/v1/reporting/balances');
      return { what: 'reports', ok: true, words: 'fees and pay-outs can be read' };
    } catch (error) {
      if (!(error instanceof PayPalTrouble && error.status === 403)) throw error;
      return { what: 'reports', ok: false, words: 'tick "Transaction Search" at the app: fees and pay-outs cannot be booked without it' };
    }
  };
  return {
    check: () =>
      findings('key', async () => {
        const webhook = await ofAddress();
        const key = { what: 'key', ok: true, words: `accepted by ${url}` };
        const ofReports = await reports();
        if (!webhook) return [key, ofReports, { what: 'webhook', ok: false, words: `none goes to ${address}` }];
        const missing = missingOf(webhook);
        return [
          key,
          ofReports,
          { what: 'webhook', ok: true, words: `${webhook.id} goes to ${address}` },
          idFinding(webhook.id),
          {
            what: 'events',
            ok: missing.length === 0,
            words: missing.length === 0 ? 'every event that is needed' : `missing: ${missing.join(', ')}`,
          },
        ];
      }),
    setUp: () =>
      findings('webhook', async () => {
        const known = await ofAddress();
        if (!known) {
          const made = webhookShape.parse(await client.call('POST', AT, { body: { url: address, event_types: wanted } }));
          return [{ what: 'webhook', ok: true, words: `${made.id} was made for ${address}; put into PAYPAL_WEBHOOK_IDS: ${made.id}` }];
        }
        if (missingOf(known).length > 0)
          await client.call('PATCH', `${AT}/${known.id}`, { body: [{ op: 'replace', path: '/event_types', value: wanted }] });
        return [{ what: 'webhook', ok: true, words: `${known.id} at ${address} has every event that is needed` }, idFinding(known.id)];
      }),
  };
};
