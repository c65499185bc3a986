// Operations are typed by the published graph (schema/pages.graphql). The generated file is imported only as a type, so that a test can load all operations in plain Node and validate them.
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
    /** The values that the sentence of a reason contains. */
    Params: Record<string, string | number>;
  };
}>();

export { type ResultOf, type VariablesOf } from 'gql.tada';
