// Composes the contracts into supergraph.graphql, and prints the public API of that graph to api.graphql, and to pages.graphql as the dashboard reads it.
// `npm run compose` writes both, and the print of the events' contract; the contract tests only compare. With --publish the API schema also becomes the published one, which later ones may not break.
import { readFileSync, writeFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { type FieldDefinitionNode, Kind, parse, print, printSchema, visit } from 'graphql';
import { declaredFields, directiveOf } from './declared-fields.ts';
import { writePrintedEvents } from './print-events.ts';
import { SUBGRAPHS, type SubgraphName } from './subgraphs.ts';

const file = (name: string) => new URL(`./${name}.graphql`, import.meta.url);
const read = (name: string) => readFileSync(file(name), 'utf8');

/** The contract of one subgraph, as written by hand. */
export const contractOf = (name: SubgraphName): string => read(name);

/** The committed supergraph that the gateway loads. */
export const supergraphSdl = (): string => read('supergraph');

/** The committed public API: what customers see, without federation's and the gateway's own parts. */
export const apiSdl = (): string => read('api');

/** The API schema as it was last published; what it has must stay. */
export const publishedSdl = (): string => read('published');

/** The committed public API as the dashboard's pages read it. */
export const pagesSdl = (): string => read('pages');

/** Composes the contracts. Throws one Error that lists every composition error. */
export function compose(): { supergraph: string; api: string; pages: string } {
  const result = composeServices(SUBGRAPHS.map((name) => ({ name, typeDefs: parse(contractOf(name)), url: `egress://${name}` })));
  if (result.errors) throw new Error(result.errors.map((error) => error.message).join('\n'));
  const head = '# Made by schema/compose.ts from the four contracts; never edited.\n';
  const api = Supergraph.build(result.supergraphSdl).apiSchema().toGraphQLJSSchema();
  const printed = printSchema(api);
  return {
    supergraph: `${head}${result.supergraphSdl}`,
    api: `${head}${printed}\n`,
    pages: `${head}${withoutErrorNulls(printed, result.supergraphSdl)}\n`,
  };
}

/** A page takes an answer with an error for none, so what is null only beside an error (`@semanticNonNull`) is never null to it. */
function withoutErrorNulls(apiSdl: string, supergraph: string): string {
  const never = new Set<string>();
  for (const field of declaredFields(supergraph)) if (directiveOf(field, 'semanticNonNull')) never.add(field.id);
  const toStrict = (type: string, field: FieldDefinitionNode): FieldDefinitionNode =>
    never.has(`${type}.${field.name.value}`) && field.type.kind !== Kind.NON_NULL_TYPE
      ? { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } }
      : field;
  return print(
    visit(parse(apiSdl, { noLocation: true }), {
      ObjectTypeDefinition: (node) => ({ ...node, fields: node.fields?.map((field) => toStrict(node.name.value, field)) }),
    }),
  );
}

if (import.meta.main) {
  const { supergraph, api, pages } = compose();
  writeFileSync(file('supergraph'), supergraph);
  writeFileSync(file('api'), api);
  writeFileSync(file('pages'), pages);
  if (process.argv.includes('--publish')) writeFileSync(file('published'), api);
  writePrintedEvents();
}
