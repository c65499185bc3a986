// The four subgraphs as their code defines them.
import type { GraphQLSchema } from 'graphql';
import { SUBGRAPH_DEFINITIONS } from '../../all-subgraphs.ts';
import { contractOf } from '../../schema/contracts.ts';
import { declaredFields, directiveOf } from '../../schema/declared-fields.ts';
import type { SubgraphName } from '../../schema/subgraphs.ts';

export const SCHEMAS = Object.fromEntries(
  await Promise.all(Object.entries(SUBGRAPH_DEFINITIONS).map(async ([name, { schema }]) => [name, await schema()] as const)),
) as Record<SubgraphName, GraphQLSchema>;

export interface RootField {
  subgraph: string;
  /** Query.name */
  path: string;
  /** The scopes that the code declares; undefined if none. */
  scopes: Record<string, unknown> | ((...args: never[]) => unknown) | undefined;
}

/** Every root field of every subgraph, except federation's. */
export const rootFields = (): RootField[] =>
  Object.entries(SCHEMAS).flatMap(([subgraph, schema]) =>
    [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {})
        .filter(({ name }) => !name.startsWith('_'))
        .map((field) => ({
          subgraph,
          path: `${type?.name}.${field.name}`,
          scopes: (field.extensions['pothosOptions'] as { authScopes?: RootField['scopes'] } | undefined)?.authScopes,
        })),
    ),
  );

/** The fields, as `Type.field`, that a contract hides from the API. */
export const hiddenFields = (name: SubgraphName): ReadonlySet<string> =>
  new Set([...declaredFields(contractOf(name))].filter((field) => directiveOf(field, 'inaccessible')).map(({ id }) => id));
