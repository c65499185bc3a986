import { printSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, test } from 'vitest';
import { contractOf } from '../../schema/contracts.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { canonicalSdl } from './canonical-sdl.ts';
import { SCHEMAS } from './subgraphs.ts';

test.each(SUBGRAPHS)('the code of %s implements its contract exactly', (name) => {
  expect(canonicalSdl(printSubgraphSchema(SCHEMAS[name]))).toBe(canonicalSdl(contractOf(name)));
});

describe('the comparison', () => {
  const canonical = canonicalSdl('type Query { a(x: Int = 1, y: ID!): String! b: [Int!] } type T @key(fields: "id") { id: ID! }');

  test.each([
    [
      'order and descriptions',
      '"Words" type T @key(fields: "id") { id: ID! } type Query { b: [Int!] "words" a(y: ID!, x: Int = 1): String! }',
    ],
    [
      'federation and links',
      'extend schema @link(url: "x", import: ["@key"]) scalar _Any union _Entity = T type Query { _entities(r: [_Any!]!): [_Entity]! _service: _Service! b: [Int!] a(x: Int = 1, y: ID!): String! } type _Service { sdl: String } type T @key(fields: "id") { id: ID! }',
    ],
  ])('overlooks %s', (_, sdl) => {
    expect(canonicalSdl(sdl)).toBe(canonical);
  });

  test.each([
    ['a missing field', 'type Query { a(x: Int = 1, y: ID!): String! } type T @key(fields: "id") { id: ID! }'],
    ['another default', 'type Query { a(x: Int = 2, y: ID!): String! b: [Int!] } type T @key(fields: "id") { id: ID! }'],
    ['another nullability', 'type Query { a(x: Int = 1, y: ID!): String b: [Int!] } type T @key(fields: "id") { id: ID! }'],
    [
      'a key that is resolvable in one only',
      'type Query { a(x: Int = 1, y: ID!): String! b: [Int!] } type T @key(fields: "id", resolvable: false) { id: ID! }',
    ],
    ['a hidden field', 'type Query { a(x: Int = 1, y: ID!): String! @inaccessible b: [Int!] } type T @key(fields: "id") { id: ID! }'],
  ])('sees %s', (_, sdl) => {
    expect(canonicalSdl(sdl)).not.toBe(canonical);
  });
});
