// One budget of costs for a key, over REST, MCP and GraphQL, on the whole platform.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COST_LIMIT } from '../../gateway/http/rate-limit.ts';
import { modernRequest } from './mcp/clients.ts';
import { type StackWorld, startStackWorld } from './stack-world.ts';

let world: StackWorld;
beforeAll(async () => {
  world = await startStackWorld();
});
afterAll(() => world.close());

const leftOf = ({ headers }: Response): number => Number(/"cost";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);

const graphql = (key: string, query: string) =>
  fetch(`${world.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });

test('each way takes from what the others have left', async () => {
  const key = await world.key();
  const { premium } = world.plans;
  const path = `/v1/residential/${premium}/proxies?sticky=false&pool=Germany&quantity=1000`;
  const rest = await fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const lines = { product: premium, sticky: false, pool: 'Germany', quantity: 2_000 };
  const mcp = await modernRequest(world.url, key, 'tools/call', { name: 'generate_residential_proxies', arguments: lines });
  const asked = await graphql(
    key,
    `{ residentialProxies(planId: "${premium}", input: { quantity: 3000, session: ROTATING, targeting: { pool: "Germany" } }) { count } }`,
  );
  // A line weighs a tenth, and the batch is an object.
  expect([rest, mcp, asked].map(leftOf)).toEqual([101, 302, 603].map((spent) => COST_LIMIT - spent));
  const { extensions } = (await asked.json()) as { extensions: { cost: object } };
  expect(extensions.cost).toMatchObject({ requested: 301, budget: { limit: COST_LIMIT, remaining: COST_LIMIT - 603 } });
});

test('thirty aliases of a generation, or of the lines of all static plans, are refused before anything is made', async () => {
  const key = await world.key();
  const many = (field: string) => `{ ${Array.from({ length: 30 }, (_, index) => `a${index}: ${field}`).join(' ')} }`;
  const generation = `residentialProxies(planId: "${world.plans.premium}", input: { quantity: 10000, session: ROTATING, targeting: { pool: "any" } }) { text }`;
  for (const query of [many(generation), many('staticPlans(limit: 100) { items { proxies } }')]) {
    const { data, errors } = (await (await graphql(key, query)).json()) as {
      data?: object;
      errors: { message: string; extensions: object }[];
    };
    expect(data ?? null).toBeNull();
    expect(errors[0]).toMatchObject({ message: expect.stringContaining('it costs'), extensions: { code: 'query_refused' } });
  }
  const { data } = (await (await graphql(key, '{ me { id } residentialPlans { batches { id } } }')).json()) as {
    data: { residentialPlans: { batches: object[] }[] };
  };
  expect(data.residentialPlans.flatMap(({ batches }) => batches).length).toBeLessThanOrEqual(3);
});
