import { z } from 'zod';
import { fail } from '#platform/errors.ts';
import { type AnyEndpoint, defineEndpoint, toId } from '../endpoint.ts';
import { EXAMPLE_WEBHOOK, OF_EXAMPLE, ON_WEBHOOK, WEBHOOK, WEBHOOK_FIELDS, type WebhookResult, ofWebhook, toWebhook } from './webhook.ts';

/** Not in the Spec, as all endpoints for webhooks. */
const listWebhooks = defineEndpoint({
  path: '/v1/webhooks',
  tool: 'list_webhooks',
  title: 'List webhooks',
  description: 'The end points that events of the account are sent to, with how each is doing. Takes no parameters.',
  message: 'Webhooks listed.',
  scope: 'read',
  input: z.object({}),
  restNames: {},
  refusals: {},
  codes: [],
  output: z.object({ webhooks: z.array(WEBHOOK) }),
  named: { webhooks: 'Webhook' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListWebhooks {
      webhookEndpoints {
        ${WEBHOOK_FIELDS}
      }
    }
  `,
  variables: () => ({}),
  data: ({ webhookEndpoints }: { webhookEndpoints: WebhookResult[] }) => ({ webhooks: webhookEndpoints.map(toWebhook) }),
  example: { input: {}, data: { webhooks: [EXAMPLE_WEBHOOK] } },
});

interface Attempts {
  webhookEndpoint: {
    attempts: {
      items: {
        id: string;
        at: string;
        askedBy: string;
        outcome: string;
        status: number | null;
        durationMs: number;
        said: string;
        event: { id: string; type: string };
      }[];
      next: string | null;
    };
  } | null;
}

const listWebhookDeliveries = defineEndpoint({
  ...ON_WEBHOOK,
  path: '/v1/webhooks/{webhook_id}/deliveries',
  tool: 'list_webhook_deliveries',
  title: 'List deliveries of a webhook',
  description: 'Every try to deliver an event to one end point, newest first: when, what was answered, and how long it took.',
  message: 'Deliveries listed.',
  scope: 'read',
  input: z.object({
    ...ON_WEBHOOK.input.shape,
    after: z.string().describe('`next` of the answer before.').optional(),
    limit: z.int().min(1).max(100).default(25).describe('How many at most.'),
  }),
  refusals: { ...ON_WEBHOOK.refusals, limit: { code: 'limit_invalid' } },
  output: z.object({
    deliveries: z.array(
      z.object({
        delivery_id: z.string(),
        event_id: z.string(),
        type: z.string(),
        at: z.string(),
        asked_by: z.enum(['platform', 'owner']).describe('owner: sent once more by hand.'),
        outcome: z.enum(['delivered', 'refused', 'no_answer', 'forbidden']),
        status: z.int().nullable().describe('HTTP status; null: there was no answer.'),
        duration_ms: z.int(),
        said: z.string().describe('The beginning of what was answered, or what went wrong.'),
      }),
    ),
    next: z.string().nullable().describe('For `after`; null: there are no more.'),
  }),
  outputName: 'WebhookDeliveries',
  named: { deliveries: 'WebhookDelivery' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListWebhookDeliveries($id: ID!, $first: Int!, $after: ID) {
      webhookEndpoint(id: $id) {
        attempts(first: $first, after: $after) {
          items {
            id
            at
            askedBy
            outcome
            status
            durationMs
            said
            event {
              id
              type
            }
          }
          next
        }
      }
    }
  `,
  variables: ({ after, limit, ...one }) => ({ ...ofWebhook(one), first: limit, ...(after !== undefined && { after: toId(after) }) }),
  data({ webhookEndpoint }: Attempts) {
    if (!webhookEndpoint) throw fail('webhook_not_found', { field: 'webhook' });
    const { items, next } = webhookEndpoint.attempts;
    return {
      deliveries: items.map(({ id, event, at, askedBy, outcome, status, durationMs, said }) => ({
        delivery_id: id,
        event_id: event.id,
        type: event.type,
        at,
        asked_by: askedBy.toLowerCase(),
        outcome: outcome.toLowerCase(),
        status,
        duration_ms: durationMs,
        said,
      })),
      next,
    };
  },
  example: {
    input: { ...OF_EXAMPLE, limit: 1 },
    data: {
      deliveries: [
        {
          delivery_id: 'dlv_01jd8x4m2c7n5q9r3t6v8w0y1z',
          event_id: 'evt_01jd8x4m2c7n5q9r3t6v8w0y1z',
          type: 'residential_plan.balance_low',
          at: '2026-01-15T12:00:00.000Z',
          asked_by: 'platform',
          outcome: 'delivered',
          status: 204,
          duration_ms: 41,
          said: '',
        },
      ],
      next: null,
    },
  },
});

export const WEBHOOK_LISTS: readonly AnyEndpoint[] = [listWebhooks, listWebhookDeliveries];
