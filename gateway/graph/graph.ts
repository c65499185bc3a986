// Holds the present graph. The first is loaded by ApolloGateway as a library, which provides schema and planner, and composes and executes nothing; those that
// replace it are made of the same parts, without holding the event loop for as long.
import { ApolloGateway } from '@apollo/gateway';
import type { Schema } from '@apollo/federation-internals';
import type { QueryPlanner } from '@apollo/query-planner';
import { type GraphQLSchema, buildASTSchema, parse } from 'graphql';
import type { Log } from '#platform/log.ts';
import { declaredFields } from '../../schema/declared-fields.ts';
import { type AccessRules, accessRulesOf } from './access-rules.ts';
import { type PlanningSchema, planningOf } from './planning/plan-document.ts';
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

/** What a graph is made of when the subgraphs' contracts have changed, as `schema/composition.ts` writes it. Both are valid. */
export interface GraphText {
  supergraph: string;
  /** The public API of the supergraph. */
  api: string;
}

export interface LoadedGraph {
  current(): Graph;
  /** Makes a graph beside the present one. It takes several turns of the event loop, of some tens of milliseconds each for four subgraphs. */
  make(text: GraphText): Promise<Graph>;
  /** From now on the present graph. */
  adopt(graph: Graph): void;
  close(): Promise<void>;
}

export async function loadGraph(supergraphSdl: string, log: Log): Promise<LoadedGraph> {
  // Without this setting the library sends telemetry to its makers and asks cloud metadata services where it runs.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  const gateway = new ApolloGateway({
    supergraphSdl,
    // Our executors call our sources; the library's own data sources are never used.
    buildService: () => ({ process: () => Promise.reject(new Error('the library executed a plan by itself')) }),
    logger: { debug: () => {}, info: () => {}, warn: (message) => log.warn(message), error: (message) => log.error(message) },
    __exposeQueryPlanExperimental: false,
    validateSupergraph: true,
  });
  await gateway.load();
  const { schema, apiSchema, supergraphSchema, queryPlanner } = gateway as unknown as {
    schema: GraphQLSchema;
    apiSchema: Schema;
    supergraphSchema: GraphQLSchema;
    queryPlanner: QueryPlanner;
  };
  let graph: Graph = {
    sdl: supergraphSdl,
    apiSchema: schema,
    supergraphSchema,
    plannerSchema: apiSchema,
    planner: queryPlanner,
    ...readFrom(supergraphSdl),
  };
  return {
    current: () => graph,
    make: makeGraph,
    adopt(next) {
      graph = next;
    },
    close: () => gateway.stop(),
  };
}

/** What a supergraph says of its fields. */
function readFrom(sdl: string): Pick<Graph, 'weights' | 'access' | 'shown'> {
  const fields = [...declaredFields(sdl)];
  return { weights: weightsOf(fields), access: accessRulesOf(fields), shown: new ShownSchemas(sdl) };
}

/** The same as the library makes of it, in parts, so that requests are answered between them. The planner is made when this thread first has to plan by itself. */
async function makeGraph({ supergraph: sdl, api }: GraphText): Promise<Graph> {
  const schemaOf = (text: string) => buildASTSchema(parse(text, { noLocation: true }), { assumeValid: true, assumeValidSDL: true });
  const apiSchema = schemaOf(api);
  await turn();
  const supergraphSchema = schemaOf(sdl);
  await turn();
  const read = readFrom(sdl);
  let planning: { plannerSchema: Schema; planner: QueryPlanner } | undefined;
  const plan = () => (planning ??= planningOf(sdl));
  return {
    sdl,
    apiSchema,
    supergraphSchema,
    ...read,
    get plannerSchema() {
      return plan().plannerSchema;
    },
    get planner() {
      return plan().planner;
    },
  };
}

/** Lets what waits run first. */
const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));
