// A thousand random readings, each over REST, as a tool of MCP and by GraphQL: the three give the same data, or the same refusal.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '#platform/identity.ts';
import type { AnyEndpoint } from '../../../rest-adapter/endpoint.ts';
import { ENDPOINTS } from '../../../rest-adapter/endpoints/index.ts';
import { restParameters } from '../../../rest-adapter/rest.ts';
import { createRandom } from '../../../sandbox/random.ts';
import { modernClient } from '../../rest-adapter/mcp/clients.ts';
import { type StackWorld, startStackWorld } from '../../rest-adapter/stack-world.ts';
import { type Loose, call } from '../../rest-adapter/world.ts';
import { SEED, say, scaled } from '../scale.ts';

const CALLS = scaled(1_000, 60);
/** Three requests each, of 120 a minute. */
const PER_KEY = 30;
/** Readings whose answer is the same each time: an offer is a new one. */
const READING = ENDPOINTS.filter(({ readOnly, method, outputName }) => readOnly && !method && outputName !== 'Offer');

let world: StackWorld;
beforeAll(async () => {
  world = await startStackWorld();
});
afterAll(() => world.close());

test('REST, MCP and GraphQL give the same data', async () => {
  const random = createRandom(SEED);
  const pick = <One>(list: readonly One[]): One => list[random.below(list.length)] as One;
  const { premium, mobile, expired, foreign } = world.plans;
  let key = '';
  let given = 0;
  let refused = 0;

  /** Some of the inputs of an operation: plans of the account and of another, the values of its example, others. */
  function inputFor(endpoint: AnyEndpoint): Record<string, unknown> {
    const inPath = new Set(restParameters(endpoint).flatMap(({ input, in: place }) => (place === 'path' ? [input] : [])));
    return Object.fromEntries(
      Object.keys(endpoint.input.shape as object).flatMap((name): [string, unknown][] => {
        if (name === 'product') return [[name, pick([premium, premium, mobile, expired, foreign, 'nothing'])]];
        const value = (endpoint.example.input as Record<string, unknown>)[name];
        return inPath.has(name) || (value !== undefined && random.below(2) === 0) ? [[name, value]] : [];
      }),
    );
  }

  async function overRest(endpoint: AnyEndpoint, input: Record<string, unknown>) {
    let { path }: { path: string } = endpoint;
    const query = new URLSearchParams();
    for (const { name, input: own, in: place } of restParameters(endpoint)) {
      const value = input[own];
      if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
      else if (value !== undefined) query.set(name, String(value));
    }
    const { body } = await call(world, query.size > 0 ? `${path}?${query}` : path, key);
    return body.success ? { data: body.data as Loose } : { code: body.meta?.code };
  }

  async function overMcp({ tool }: AnyEndpoint, input: Record<string, unknown>) {
    const { isError, structuredContent } = await (await modernClient(world.url, key)).call(tool, input);
    return isError ? { code: structuredContent.code } : { data: structuredContent };
  }

  async function overGraphql(endpoint: AnyEndpoint, input: Record<string, unknown>) {
    const parsed = endpoint.input.parse(input) as Record<string, unknown>;
    const response = await fetch(`${world.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: endpoint.operation, variables: endpoint.variables(parsed) }),
    });
    const { data, errors } = (await response.json()) as Loose;
    if (errors) return { code: errors[0].extensions.code };
    try {
      return { data: JSON.parse(JSON.stringify(endpoint.data(data as never, parsed))) as Loose };
    } catch (error) {
      return { code: (error as { code?: string }).code };
    }
  }

  for (let calls = 0; calls < CALLS; calls++) {
    if (calls % PER_KEY === 0) key = await world.keyFor(...SCOPES);
    const endpoint = pick(READING);
    const input = inputFor(endpoint);
    const rest = await overRest(endpoint, input);
    expect(await overMcp(endpoint, input), `${endpoint.tool} ${JSON.stringify(input)}`).toEqual(rest);
    // What the adapter refuses by itself never reaches the graph.
    if (endpoint.input.safeParse(input).success)
      expect(await overGraphql(endpoint, input), `${endpoint.tool} ${JSON.stringify(input)}`).toEqual(rest);
    if ('data' in rest) given++;
    else refused++;
  }
  say(`${given + refused} readings of ${READING.length} operations: ${given} the same data, ${refused} the same refusals (seed ${SEED})`);
  expect(Math.min(given, refused)).toBeGreaterThan(CALLS / 20);
});
