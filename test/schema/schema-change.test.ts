import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { type SchemaChange, changesBetween, tieredChanges } from '../../schema/schema-change.ts';

const BEFORE = `
  type Query { a(x: Int = 1): String b: Thing! c: Kind d(given: Given): Int }
  type Thing { id: ID! gone: Int kept: String }
  enum Kind { ONE TWO }
  input Given { x: Int }`;

const found = (after: string): SchemaChange[] => changesBetween(buildSchema(BEFORE), buildSchema(after));

describe('a change of the schema', () => {
  test.each([
    ['a field that goes', 'gone: Int', '', 'BREAKING', 'Thing.gone was removed.'],
    ['a value that goes', 'ONE TWO', 'ONE', 'BREAKING', 'TWO was removed from enum type Kind.'],
    ['an argument that must be given', '(x: Int = 1)', '(x: Int = 1, y: Int!)', 'BREAKING', 'A required arg y on Query.a was added.'],
    ['a field that may be null', 'b: Thing!', 'b: Thing', 'BREAKING', 'Query.b changed type from Thing! to Thing.'],
    ['a new value', 'ONE TWO', 'ONE TWO THREE', 'RISKY', 'THREE was added to enum type Kind.'],
    ['another default', 'x: Int = 1', 'x: Int = 2', 'RISKY', 'Query.a arg x has changed defaultValue from 1 to 2.'],
    ['a new field', 'gone: Int', 'gone: Int more: Int', 'ADDED', 'Thing.more was added.'],
    ['a field that is never null any more', 'kept: String', 'kept: String!', 'ADDED', 'Thing.kept changed type from String to String!.'],
    ['a new argument', '(x: Int = 1)', '(x: Int = 1, y: Int)', 'ADDED', 'An optional arg y on Query.a was added.'],
    ['a new field of an input', '{ x: Int }', '{ x: Int y: Int }', 'ADDED', 'An optional field y on input type Given was added.'],
    ['what is to go', 'kept: String', 'kept: String @deprecated(reason: "Old.")', 'ADDED', 'Thing.kept was deprecated: Old.'],
  ])('%s', (_what, from, to, kind, description) => {
    const changes = found(BEFORE.replace(from, to));
    expect(changes).toEqual([expect.objectContaining({ kind, description })]);
    // Only what adds needs no reason.
    expect(changes[0]?.reason !== undefined).toBe(kind !== 'ADDED');
  });

  test('a new type is told once, without each of its fields', () => {
    expect(found(`${BEFORE} type More { a: Int b: Int } extend type Query { more: More }`).map(({ description }) => description)).toEqual([
      'More was added.',
      'Query.more was added.',
    ]);
  });

  test('what breaks comes first, and nothing is told of two equal versions', () => {
    const after = BEFORE.replace('gone: Int', 'abc: Int').replace('ONE TWO', 'ONE TWO THREE');
    expect(found(after).map(({ kind }) => kind)).toEqual(['BREAKING', 'RISKY', 'ADDED']);
    expect(found(BEFORE)).toEqual([]);
  });
});

describe('each tier is told what it sees:', () => {
  const sdl = (fields: string) => `
    directive @session on FIELD_DEFINITION
    directive @staff(permission: String) on FIELD_DEFINITION
    type Query { a: Int b: Int ${fields} }`;
  const tiersOf = (before: string, after: string) =>
    tieredChanges(sdl(before), sdl(after)).map(({ description, kind, tiers }) => [kind, description, tiers]);

  test('a field for staff is told to staff alone, one for pages not to keys', () => {
    expect(tiersOf('', 'c: Int @staff d: Int @session e: Int')).toEqual([
      ['ADDED', 'Query.c was added.', ['staff']],
      ['ADDED', 'Query.d was added.', ['customer', 'staff']],
      ['ADDED', 'Query.e was added.', ['customer', 'partner', 'staff']],
    ]);
  });

  test('a field that is taken from keys is removed for them, though it stays in the API', () => {
    expect(tiersOf('c: Int', 'c: Int @session')).toEqual([['BREAKING', 'Query.c was removed.', ['partner']]]);
  });
});
