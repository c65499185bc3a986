// What an operation costs, by the weights that the contracts say.
import { buildSchema, getOperationAST, parse } from 'graphql';
import { expect, test } from 'vitest';
import { costOf, generationsOf } from '../../../gateway/graph/cost.ts';
import { rootFields } from '../../../gateway/graph/limits.ts';
import { weightsOf } from '../../../gateway/graph/weights.ts';
import { declaredFields } from '../../../schema/declared-fields.ts';

const SDL = `
  directive @cost(weight: String!) on FIELD_DEFINITION
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
  input Wish { quantity: Int = 7, more: Wish }
  type Made { id: ID! text: String! lines: [String!]! @cost(weight: "0") }
  type Item { id: ID! words: [String!]! known: [String!]! @listSize(assumedSize: 100) items: [Item!]! heavy: Item @cost(weight: "10") }
  type Page { items: [Item!]! others: [Item!]! total: Int! }
  interface Named { items(first: Int! = 25): [Item!]! @listSize(slicingArguments: ["first"]) }
  type Thing implements Named { items(first: Int! = 25): [Item!]! @listSize(slicingArguments: ["first"]) }
  type Query {
    me: Item
    named: Named
    items(first: Int! = 25): [Item!]! @listSize(slicingArguments: ["first"])
    page(limit: Int = 50): Page! @listSize(slicingArguments: ["limit"], sizedFields: ["items"])
    unsaid: [Item!]!
    make(input: Wish!): Made! @cost(weight: "0.1") @listSize(assumedSize: 10000, slicingArguments: ["input.quantity"])
    again: Made! @cost(weight: "0.1") @listSize(assumedSize: 10000)
  }
  type Mutation { create(items: [String!]!): [Item!]! @listSize(slicingArguments: ["items"]) }
`;
const schema = { apiSchema: buildSchema(SDL), weights: weightsOf(declaredFields(SDL)) };

function costed(text: string, variables: Record<string, unknown> = {}): number {
  const document = parse(text);
  const cost = costOf(schema, document, getOperationAST(document) as never);
  return typeof cost === 'number' ? cost : cost(variables);
}

test.each([
  ['an object is one, and a single value nothing', '{ me { id } }', 1],
  ['a field has the weight that is said', '{ me { heavy { id } } }', 11],
  ['a list is as long as its argument says', '{ items(first: 3) { id } }', 3],
  ['as its default says', '{ items { id } }', 25],
  ['or ten, where nothing says it', '{ unsaid { id } }', 10],
  ['what an element contains counts for each', '{ items(first: 3) { items { id } } }', 33],
  ['three nested lists of modest size stay modest', '{ unsaid { items { items { id } } } }', 1_110],
  ['of a list of texts each is a tenth', '{ me { words } }', 2],
  ['as many as are assumed', '{ me { known } }', 11],
  ['a page counts by its argument, its other lists by themselves', '{ page(limit: 5) { total items { id } others { id } } }', 16],
  ['and by its default', '{ page { items { id } } }', 51],
  ['an interface says it too', '{ named { items(first: 4) { id } } }', 5],
  ['lines weigh where they are made, whatever is asked of them', '{ make(input: { quantity: 1000 }) { id } }', 101],
  ['each alias makes its own', '{ a: make(input: { quantity: 1000 }) { lines } b: make(input: { quantity: 1000 }) { text } }', 202],
  ['made again, they are as many as there can be', '{ again { lines } }', 1_001],
  ['a fragment counts wherever it is used', '{ a: me { ...F } b: me { ...F } } fragment F on Item { words items { id } }', 24],
  ['a mutation weighs ten, and what it makes', 'mutation { create(items: ["a", "b"]) { id } }', 12],
  ['asking for the schema weighs a hundred', '{ __schema { types { name } } }', 100],
  [
    'a list may be asked for at any length, though not below nothing',
    '{ a: items(first: 20000) { id } b: items(first: -5) { id } }',
    20_000,
  ],
  ['what makes is refused above its most, and makes nothing', '{ make(input: { quantity: 900000 }) { id } }', 1_001],
])('%s', (_, text, cost) => {
  expect(costed(text)).toBeCloseTo(cost);
});

test.each<[string, Record<string, unknown>, number]>([
  ['a number', { wish: { quantity: 50 } }, 6],
  ['nothing: the most', { wish: {} }, 1_001],
])('%s within a variable says how many', (_, variables, cost) => {
  expect(costed('query ($wish: Wish!) { make(input: $wish) { id } }', variables)).toBe(cost);
});

test('a variable says it, or the default of the argument where it is left out, and null says nothing', () => {
  const text = 'query ($n: Int) { page(limit: $n) { items { id } } }';
  expect([costed(text, { n: 7 }), costed(text), costed(text, { n: null })]).toEqual([8, 51, 11]);
  expect(costed('query ($q: Int!) { make(input: { quantity: $q }) { id } }', { q: 40 })).toBe(5);
});

test('generations are the fields that make something, each alias one, and no lists', () => {
  const document = parse(
    '{ a: make(input: { quantity: 1 }) { id } ...F ...F items { id } page { total } } fragment F on Query { again { id } }',
  );
  expect(generationsOf(schema, rootFields({ document, operation: getOperationAST(document) as never }))).toBe(3);
});
