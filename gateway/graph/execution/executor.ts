// The seam between planning and execution: an executor makes a planned operation runnable, once; the gateway runs it per call.
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
  /** Coerced against the operation, defaults filled in. */
  variables: Record<string, unknown>;
  viewer: Viewer;
  signal?: AbortSignal;
  sources: Sources;
}

export interface RunnableOperation {
  /**
   * Runs the plan. Errors keep the extensions that the subgraph gave them and carry the path in the operation; the gateway masks what is left.
   * `event`: for a subscription, what its primary fetch gave this time.
   */
  run(call: ExecutorCall, event?: ExecutionResult): Promise<ExecutionResult>;
}

export interface Executor {
  compile(planned: PlannedOperation): RunnableOperation;
}
