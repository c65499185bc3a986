// One graph at a time, on ApolloGateway: it composes nothing and executes nothing here, it is the authority on the schema, the planner and the swap.
import { ApolloGateway } from '@apollo/gateway';
import type { Schema } from '@apollo/federation-internals';
import type { QueryPlanner } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import type { Log } from '#platform/log.ts';
import type { PlanningSchema } from './planning/plan-document.ts';

/** One version of the graph, frozen: an operation that began on it ends on it. */
export interface Graph extends PlanningSchema {
  /** The supergraph that it was made of. */
  sdl: string;
  supergraphSchema: GraphQLSchema;
}

export interface LoadedGraph {
  current(): Graph;
  /** Swaps in another supergraph. Throws when it is not one; the present graph then stays. */
  update(supergraphSdl: string): void;
  close(): Promise<void>;
}

export async function loadGraph(supergraphSdl: string, log: Log): Promise<LoadedGraph> {
  // Without this the library reports to its makers and asks cloud metadata services where it runs.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  let update: (sdl: string) => void = () => {};
  const gateway = new ApolloGateway({
    supergraphSdl: async (hook) => {
      update = hook.update;
      return { supergraphSdl };
    },
    // Our executors call our sources; the library's own data sources are never asked.
    buildService: () => ({ process: () => Promise.reject(new Error('the library executed a plan by itself')) }),
    logger: { debug: () => {}, info: () => {}, warn: (message) => log.warn(message), error: (message) => log.error(message) },
    __exposeQueryPlanExperimental: false,
    validateSupergraph: true,
  });
  await gateway.load();

  const snapshot = (sdl: string): Graph => {
    const { schema, apiSchema, supergraphSchema, queryPlanner } = gateway as unknown as {
      schema: GraphQLSchema;
      apiSchema: Schema;
      supergraphSchema: GraphQLSchema;
      queryPlanner: QueryPlanner;
    };
    return { sdl, apiSchema: schema, supergraphSchema, plannerSchema: apiSchema, planner: queryPlanner };
  };
  let graph = snapshot(supergraphSdl);
  return {
    current: () => graph,
    update(sdl) {
      update(sdl);
      graph = snapshot(sdl);
    },
    close: () => gateway.stop(),
  };
}
