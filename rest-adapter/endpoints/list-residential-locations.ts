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

interface PlaceQuality {
  country: string;
  state: string | null;
  city: string | null;
  successRate: number;
  firstByteMs: number | null;
  connections: number;
}

interface Result {
  residentialPlan: { id: string; product: { name: string; sessionMinutes: number[]; placeQualities: PlaceQuality[] } };
  proxyPools: Pool[];
}

const KINDS = { WORLDWIDE: 'worldwide', REGION: 'region', COUNTRY: 'country' } as const;

const place = {
  code: z.string().describe('As the proxy username carries it.'),
  name: z.string().describe('As pool, state or city take it.'),
  quality: z
    .object({
      success_rate: z.number().min(0).max(1).describe('Connections that were opened, of those that an exit opened or failed at.'),
      first_byte_ms: z.int().nullable().describe("The median: opening the connection, and then waiting for the target's first byte."),
      connections: z.int().min(0).describe('What they are made of.'),
    })
    .optional()
    .describe('Of the last hour, of all customers of the product. Absent: there were fewer than twenty connections.'),
};

/** The quality of a place, for the members of that place. */
function qualityAt(qualities: readonly PlaceQuality[], country: string, state: string | null = null, city: string | null = null) {
  const found = qualities.find((one) => one.country === country && one.state === state && one.city === city);
  if (!found) return {};
  return { quality: { success_rate: found.successRate, first_byte_ms: found.firstByteMs, connections: found.connections } };
}

const named = ({ code, name }: Named) => ({ code, name });

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

const stateOf = (state: Pool['states'][number], country: string, qualities: readonly PlaceQuality[]) => ({
  ...named(state),
  ...qualityAt(qualities, country, state.code),
  cities: state.cities.map((city) => ({ ...named(city), ...qualityAt(qualities, country, null, city.code) })),
});

/** Not in the Spec. Lists the values that pool, state, city and time of a generation may have. */
export const listResidentialLocations = defineEndpoint({
  path: '/v1/residential/{product_id}/locations',
  tool: 'list_locations',
  title: 'List locations',
  description:
    'What a generation for one residential plan may target: all pools, or with `pool` the states and cities of those, and the sticky times in minutes; ' +
    'where it is known how well a place was served within the last hour. ' +
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
  named: {
    pools: 'Location',
    'pools.quality': 'PlaceQuality',
    'pools.states': 'LocationState',
    'pools.states.cities': 'LocationCity',
  },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListLocations($planId: ID!, $states: Boolean!) {
      residentialPlan(id: $planId) {
        id
        product {
          name
          sessionMinutes
          placeQualities {
            country
            state
            city
            successRate
            firstByteMs
            connections
          }
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
    const qualities = product.placeQualities;
    return {
      product: id,
      product_name: product.name,
      session_minutes: product.sessionMinutes,
      pools: pools.map(({ states, kind, ...pool }) => ({
        ...named(pool),
        kind: KINDS[kind],
        ...qualityAt(qualities, pool.code),
        ...(typed !== undefined && { states: states.map((state) => stateOf(state, pool.code, qualities)) }),
      })),
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
          quality: { success_rate: 0.994, first_byte_ms: 312, connections: 4_812 },
          states: [{ code: 'bavaria', name: 'Bavaria', cities: [{ code: 'munich', name: 'Munich' }] }],
        },
      ],
    },
  },
});
