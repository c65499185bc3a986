// Holds the present graph, with ApolloGateway as a library: it loads the supergraph and provides schema, planner and replacement; it composes and executes nothing.
import { ApolloGateway } from '@apollo/gateway';
import type { Schema } from '@apollo/federation-internals';
import type { QueryPlanner } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import type { Log } from '#platform/log.ts';
import { declaredFields } from '../../schema/declared-fields.ts';
import { type AccessRules, accessRulesOf } from './access-rules.ts';
import type { PlanningSchema } from './planning/plan-document.ts';
import { ShownSchemas } from './shown-schemas.ts';
import { weightsOf } from './weights.ts';

/** One version of the graph, which never changes: an operation ends on the graph on which it began. */
export interface Graph extends PlanningSchema {
  /** The supergraph from which the graph was built. */
  sdl: string;
  supergraphSchema: GraphQLSchema;
  access: AccessRules;
  shown: ShownSchemas;
}

export interface LoadedGraph {
  current(): Graph;
  /** Replaces the supergraph. Throws when the new one is not valid; the present graph then stays. */
  update(supergraphSdl: string): void;
  close(): Promise<void>;
}

export async function loadGraph(supergraphSdl: string, log: Log): Promise<LoadedGraph> {
  // Without this setting the library sends telemetry to its makers and asks cloud metadata services where it runs.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  let update: (sdl: string) => void = () => {};
  const gateway = new ApolloGateway({
    supergraphSdl: async (hook) => {
      update = hook.update;
      return { supergraphSdl };
    },
    // Our executors call our sources; the library's own data sources are never used.
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
    const fields = [...declaredFields(sdl)];
    return {
      sdl,
      apiSchema: schema,
      supergraphSchema,
      plannerSchema: apiSchema,
      planner: queryPlanner,
      weights: weightsOf(fields),
      access: accessRulesOf(fields),
      shown: new ShownSchemas(sdl),
    };
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
