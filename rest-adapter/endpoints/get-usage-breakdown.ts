import { z } from 'zod';
import { defineEndpoint, planId, toId } from '../endpoint.ts';

interface Bytes {
  upBytes: string;
  downBytes: string;
  totalBytes: string;
}

interface Result {
  residentialPlan: {
    id: string;
    breakdown: {
      from: string;
      to: string;
      shares: (Bytes & { value: string | null })[];
      others: Bytes & { values: number };
      totalBytes: string;
      hosts: { kept: string };
    };
  };
}

const DIMENSIONS = ['day', 'hour', 'country', 'session', 'host', 'client', 'batch', 'api_key', 'user'] as const;

const HOSTS_KEPT = ['plain', 'hashed', 'off'] as const;

const MAX_ROWS = 10_000;

const BYTES = { up_bytes: z.int().min(0), down_bytes: z.int().min(0), total_bytes: z.int().min(0) };

const toBytes = ({ upBytes, downBytes, totalBytes }: Bytes) => ({
  up_bytes: Number(upBytes),
  down_bytes: Number(downBytes),
  total_bytes: Number(totalBytes),
});

const instant = (description: string) => z.iso.datetime({ offset: true }).describe(description).optional();

/** Not in the Spec. What a plan's bytes were used for. */
export const getUsageBreakdown = defineEndpoint({
  path: '/v1/residential/{product_id}/usage/breakdown',
  tool: 'get_usage_breakdown',
  title: 'Get usage breakdown',
  description:
    'What the bytes of one residential plan were used for: the largest shares by target host, country, session, client address, batch, API key or proxy user, ' +
    'or by day or hour (UTC), the first ones. Shares and others sum exactly to the total. Call it to find out where data went.',
  message: 'Usage broken down.',
  scope: 'read',
  input: z.object({
    product: planId(),
    by: z
      .enum(DIMENSIONS)
      .describe('host: the targets. client: the addresses that used the proxies. user: the proxy users; null is the plan itself.'),
    from: instant('The start, inclusive. Left out: the beginning.'),
    to: instant('The end, exclusive. Left out: all until now.'),
    limit: z.int().min(1).max(MAX_ROWS).default(20).describe('At most so many shares; the rest is in `others`.'),
  }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' } },
  codes: [],
  output: z.object({
    product: z.string().describe('The product_id of the plan.'),
    by: z.enum(DIMENSIONS),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    total_bytes: z.int().min(0),
    shares: z.array(z.object({ value: z.string().nullable().describe('Null: not told, or of none.'), ...BYTES })),
    hosts: z
      .enum(HOSTS_KEPT)
      .describe('How target hosts are kept of bytes counted now. hashed: told apart, as ~ and 16 characters; off: not at all, null.'),
    others: z.object({ values: z.int().min(0).describe('How many values are beyond the limit.'), ...BYTES }),
  }),
  named: { shares: 'UsageShare', others: 'UsageOfOthers' },
  readOnly: true,
  operation: /* GraphQL */ `
    query GetUsageBreakdown($planId: ID!, $by: UsageDimension!, $from: DateTime, $to: DateTime, $limit: Int!) {
      residentialPlan(id: $planId) {
        id
        breakdown(by: $by, from: $from, to: $to, limit: $limit) {
          from
          to
          shares {
            value
            upBytes
            downBytes
            totalBytes
          }
          others {
            values
            upBytes
            downBytes
            totalBytes
          }
          totalBytes
          hosts {
            kept
          }
        }
      }
    }
  `,
  variables: ({ product, by, from, to, limit }) => ({ planId: toId(product), by: by.toUpperCase(), from, to, limit }),
  data: ({ residentialPlan: { id, breakdown } }: Result, { by }) => ({
    product: id,
    by,
    from: breakdown.from,
    to: breakdown.to,
    total_bytes: Number(breakdown.totalBytes),
    shares: breakdown.shares.map((share) => ({ value: share.value, ...toBytes(share) })),
    hosts: HOSTS_KEPT.find((kept) => kept === breakdown.hosts.kept.toLowerCase()) ?? 'plain',
    others: { values: breakdown.others.values, ...toBytes(breakdown.others) },
  }),
  example: {
    input: {
      product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z',
      by: 'host',
      from: '2026-01-14T00:00:00.000Z',
      to: '2026-01-15T00:00:00.000Z',
      limit: 1,
    },
    data: {
      product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z',
      by: 'host',
      from: '2026-01-14T00:00:00.000Z',
      to: '2026-01-15T00:00:00.000Z',
      total_bytes: 1_250_000,
      shares: [{ value: 'shop.example', up_bytes: 50_000, down_bytes: 1_000_000, total_bytes: 1_050_000 }],
      hosts: 'plain',
      others: { values: 3, up_bytes: 20_000, down_bytes: 180_000, total_bytes: 200_000 },
    },
  },
});
