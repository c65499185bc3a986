// The interface between planning and execution: an executor compiles a planned operation once, and the gateway runs the result for each call.
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from 'graphql';
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
  sources: Sources;
}

export interface RunnableOperation {
  /**
   * Runs the plan. Errors keep the extensions that the subgraph gave them and carry the path in the operation; the gateway masks the other errors.
   * `event`: for a subscription, the event that its primary fetch has received.
   */
  run(call: ExecutorCall, event?: ExecutionResult): Promise<ExecutionResult>;
}

export interface Executor {
  compile(planned: PlannedOperation): RunnableOperation;
}
