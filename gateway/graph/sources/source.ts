// A subgraph as the gateway uses it: in this process or over HTTP, with the same answers.
import type { ExecutionResult } from 'graphql';
import type { Viewer } from '#platform/identity.ts';
import type { SubgraphRequest } from '#platform/ask.ts';
import type { ResultStream } from '#platform/subgraph-runner.ts';

export type { ResultStream, SubgraphRequest };

/** Errors in results are masked (their `extensions.code` is of the catalogue). Both methods reject with a Failure when the subgraph could not be reached in time. */
export interface Source {
  execute(request: SubgraphRequest, viewer: Viewer, signal?: AbortSignal): Promise<ExecutionResult>;
  subscribe(request: SubgraphRequest, viewer: Viewer, signal?: AbortSignal): Promise<ResultStream | ExecutionResult>;
  close?(): Promise<void>;
}

export type Sources = Readonly<Record<string, Source>>;
