// Operations are typed from the published graph (schema/api.graphql). Type imports only reach the generated file, so that a test can
// load every operation in plain Node and validate it against the graph.
import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../../.svelte-kit/graphql-env.d.ts';

export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    /** A count of bytes as a decimal string: exact at any size. */
    Bytes: string;
    /** A UTC day, YYYY-MM-DD. */
    Date: string;
    /** An instant, ISO 8601 in UTC. */
    DateTime: string;
    /** What the sentence of a reason names. */
    Params: Record<string, string | number>;
  };
}>();

export { type ResultOf, type VariablesOf } from 'gql.tada';
