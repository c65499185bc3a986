// The four subgraphs as their code defines them.
import type { GraphQLSchema } from 'graphql';
import type { SubgraphName } from '../../schema/compose.ts';
import { accounts } from '../../subgraphs/accounts/subgraph.ts';
import { compute } from '../../subgraphs/compute/subgraph.ts';
import { residential } from '../../subgraphs/residential/subgraph.ts';
import { staticProxies } from '../../subgraphs/static/subgraph.ts';

export const SCHEMAS: Record<SubgraphName, GraphQLSchema> = {
  accounts: accounts.schema,
  residential: residential.schema,
  static: staticProxies.schema,
  compute: compute.schema,
};

export interface RootField {
  subgraph: string;
  /** Query.name */
  path: string;
  /** What the code declares; undefined when it declares nothing. */
  scopes: Record<string, unknown> | ((...args: never[]) => unknown) | undefined;
}

/** Every root field of every subgraph, but federation's own. */
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
