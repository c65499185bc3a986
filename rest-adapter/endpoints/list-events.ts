import { z } from 'zod';
import { CUSTOMER_EVENTS, type CustomerEventType } from '../../schema/customer-events.ts';
import { defineEndpoint, toId } from '../endpoint.ts';
import { WEBHOOKS } from '../../schema/limits.ts';

interface Result {
  webhookEvents: { id: string; type: string; at: string; subject: string; body: string }[];
}

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
const TYPE: CustomerEventType = 'residential_plan.balance_low';

/** Not in the Spec. The same events as those of webhooks, for a client that polls with a cursor or has missed some. */
export const listEvents = defineEndpoint({
  path: '/v1/events',
  tool: 'list_events',
  title: 'List events',
  description:
    `What has happened to the account in the last ${WEBHOOKS.keptDays} days (a balance is low, a plan has paused, an address was replaced, a server is ready, an invoice was paid), oldest first. ` +
    'Go on with the last event_id as `after`. Events are kept from the moment on at which the account has a webhook end point.',
  message: 'Events listed.',
  scope: 'read',
  input: z.object({
    after: z.string().describe('event_id of the last event that was read; without it from the oldest one on.').optional(),
    limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).describe('How many events at most.'),
  }),
  restNames: {},
  refusals: {
    after: { code: 'webhook_event_not_found' },
    limit: { code: 'limit_invalid' },
  },
  codes: [],
  output: z.object({
    events: z.array(
      z.object({
        event_id: z.string().describe('As the header webhook-id has it.'),
        type: z.string().describe('For example residential_plan.paused; types are only ever added.'),
        timestamp: z.iso.datetime().describe('When it happened.'),
        subject: z.string().describe('The id of the thing it happened to.'),
        data: z.record(z.string(), z.unknown()).describe('As the type has it: the webhooks section of the description.'),
      }),
    ),
  }),
  named: { events: 'Event' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListEvents($after: ID, $limit: Int!) {
      webhookEvents(after: $after, limit: $limit) {
        id
        type
        at
        subject
        body
      }
    }
  `,
  variables: ({ after, limit }) => ({ ...(after !== undefined && { after: toId(after) }), limit }),
  data: ({ webhookEvents }: Result) => ({
    events: webhookEvents.map(({ id, type, at, subject, body }) => ({
      event_id: id,
      type,
      timestamp: at,
      subject,
      data: (JSON.parse(body) as { data: object }).data,
    })),
  }),
  example: {
    input: { limit: 1 },
    data: {
      events: [
        {
          event_id: 'evt_01jd8x4m2c7n5q9r3t6v8w0y1z',
          type: TYPE,
          timestamp: '2026-01-15T12:00:00.000Z',
          subject: CUSTOMER_EVENTS[TYPE].example.product_id,
          data: CUSTOMER_EVENTS[TYPE].example,
        },
      ],
    },
  },
});
