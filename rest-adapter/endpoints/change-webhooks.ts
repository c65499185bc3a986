// The endpoints that read and change one webhook of the account.
import { z } from 'zod';
import { fail } from '#platform/errors.ts';
import { type AnyEndpoint, defineEndpoint, toId } from '../endpoint.ts';
import {
  DESCRIPTION_INPUT,
  EXAMPLE_SECRET,
  EXAMPLE_WEBHOOK,
  OF_EXAMPLE,
  ON_WEBHOOK,
  TYPES_INPUT,
  URL_INPUT,
  WEBHOOK,
  WEBHOOK_FIELDS,
  type WebhookResult,
  ofWebhook,
  toWebhook,
} from './webhook.ts';

const WITH_SECRET = z.object({
  webhook: WEBHOOK,
  secret: z.string().describe('Signs what is sent (webhook-signature). Shown this once.'),
});
interface WithSecret {
  endpoint: WebhookResult;
  secret: string;
}
const toSecret = ({ endpoint, secret }: WithSecret) => ({ webhook: toWebhook(endpoint), secret });
const EXAMPLE_WITH_SECRET = { webhook: EXAMPLE_WEBHOOK, secret: EXAMPLE_SECRET };

const createWebhook = defineEndpoint({
  method: 'POST',
  path: '/v1/webhooks',
  tool: 'create_webhook',
  title: 'Create a webhook',
  description:
    'A new end point that events of the account are sent to from now on, in order and at least once, signed as Standard Webhooks say. ' +
    'The answer has its secret, this once. An account has at most ten.',
  message: 'Webhook created.',
  scope: 'webhooks',
  input: z.object({ url: URL_INPUT, description: DESCRIPTION_INPUT, event_types: TYPES_INPUT }),
  restNames: {},
  refusals: {},
  codes: ['too_many_webhooks'],
  output: WITH_SECRET,
  outputName: 'WebhookWithSecret',
  readOnly: false,
  operation: /* GraphQL */ `
    mutation CreateWebhook($input: WebhookEndpointInput!) {
      webhookEndpointAdd(input: $input) {
        endpoint {
          ${WEBHOOK_FIELDS}
        }
        secret
      }
    }
  `,
  variables: ({ url, description, event_types: eventTypes }) => ({ input: { url, description, eventTypes } }),
  data: ({ webhookEndpointAdd }: { webhookEndpointAdd: WithSecret }) => toSecret(webhookEndpointAdd),
  example: {
    input: { url: EXAMPLE_WEBHOOK.url, description: EXAMPLE_WEBHOOK.description, event_types: [...EXAMPLE_WEBHOOK.event_types] },
    data: EXAMPLE_WITH_SECRET,
  },
});

const getWebhook = defineEndpoint({
  ...ON_WEBHOOK,
  path: '/v1/webhooks/{webhook_id}',
  tool: 'get_webhook',
  title: 'Get a webhook',
  description: 'One end point: what it is sent, and how it is doing.',
  message: 'Webhook read.',
  scope: 'read',
  readOnly: true,
  operation: /* GraphQL */ `
    query GetWebhook($id: ID!) {
      webhookEndpoint(id: $id) {
        ${WEBHOOK_FIELDS}
      }
    }
  `,
  data({ webhookEndpoint }: { webhookEndpoint: WebhookResult | null }) {
    if (!webhookEndpoint) throw fail('webhook_not_found', { field: 'webhook' });
    return { webhook: toWebhook(webhookEndpoint) };
  },
  example: { input: OF_EXAMPLE, data: { webhook: EXAMPLE_WEBHOOK } },
});

const changeWebhook = defineEndpoint({
  ...ON_WEBHOOK,
  method: 'PATCH',
  path: '/v1/webhooks/{webhook_id}',
  tool: 'change_webhook',
  title: 'Change a webhook',
  description:
    'Sets where an end point is, what it is sent, and whether it is sent anything. Enabled again, it is sent what it has missed. What is left out stays as it is.',
  message: 'Webhook changed.',
  input: z.object({
    ...ON_WEBHOOK.input.shape,
    url: URL_INPUT.optional(),
    description: DESCRIPTION_INPUT,
    event_types: TYPES_INPUT,
    enabled: z.boolean().describe('false: nothing is sent until it is true again.').optional(),
  }),
  operation: /* GraphQL */ `
    mutation ChangeWebhook($id: ID!, $input: WebhookEndpointChangeInput!) {
      webhookEndpointChange(id: $id, input: $input) {
        ${WEBHOOK_FIELDS}
      }
    }
  `,
  variables: ({ webhook, event_types: eventTypes, ...terms }) => ({ ...ofWebhook({ webhook }), input: { ...terms, eventTypes } }),
  data: ({ webhookEndpointChange }: { webhookEndpointChange: WebhookResult }) => ({ webhook: toWebhook(webhookEndpointChange) }),
  example: { input: { ...OF_EXAMPLE, enabled: true }, data: { webhook: EXAMPLE_WEBHOOK } },
});

