import { z } from 'zod';
import { fail } from '#platform/errors.ts';
import { nearName } from '#platform/near-name.ts';
import { defineEndpoint, planId, toId, words } from '../endpoint.ts';

interface Named {
  code: string;
  name: string;
}

interface Pool extends Named {
  kind: 'WORLDWIDE' | 'REGION' | 'COUNTRY';
  states: (Named & { cities: Named[] })[];
}

interface Result {
  residentialPlan: { id: string; product: { name: string; sessionMinutes: number[] } };
  proxyPools: Pool[];
}

const KINDS = { WORLDWIDE: 'worldwide', REGION: 'region', COUNTRY: 'country' } as const;

const place = {
  code: z.string().describe('As the proxy username carries it.'),
  name: z.string().describe('As pool, state or city take it.'),
};

const isNamed =
  (typed: string) =>
  ({ code, name }: Named): boolean =>
    [code, name].some((text) => text.toLowerCase() === typed.toLowerCase());

/** The pools that were asked for: one, or several with commas between. Throws `pool_unknown`. */
function poolsNamed(typed: string, pools: readonly Pool[]): Pool[] {
  const whole = pools.find(isNamed(typed));
  if (whole) return [whole];
  return typed.split(',').map((name) => {
    const found = pools.find(isNamed(name.trim()));
    if (!found) throw poolUnknown(name.trim(), pools);
    return found;
  });
}

function poolUnknown(typed: string, pools: readonly Pool[]) {
  const meant = nearName(
    typed,
    pools.map(({ name }) => name),
  );
  return fail('pool_unknown', { field: 'pool', ...(meant !== undefined && { allowed: [meant] }) });
}

/** Not in the Spec. Lists the values that pool, state, city and time of a generation may have. */
export const listResidentialLocations = defineEndpoint({
  path: '/v1/residential/{product_id}/locations',
  tool: 'list_locations',
  title: 'List locations',
  description:
    'What a generation for one residential plan may target: all pools, or with `pool` the states and cities of those, and the sticky times in minutes. ' +
    'Call it before generating where a place or a time is not certain.',
  message: 'Locations listed.',
  scope: 'read',
  input: z.object({
    product: planId(),
    pool: words(
      'A country name or code, several with commas between, Worldwide, or Europe: its states and cities. Without it only the pools.',
    ).optional(),
  }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' }, pool: { code: 'pool_unknown' } },
  codes: [],
  output: z.object({
    product: z.string().describe('The product_id of the plan.'),
    product_name: z.string(),
    session_minutes: z.array(z.int()).describe('What `time` may be.'),
    pools: z.array(
      z.object({
        ...place,
        kind: z.enum(['worldwide', 'region', 'country']),
        states: z
          .array(z.object({ ...place, cities: z.array(z.object(place)) }))
          .optional()
          .describe('Of the pools that were asked for.'),
      }),
    ),
  }),
  items: { pools: 'Location' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListLocations($planId: ID!, $states: Boolean!) {
      residentialPlan(id: $planId) {
        id
        product {
          name
          sessionMinutes
        }
      }
      proxyPools {
        code
        name
        kind
        states @include(if: $states) {
          code
          name
          cities {
            code
            name
          }
        }
      }
    }
  `,
  variables: ({ product, pool }) => ({ planId: toId(product), states: pool !== undefined }),
  data({ residentialPlan: { id, product }, proxyPools }: Result, { pool: typed }) {
    const pools = typed === undefined ? proxyPools : poolsNamed(typed, proxyPools);
    return {
      product: id,
      product_name: product.name,
      session_minutes: product.sessionMinutes,
      pools: pools.map(({ code, name, kind, states }) => ({ code, name, kind: KINDS[kind], ...(typed !== undefined && { states }) })),
    };
  },
  example: {
    input: { product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z', pool: 'Germany' },
    data: {
      product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z',
      product_name: 'Premium',
      session_minutes: [30, 60, 120, 240],
      pools: [
        {
          code: 'de',
          name: 'Germany',
          kind: 'country',
          states: [{ code: 'bavaria', name: 'Bavaria', cities: [{ code: 'munich', name: 'Munich' }] }],
        },
      ],
    },
  },
});
