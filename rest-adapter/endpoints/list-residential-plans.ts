import { z } from 'zod';
import { toGb } from '#platform/data-size.ts';
import { defineEndpoint } from '../endpoint.ts';

interface Result {
  residentialPlans: {
    id: string;
    status: string;
    username: string;
    totalBytes: string;
    validUntil: string | null;
    product: { name: string };
  }[];
}

/** Spec, GET /v1/residential. */
export const listResidentialPlans = defineEndpoint({
  path: '/v1/residential',
  tool: 'list_residential_plans',
  title: 'List residential plans',
  description: 'Lists the residential proxy plans of the account, newest first, with their product IDs. Takes no parameters.',
  message: 'Residential plans listed.',
  scope: 'read',
  input: z.object({}),
  restNames: {},
  refusals: {},
  codes: [],
  output: z.object({
    plans: z.array(
      z.object({
        product_id: z.string().describe('Identifier of the plan; the other residential endpoints take it.'),
        product_name: z.string().describe('Product name.'),
        data_gb: z.number().min(0).describe('Total data allocation in GB (10^9 bytes).'),
        username: z.string().describe('Proxy username of the plan.'),
        // The Spec does not name this field; it distinguishes an expired plan from an active one.
        status: z
          .enum(['ACTIVE', 'PAUSED', 'EXPIRED'])
          .describe('PAUSED: the Daily Usage Limit is reached. EXPIRED: the data is used up, or the validity is over.'),
        valid_until: z
          .string()
          .nullable()
          .describe('Until then the plan works, and what is left of it lapses then; null: for ever. A top-up before moves it.'),
      }),
    ),
  }),
  named: { plans: 'ResidentialPlan' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListResidentialPlans {
      residentialPlans {
        id
        status
        username
        totalBytes
        validUntil
        product {
          name
        }
      }
    }
  `,
  variables: () => ({}),
  data: ({ residentialPlans }: Result) => ({
    plans: residentialPlans.map(({ id, status, username, totalBytes, validUntil, product }) => ({
      product_id: id,
      product_name: product.name,
      data_gb: toGb(BigInt(totalBytes)),
      username,
      status,
      valid_until: validUntil,
    })),
  }),
  example: {
    input: {},
    data: {
      plans: [
        {
          product_id: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z',
          product_name: 'Premium',
          data_gb: 5,
          username: 'u7k2m9',
          status: 'ACTIVE',
          valid_until: null,
        },
      ],
    },
  },
});
