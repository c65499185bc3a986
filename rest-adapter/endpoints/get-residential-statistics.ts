import { z } from 'zod';
import { toMb } from '#platform/data-size.ts';
import { defineEndpoint, planId, toId } from '../endpoint.ts';

interface Result {
  residentialPlan: { days: { on: string; totalBytes: string }[] };
}

/** Spec, GET /v1/residential/{product_id}/statistics. */
export const getResidentialStatistics = defineEndpoint({
  path: '/v1/residential/{product_id}/statistics',
  tool: 'get_residential_statistics',
  title: 'Get residential statistics',
  description: 'Data used on each of the last 30 UTC days by one residential plan, today included, in MB (10^6 bytes).',
  message: 'Residential statistics read.',
  scope: 'read',
  input: z.object({ product: planId() }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' } },
  codes: [],
  output: z.object({
    unit: z.literal('MB'),
    // The Spec does not say which days: exactly 30 keys, ascending; days without use are 0.
    days: z.record(z.string(), z.number().min(0)).describe('Date (YYYY-MM-DD, UTC) to MB used that day; 30 days, ascending, today last.'),
  }),
  readOnly: true,
  operation: /* GraphQL */ `
    query GetResidentialStatistics($planId: ID!) {
      residentialPlan(id: $planId) {
        days(last: 30) {
          on
          totalBytes
        }
      }
    }
  `,
  variables: ({ product }) => ({ planId: toId(product) }),
  data: ({ residentialPlan: { days } }: Result) => ({
    unit: 'MB',
    days: Object.fromEntries(days.map(({ on, totalBytes }) => [on, toMb(BigInt(totalBytes))])),
  }),
  example: {
    input: { product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z' },
    data: { unit: 'MB', days: { '2026-01-14': 0, '2026-01-15': 312.5 } },
  },
});
