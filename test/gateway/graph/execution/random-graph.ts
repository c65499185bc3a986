// A random supergraph: entities whose fields are spread over three subgraphs, refer to each other, are required by each other, are provided, and fail or are null now and then.
import { createHash } from 'node:crypto';
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, parse } from 'graphql';
import { fail } from '#platform/errors.ts';
import type { Subgraph } from '#platform/subgraph.ts';
import type { Pick } from './random-operations.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@shareable", "@inaccessible", "@external", "@requires", "@provides"])';
const SUBGRAPHS = ['one', 'two', 'three'] as const;
type SubgraphName = (typeof SUBGRAPHS)[number];
const TYPES = ['Ape', 'Bee', 'Cat', 'Dog'];
const IDS = 5;
const TEXTS = [
  '',
  'plain',
  'a "quoted" \\ one\n',
  'Grüße, 東京',
  '\u{1f600} and more text than fits a short loop',
  '\u2028\u007f',
  '</script>',
];

interface Field {
  name: string;
  type: string;
  home: SubgraphName;
  /** A field of another subgraph from which this one is computed. */
  requires?: string;
}

/** A number that is always the same for the same words. */
const numberOf = (...words: unknown[]): number => createHash('sha256').update(JSON.stringify(words)).digest().readUInt32BE(0);

export function randomGraph(seed: number): { supergraphSdl: string; subgraphs: Subgraph[] } {
  let count = 0;
  const pick: Pick = (limit) => numberOf(seed, count++) % limit;
  const home = () => SUBGRAPHS[pick(SUBGRAPHS.length)] ?? 'one';
  const other = () => TYPES[pick(TYPES.length)] ?? 'Ape';
  const fields = new Map(
    TYPES.map((type) => {
      const own: Field[] = [
        { name: 'text', type: pick(4) ? 'String' : 'String!', home: home() },
        { name: 'size', type: 'Int', home: home() },
        { name: 'mood', type: 'Mood', home: home() },
        { name: 'ratio', type: 'Float', home: home() },
        { name: 'sure', type: pick(3) ? 'Boolean' : 'Boolean!', home: home() },
        { name: 'friend', type: other(), home: home() },
        { name: 'friends', type: pick(2) ? `[${other()}!]` : `[${other()}]!`, home: home() },
        { name: 'rows', type: `[[${other()}]]`, home: home() },
        { name: 'thing', type: 'Thing', home: 'one' },
        { name: 'either', type: '[Either]', home: 'one' },
      ];
      const size = own.find(({ name }) => name === 'size');
      const elsewhere = SUBGRAPHS.find((name) => name !== size?.home) ?? 'two';
      return [type, [...own, { name: 'double', type: 'Int', home: elsewhere, requires: 'size' }]] as const;
    }),
  );
  const sdl = (subgraph: SubgraphName) => subgraphSdl(subgraph, fields);
  const composed = composeServices(SUBGRAPHS.map((name) => ({ name, typeDefs: parse(sdl(name)), url: `test://${name}` })));
  if (composed.errors) throw new Error(composed.errors.map((error) => error.message).join('\n'));
  const subgraphs = SUBGRAPHS.map((name) => ({
    name,
    schema: buildSubgraphSchema({ typeDefs: parse(sdl(name)), resolvers: resolversOf(name, seed, fields) as never }) as GraphQLSchema,
    context: () => ({}),
  }));
  return { supergraphSdl: composed.supergraphSdl, subgraphs };
}

