// Compiled queries answer as graphql-js does, and those that compiled code answers differently are left to graphql-js.
import {
  type GraphQLError,
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  execute,
  parse,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { CompiledQueries } from '#platform/compiled-queries.ts';
import { Failure, fail } from '#platform/errors.ts';

interface Item {
  id: string;
  size: number | null;
}
type Fields<Source> = Record<string, GraphQLFieldConfig<Source, { who: string }>>;

const must = <Type extends ConstructorParameters<typeof GraphQLNonNull>[0]>(type: Type) => new GraphQLNonNull(type);
const later = <Value>(value: Value): Promise<Value> => new Promise((resolve) => setImmediate(() => resolve(value)));

const Day = new GraphQLScalarType<Date, string>({
  name: 'Day',
  serialize: (value) => (value as Date).toISOString().slice(0, 10),
  parseValue(value) {
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) throw new TypeError('not a day');
    return new Date(value);
  },
});
const Colour = new GraphQLEnumType({ name: 'Colour', values: { RED: { value: 'r' }, BLUE: { value: 'b' } } });
const Place = new GraphQLInputObjectType({
  name: 'Place',
  fields: {
    city: { type: must(GraphQLString) },
    zips: { type: new GraphQLList(must(GraphQLString)) },
    colour: { type: Colour, defaultValue: 'b' },
  },
});
const Thing: GraphQLObjectType = new GraphQLObjectType<Item>({
  name: 'Thing',
  fields: (): Fields<Item> => ({
    id: { type: must(GraphQLID) },
    size: { type: GraphQLInt },
    mustSize: { type: must(GraphQLInt), resolve: ({ size }) => size },
    words: { type: must(new GraphQLList(must(GraphQLString))), resolve: ({ id }) => [id, later('late')] },
    refused: { type: GraphQLString, resolve: () => Promise.reject(fail('plan_not_found')) },
    thrown: {
      type: must(GraphQLString),
      resolve() {
        throw fail('forbidden');
      },
    },
    inner: { type: Thing, resolve: ({ id }) => later(id === 'deep' ? null : { id: 'deep', size: null }) },
  }),
});
const fields: Fields<unknown> = {
  thing: { type: Thing, resolve: () => later({ id: 'one', size: 7 }) },
  small: { type: Thing, resolve: () => ({ id: 'small', size: null }) },
  things: { type: new GraphQLList(must(Thing)), resolve: () => later([{ id: 'one', size: 7 }]) },
  colour: { type: must(Colour), args: { place: { type: must(Place) } }, resolve: (_, { place }) => place.colour ?? 'r' },
  said: {
    type: must(GraphQLString),
    args: { place: { type: Place }, day: { type: Day }, n: { type: GraphQLInt, defaultValue: 3 } },
    resolve: (_, { place, day, n }) => JSON.stringify({ place, day, n }),
  },
  day: { type: Day, args: { bad: { type: GraphQLBoolean } }, resolve: (_, { bad }) => new Date(bad ? Number.NaN : 0) },
  asked: { type: must(GraphQLString), resolve: (_, _args, { who }, { fieldName, path }) => `${who} ${fieldName} ${path.key}` },
};
const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields }) });

/** A result as it is masked: a failure is told by its code, everything else is a bug. */
const told = (result: { data?: unknown; errors?: readonly GraphQLError[] }) => ({
  data: JSON.parse(JSON.stringify(result.data ?? null)),
  errors: (result.errors ?? []).map(({ message, path, originalError }) => ({
    message,
    path,
    code: originalError instanceof Failure ? originalError.code : undefined,
  })),
});

describe.each([
  ['objects in objects', '{ thing { id size words inner { id inner { id } } __typename } }', {}],
  ['aliases and fragments', '{ a: thing { ...F } thing { b: id } } fragment F on Thing { id inner { size } }', {}],
  ['what is skipped or included', 'query ($s: Boolean!) { thing { id @skip(if: $s) size @include(if: $s) } }', { s: true }],
  ['a refusal of a nullable value', '{ thing { id refused } }', {}],
  ['a refusal of a value that must be', '{ thing { id thrown } small { id } }', {}],
  ['null where no null may be', '{ small { mustSize } thing { id } }', {}],
  ['a value that its scalar refuses', '{ day(bad: true) asked }', {}],
  ['values of scalars and of the context', '{ day it: asked }', {}],
  [
    'inputs with defaults',
    'query ($p: Place!, $d: Day) { said(place: $p, day: $d) colour(place: $p) }',
    { p: { city: 'Köln', zips: ['1'] }, d: '2026-01-02' },
  ],
  ['inputs that are absent or null', 'query ($p: Place, $n: Int = 5) { said(place: $p, n: $n) b: said(place: null) }', { p: null }],
  ['inputs in the text', '{ said(place: { city: "Ulm", colour: RED }, day: "2026-01-02", n: 1) }', {}],
])('%s', (_, text, variables) => {
  test('are as of graphql-js', async () => {
    const document = parse(text, { noLocation: true });
    expect(validate(schema, document)).toEqual([]);
    const queries = new CompiledQueries(schema);
    const context = { who: 'me' };
    expect(queries.of(document, undefined)).toBeUndefined();
    const compiled = queries.of(document, undefined);
    expect(compiled).toBeTypeOf('function');
    const expected = told(await execute({ schema, document, variableValues: variables, contextValue: context }));
    expect(told((await compiled?.(undefined, context, variables)) ?? {})).toEqual(expected);
  });
});

describe('graphql-js runs', () => {
  const second = (text: string) => {
    const queries = new CompiledQueries(schema);
    const document = parse(text);
    queries.of(document, undefined);
    return queries.of(document, undefined);
  };

  test.each(['{ things { id } }', '{ thing { id } things { id } }', '{ __schema { types { name } } }'])('%s', (text) => {
    expect(second(text)).toBeUndefined();
  });

  test('what has variables that do not fit, to say so in its words', async () => {
    const compiled = second('query ($d: Day!) { said(day: $d) }');
    expect((await compiled?.(undefined, {}, { d: 'never' }))?.data).toBeUndefined();
  });
});
