import { z } from 'zod';
import { toGb } from '#platform/data-size.ts';
import { defineEndpoint, planId, toId } from '../endpoint.ts';

interface Result {
  residentialPlan: { id: string; username: string; usage: { totalBytes: string; usedBytes: string } };
}

/** Spec, GET /v1/residential/{product_id}/usage. */
export const getResidentialUsage = defineEndpoint({
  path: '/v1/residential/{product_id}/usage',
  tool: 'get_residential_usage',
  title: 'Get residential usage',
  description: 'Live data usage of one residential plan, in GB (10^9 bytes). Stays readable after the plan has expired.',
  message: 'Residential usage read.',
  scope: 'read',
  input: z.object({ product: planId() }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' } },
  codes: [],
  output: z.object({
    total_data: z.number().min(0).describe('Total allocation in GB.'),
    used_data: z.number().min(0).describe('Data consumed so far in GB.'),
    username: z.string().describe('Proxy username of the plan.'),
    product: z.string().describe('The product_id of the plan.'),
  }),
  readOnly: true,
  operation: /* GraphQL */ `
    query GetResidentialUsage($planId: ID!) {
      residentialPlan(id: $planId) {
        id
        username
        usage {
          totalBytes
          usedBytes
        }
      }
    }
  `,
  variables: ({ product }) => ({ planId: toId(product) }),
  data: ({ residentialPlan: { id, username, usage } }: Result) => ({
    total_data: toGb(BigInt(usage.totalBytes)),
    used_data: toGb(BigInt(usage.usedBytes)),
    username,
    product: id,
  }),
  example: {
    input: { product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z' },
    data: { total_data: 5, used_data: 1.234567, username: 'u7k2m9', product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z' },
  },
});
