// The webhooks section of the OpenAPI document, made from the table of customer events. https://spec.openapis.org/oas/v3.1.0#openapi-object
import { CUSTOMER_EVENTS, type CustomerEventType } from '../schema/customer-events.ts';
import { openSchema } from './published-schema.ts';

const EXAMPLE_AT = '2026-01-15T12:00:00.000Z';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The three headers of the Standard Webhooks specification. */
const HEADERS = [
  header('webhook-id', 'The same each time that an event is sent: what was seen before may be left out.', 'evt_01jd8x4m2c7n5q9r3t6v8w0y1z'),
  header('webhook-timestamp', 'When it was sent, in unix seconds: refuse what is older than some minutes.', '1768478400'),
  header(
    'webhook-signature',
    'One or more signatures separated by spaces, each `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with the secret (base64 after whsec_).',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** `residential_plan.paused` -> `ResidentialPlanPaused`. */
const toTypeName = (type: string): string => type.replaceAll(/(?:^|[_.])([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function webhookOf(type: CustomerEventType) {
  const { says, data, example } = CUSTOMER_EVENTS[type];
  return {
    post: {
      operationId: `on${toTypeName(type)}`,
      summary: type,
      description: says,
      tags: ['Webhooks'],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['type', 'timestamp', 'data'],
              properties: { type: { const: type }, timestamp: { type: 'string', format: 'date-time' }, data: openSchema(data, 'output') },
            },
            example: { type, timestamp: EXAMPLE_AT, data: example },
          },
        },
      },
      responses: {
        '2XX': { description: 'Taken. The next event is sent.' },
        '4XX': { description: 'Not taken: sent again for three days. 410: nothing more is sent.' },
        '5XX': { description: 'Not taken: sent again for three days, not before what Retry-After asks for.' },
      },
    },
  };
}

export const WEBHOOKS_TAG = {
  name: 'Webhooks',
  description: 'Events of the account, sent to end points of its own in order and at least once (Standard Webhooks), and listed.',
};

export const openApiWebhooks = () =>
  Object.fromEntries((Object.keys(CUSTOMER_EVENTS) as CustomerEventType[]).map((type) => [type, webhookOf(type)]));
