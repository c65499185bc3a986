// What a subgraph is to those who run it: a schema, and a context for each call. The same object serves in process and over HTTP.
import type { GraphQLSchema } from 'graphql';
import type { Viewer } from './identity.ts';

export interface Subgraph {
  name: string;
  schema: GraphQLSchema;
  /** A unit of work for one call of this viewer; `signal` aborts with the caller. */
  context(viewer: Viewer, signal?: AbortSignal): object;
}
