// From the contracts to the graph: the supergraph, its public API, and that API as the dashboard reads it.
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { type DocumentNode, type FieldDefinitionNode, Kind, parse, print, printSchema, visit } from 'graphql';
import type { Contracts } from './contracts.ts';
import { declaredFields, directiveOf } from './declared-fields.ts';

export interface Composed {
  supergraph: string;
  api: string;
  pages: string;
}

/** Composes contracts. Throws one Error that lists every composition error. */
export function compose(contracts: Contracts): Composed {
  const subgraphs = Object.entries(contracts).map(([name, sdl]) => ({ name, typeDefs: parsed(name, sdl), url: `egress://${name}` }));
  const result = composeServices(subgraphs);
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

function parsed(name: string, contract: string): DocumentNode {
  try {
    return parse(contract);
  } catch (error) {
    throw new Error(`[${name}] ${(error as Error).message}`, { cause: error });
  }
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