/** Every subgraph knows every entity; the first one has the interface, the union, and the root fields. */
function subgraphSdl(subgraph: SubgraphName, fields: ReadonlyMap<string, readonly Field[]>): string {
  const first = subgraph === 'one';
  const types = [...fields].map(([type, all]) => {
    const here = all.filter((field) => field.home === subgraph);
    const lines = here.map(({ name, type: of, requires }) => `${name}: ${of}${requires ? ` @requires(fields: "${requires}")` : ''}`);
    const outside = here.flatMap(({ requires }) => (requires ? [`${requires}: Int @external`] : []));
    return `type ${type}${first ? ' implements Thing' : ''} @key(fields: "id") { id: ID! ${[...lines, ...outside].join(' ')} }`;
  });
  const shared = ['enum Mood { GOOD BAD HIDDEN @inaccessible }'];
  if (first) shared.push('interface Thing { id: ID! }', `union Either = ${TYPES.join(' | ')}`);
  const roots = first
    ? `type Query { things: [Thing] either: Either ${TYPES.map((type) => `${type.toLowerCase()}(id: ID!): ${type} all${type}s(first: Int): [${type}!]`).join(' ')} }`
    : `type Query { ${subgraph}Ready: Boolean ${subgraph}Apes(first: Int): [Ape] }`;
  return [LINK, ...shared, ...types, roots].join('\n');
}

interface Entity {
  __typename: string;
  id: string;
  size?: number | null;
}

function resolversOf(subgraph: SubgraphName, seed: number, fields: ReadonlyMap<string, readonly Field[]>): Record<string, unknown> {
  const entity = (type: string, number: number): Entity => ({ __typename: type, id: String(number % IDS) });
  const any = (number: number) => entity(TYPES[number % TYPES.length] ?? 'Ape', number >> 4);
  const valueOf = (type: string, number: number): unknown => {
    if (number % 11 === 0) return null;
    if (type.endsWith('!')) return valueOf(type.slice(0, -1), number);
    if (type.startsWith('[')) return Array.from({ length: number % 4 }, (_, index) => valueOf(type.slice(1, -1), numberOf(number, index)));
    if (type === 'String') return TEXTS[number % TEXTS.length];
    if (type === 'Int') return number % 1_000;
    if (type === 'Float') return number / 7;
    if (type === 'Boolean') return number % 2 === 0;
    if (type === 'Mood') return number % 9 === 0 ? 'HIDDEN' : number % 2 ? 'GOOD' : 'BAD';
    return type === 'Thing' || type === 'Either' ? any(number) : entity(type, number);
  };
  const resolve =
    ({ name, type, requires }: Field) =>
    (from: Entity) => {
      const number = numberOf(seed, from.__typename, from.id, name);
      if (number % 13 === 0) throw fail('plan_expired');
      if (requires) return from.size === null || from.size === undefined ? null : from.size * 2;
      return valueOf(type, number);
    };
  const types = [...fields].map(([type, all]) => [
    type,
    {
      __resolveReference: (given: Entity) =>
        numberOf(seed, 'gone', subgraph, given.id) % 17 === 0 ? null : { ...given, __typename: type },
      ...Object.fromEntries(all.filter((field) => field.home === subgraph).map((field) => [field.name, resolve(field)])),
    },
  ]);
  const list = (type: string, first = 6) => Array.from({ length: first }, (_, index) => entity(type, index));
  const roots = TYPES.flatMap((type) => [
    [type.toLowerCase(), (_: unknown, { id }: { id: string }) => (id === 'gone' ? null : { __typename: type, id })],
    [`all${type}s`, (_: unknown, { first }: { first?: number }) => list(type, first ?? undefined)],
  ]);
  const first = {
    Thing: { __resolveType: ({ __typename }: Entity) => __typename },
    Either: { __resolveType: ({ __typename }: Entity) => __typename },
    Query: {
      things: () => Array.from({ length: 7 }, (_, index) => any(numberOf(seed, index))),
      either: () => any(seed),
      ...Object.fromEntries(roots),
    },
  };
  const query = {
    [`${subgraph}Ready`]: () => true,
    [`${subgraph}Apes`]: (_: unknown, { first: n }: { first?: number }) => list('Ape', n ?? undefined),
  };
  return { ...Object.fromEntries(types), ...(subgraph === 'one' ? first : { Query: query }) };
}
