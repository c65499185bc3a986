// Webhook end points in REST and MCP: their form in answers, and what the endpoints on one webhook have in common.
import { z } from 'zod';
import { TEXT_MAX } from '../../schema/limits.ts';
import { toId } from '../endpoint.ts';

/** The fields of WEBHOOK_FIELDS, as the graph answers them. */
export interface WebhookResult {
  id: string;
  url: string;
  description: string;
  eventTypes: string[];
  createdAt: string;
  disabledAt: string | null;
  disabledBecause: string | null;
  failures: number;
  failingSince: string | null;
  nextTryAt: string | null;
  waiting: number;
}

export const WEBHOOK_FIELDS = /* GraphQL */ `
  id
  url
  description
  eventTypes
  createdAt
  disabledAt
  disabledBecause
  failures
  failingSince
  nextTryAt
  waiting
`;

export const WEBHOOK = z.object({
  webhook_id: z.string(),
  url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()).describe('The types that it is sent; empty: all of them.'),
  state: z.enum(['working', 'failing', 'disabled']),
  disabled_because: z
    .enum(['owner', 'failing', 'gone'])
    .nullable()
    .describe('owner: paused by you; failing: nothing was taken for three days; gone: it answered 410.'),
  failures: z.int().describe('Tries in a row that were not taken.'),
  failing_since: z.string().nullable(),
  next_try_at: z.string().nullable(),
  waiting: z.int().describe('Events that it has yet to take, counted to 1,000.'),
  created_at: z.string(),
});

export const toWebhook = (webhook: WebhookResult) => ({
  webhook_id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  event_types: webhook.eventTypes,
  state: webhook.disabledAt !== null ? 'disabled' : webhook.failures > 0 ? 'failing' : 'working',
  disabled_because: webhook.disabledBecause?.toLowerCase() ?? null,
  failures: webhook.failures,
  failing_since: webhook.failingSince,
  next_try_at: webhook.nextTryAt,
  waiting: webhook.waiting,
  created_at: webhook.createdAt,
});

const webhookId = () => z.string().describe('Identifier of the end point, from the list (webhook_id).');

export const URL_INPUT = z.string().min(1).max(TEXT_MAX.webhookUrl).describe('Where events are sent: https, a public host.');
export const DESCRIPTION_INPUT = z
  .string()
  .max(TEXT_MAX.webhookDescription)
  .describe(`What it is for, in your words, at most ${TEXT_MAX.webhookDescription} characters.`)
  .optional();
export const TYPES_INPUT = z.array(z.string().max(100)).max(100).describe('The types that it is sent; empty: all of them.').optional();

export const ofWebhook = ({ webhook }: { webhook: string }) => ({ id: toId(webhook) });

/** What all endpoints on one webhook have in common. */
export const ON_WEBHOOK = {
  scope: 'webhooks',
  input: z.object({ webhook: webhookId() }),
  restNames: { webhook: 'webhook_id' },
  refusals: { webhook: { code: 'webhook_not_found' } },
  codes: [],
  output: z.object({ webhook: WEBHOOK }),
  outputName: 'WebhookState',
  readOnly: false,
  variables: ofWebhook,
} as const;

export const EXAMPLE_WEBHOOK = {
  webhook_id: 'hook_01jd8x4m2c7n5q9r3t6v8w0y1z',
  url: 'https://shop.example/hooks/proxies',
  description: 'The shop',
  event_types: ['residential_plan.balance_low', 'residential_plan.paused'],
  state: 'working',
  disabled_because: null,
  failures: 0,
  failing_since: null,
  next_try_at: null,
  waiting: 0,
  created_at: '2026-01-15T10:00:00.000Z',
} as const;
export const EXAMPLE_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazT0HPtZJg0=';
export const OF_EXAMPLE = { webhook: EXAMPLE_WEBHOOK.webhook_id };