const renewWebhookSecret = defineEndpoint({
  ...ON_WEBHOOK,
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/secret',
  tool: 'renew_webhook_secret',
  title: "Renew a webhook's secret",
  description: 'A new secret, shown this once. The old one signs beside it for a day.',
  message: 'The webhook has a new secret; the old one signs beside it for a day.',
  output: WITH_SECRET,
  outputName: 'WebhookWithSecret',
  operation: /* GraphQL */ `
    mutation RenewWebhookSecret($id: ID!) {
      webhookEndpointRenewSecret(id: $id) {
        endpoint {
          ${WEBHOOK_FIELDS}
        }
        secret
      }
    }
  `,
  data: ({ webhookEndpointRenewSecret }: { webhookEndpointRenewSecret: WithSecret }) => toSecret(webhookEndpointRenewSecret),
  example: { input: OF_EXAMPLE, data: EXAMPLE_WITH_SECRET },
});

const testWebhook = defineEndpoint({
  ...ON_WEBHOOK,
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/test',
  tool: 'test_webhook',
  title: 'Test a webhook',
  description: 'Sends an event that says nothing, also to an end point that is disabled. The deliveries say what was answered.',
  message: 'A test event is sent.',
  operation: /* GraphQL */ `
    mutation TestWebhook($id: ID!) {
      webhookEndpointTest(id: $id) {
        ${WEBHOOK_FIELDS}
      }
    }
  `,
  data: ({ webhookEndpointTest }: { webhookEndpointTest: WebhookResult }) => ({ webhook: toWebhook(webhookEndpointTest) }),
  example: { input: OF_EXAMPLE, data: { webhook: EXAMPLE_WEBHOOK } },
});

const replayWebhook = defineEndpoint({
  ...ON_WEBHOOK,
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/replay',
  tool: 'replay_webhook',
  title: 'Replay events to a webhook',
  description:
    'Sends again everything that has happened after an event, or since an instant, in order. With the last event it passes over what cannot be taken. One of the two is needed.',
  message: 'The webhook goes on from there.',
  input: z.object({
    ...ON_WEBHOOK.input.shape,
    after: z.string().describe('event_id: what came after it is sent.').optional(),
    since: z.iso.datetime({ offset: true }).describe('What has happened since is sent.').optional(),
  }),
  refusals: { ...ON_WEBHOOK.refusals, after: { code: 'webhook_event_not_found' } },
  codes: ['parameter_missing'],
  operation: /* GraphQL */ `
    mutation ReplayWebhook($id: ID!, $after: ID, $since: DateTime) {
      webhookEndpointReplay(id: $id, after: $after, since: $since) {
        ${WEBHOOK_FIELDS}
      }
    }
  `,
  variables: ({ webhook, after, since }) => ({ ...ofWebhook({ webhook }), since, ...(after !== undefined && { after: toId(after) }) }),
  data: ({ webhookEndpointReplay }: { webhookEndpointReplay: WebhookResult }) => ({ webhook: toWebhook(webhookEndpointReplay) }),
  example: { input: { ...OF_EXAMPLE, since: '2026-01-15T00:00:00.000Z' }, data: { webhook: EXAMPLE_WEBHOOK } },
});

const resendWebhookEvent = defineEndpoint({
  ...ON_WEBHOOK,
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/events/{event_id}/resend',
  tool: 'resend_webhook_event',
  title: 'Send one event again',
  description: 'One event once more, beside the order.',
  message: 'The event is sent again.',
  input: z.object({ ...ON_WEBHOOK.input.shape, event: z.string().describe('event_id of an event of the account.') }),
  restNames: { ...ON_WEBHOOK.restNames, event: 'event_id' },
  refusals: { ...ON_WEBHOOK.refusals, event: { code: 'webhook_event_not_found' } },
  operation: /* GraphQL */ `
    mutation ResendWebhookEvent($id: ID!, $eventId: ID!) {
      webhookEndpointSendAgain(id: $id, eventId: $eventId) {
        ${WEBHOOK_FIELDS}
      }
    }
  `,
  variables: ({ webhook, event }) => ({ ...ofWebhook({ webhook }), eventId: toId(event) }),
  data: ({ webhookEndpointSendAgain }: { webhookEndpointSendAgain: WebhookResult }) => ({ webhook: toWebhook(webhookEndpointSendAgain) }),
  example: { input: { ...OF_EXAMPLE, event: 'evt_01jd8x4m2c7n5q9r3t6v8w0y1z' }, data: { webhook: EXAMPLE_WEBHOOK } },
});

const removeWebhook = defineEndpoint({
  ...ON_WEBHOOK,
  method: 'DELETE',
  path: '/v1/webhooks/{webhook_id}',
  tool: 'remove_webhook',
  title: 'Remove a webhook',
  description: 'Nothing more is sent to the end point, and what it has yet to take is not kept for it.',
  message: 'Webhook removed.',
  output: z.object({ webhook_id: z.string() }),
  outputName: 'RemovedWebhook',
  destructive: true,
  operation: /* GraphQL */ `
    mutation RemoveWebhook($id: ID!) {
      webhookEndpointRemove(id: $id) {
        id
      }
    }
  `,
  data: ({ webhookEndpointRemove }: { webhookEndpointRemove: { id: string } }) => ({ webhook_id: webhookEndpointRemove.id }),
  example: { input: OF_EXAMPLE, data: { webhook_id: EXAMPLE_WEBHOOK.webhook_id } },
});

export const WEBHOOK_CHANGES: readonly AnyEndpoint[] = [
  createWebhook,
  getWebhook,
  changeWebhook,
  renewWebhookSecret,
  testWebhook,
  replayWebhook,
  resendWebhookEvent,
  removeWebhook,
];
