// The weights of the contracts: every length that a caller may choose is said, what customers' usual work costs, and that no way leads around it.
import { buildSchema, getNamedType, getNullableType, getOperationAST, isListType, isObjectType, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { checkCost, costOf } from '../../gateway/graph/cost.ts';
import { LIMITS } from '../../gateway/graph/limits.ts';
import { weightsOf } from '../../gateway/graph/weights.ts';
import { COST_LIMIT, RATE_LIMIT } from '../../gateway/http/rate-limit.ts';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { apiSdl, supergraphSdl } from '../../schema/contracts.ts';
import { declaredFields } from '../../schema/declared-fields.ts';

const schema = { apiSchema: buildSchema(apiSdl()), weights: weightsOf(declaredFields(supergraphSdl())) };
const types = Object.values(schema.apiSchema.getTypeMap()).flatMap((type) =>
  'getFields' in type && 'getInterfaces' in type && !type.name.startsWith('__') ? [type] : [],
);
const fields = types.flatMap((type) => Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })));

/** As the contracts call them. */
const LENGTHS = ['first', 'last', 'limit'];

test('every argument that chooses a length is said to, by @listSize', () => {
  const choosing = fields.flatMap(({ name, field }) =>
    field.args.filter((arg) => LENGTHS.includes(arg.name)).map((arg) => [name, arg.name]),
  );
  const unsaid = choosing.filter(([name = '', arg = '']) => !schema.weights.get(name)?.slicing.some((path) => path.join('.') === arg));
  expect(choosing.length).toBeGreaterThan(20);
  expect(unsaid).toEqual([]);
});

test('what the directives name is there', () => {
  const wrong = [...schema.weights].flatMap(([name, { weight, slicing, sizedFields }]) => {
    const field = fields.find((one) => one.name === name)?.field;
    // Not in the public API.
    if (!field) return [];
    const of = getNamedType(field.type);
    const lists = isObjectType(of) ? Object.values(of.getFields()).filter(({ type }) => isListType(getNullableType(type))) : [];
    return [
      ...(weight === undefined || weight >= 0 ? [] : [`${name}: weight ${weight}`]),
      ...slicing.filter(([first]) => !field.args.some((arg) => arg.name === first)).map((path) => `${name}: argument ${path.join('.')}`),
      ...sizedFields.filter((sized) => !lists.some((list) => list.name === sized)).map((sized) => `${name}: list ${sized}`),
    ];
  });
  expect(wrong).toEqual([]);
});

const costed = (text: string, variables: Record<string, unknown> = {}): number => {
  const document = parse(text);
  const cost = costOf(schema, document, getOperationAST(document) as never);
  return checkCost(cost, variables);
};
const aliased = (count: number, field: string): string =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;

describe('a key', () => {
  /** The largest values that the adapter lets pass of what has a length. */
  const LARGEST = { limit: 100, first: 100, input: { quantity: 10_000 } };

  test.each(ENDPOINTS.map((endpoint) => [endpoint.tool, endpoint.operation] as const))(
    'that calls %s meets the limit of requests before the budget of costs',
    (_, operation) => {
      expect(costed(operation, LARGEST) * RATE_LIMIT).toBeLessThanOrEqual(COST_LIMIT);
    },
  );

  test('gets ten thousand lines, but not thirty times in one operation', () => {
    const field = (quantity: number) =>
      `residentialProxies(planId: "p", input: { quantity: ${quantity}, session: ROTATING, targeting: { pool: "any" } }) { text }`;
    expect(costed(aliased(1, field(10_000)))).toBe(1_001);
    expect(() => costed(aliased(30, field(10_000)))).toThrow('asks for too much at once');
  });

  test('nor the lines of a hundred static plans thirty times, which are lists of texts', () => {
    const field = 'staticPlans(limit: 100) { items { proxies } }';
    expect(costed(aliased(1, field))).toBe(1_101);
    expect(() => costed(aliased(30, field))).toThrow('asks for too much at once');
  });

  test('asks for three nested lists of modest size', () => {
    expect(
      costed('{ residentialPlans { batches(first: 5) { id } days(last: 30) { on totalBytes } availableActions { action } } }'),
    ).toBeLessThan(LIMITS.cost / 10);
  });
});
