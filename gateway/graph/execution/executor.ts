// The interface between planning and execution: an executor compiles a planned operation once, and the gateway runs the result for each call.
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode, ExecutionResult, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Viewer } from '#platform/identity.ts';
import type { Graph } from '../graph.ts';
import type { Sources } from '../sources/source.ts';

export interface PlannedOperation {
  graph: Graph;
  text: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  plan: QueryPlan;
}

export interface ExecutorCall {
  /** Coerced by the operation's definitions, with default values filled in. */
  variables: Record<string, unknown>;
  viewer: Viewer;
  signal?: AbortSignal;
  /** The schema that the caller may see; default: all of it. */
  shown?: GraphQLSchema;
  sources: Sources;
}

/** The data of an answer without errors, as JSON text. */
export class WrittenData {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface RunnableOperation {
  /**
   * Runs the plan. Errors keep the extensions that the subgraph gave them and carry the path in the operation; the gateway masks the other errors.
   * `event`: for a subscription, the event that its primary fetch has received.
   */
  run(call: ExecutorCall, event?: ExecutionResult): Promise<ExecutionResult>;
  /** Runs the plan of a query or mutation that does not ask for the schema, and writes its answer's data as text unless the answer has errors. */
  write?(call: ExecutorCall): Promise<WrittenData | ExecutionResult>;
}

export interface Executor {
  compile(planned: PlannedOperation): RunnableOperation;
}
