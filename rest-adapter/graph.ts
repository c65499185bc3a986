// What the adapter needs of the graph: the admission of callers, and its fixed operations.
import type { ExecutionResult } from 'graphql';
import type { Viewer } from '#platform/identity.ts';
import type { Access } from '../gateway/sign-in/access.ts';
import type { Gateway } from '../gateway/graph/gateway.ts';

/** Runs one prepared operation. Rejects with the signal's reason when the caller has gone. */
export type Operation = (variables: Record<string, unknown>, viewer: Viewer, signal: AbortSignal) => Promise<ExecutionResult>;

export interface Graph {
  /** Looks up the caller by the Authorization header, as `admitKey` does, and counts the request: a viewer, or the failure to answer with. */
  admit: Access['admitKey'];
  /** Prepares a fixed operation. Throws when the document is not valid on this graph; a remote graph finds that out only at the first call. */
  prepare(document: string): Operation;
  close(): Promise<void>;
}

/** The graph in this process: no HTTP in between, no parsing per call. `close` does nothing: the owner of the gateway closes it. */
export const localGraph = (gateway: Gateway, access: Access): Graph => ({
  admit: access.admitKey,
  prepare(document) {
    const prepared = gateway.prepare(document);
    return (variables, viewer, signal) => gateway.execute(prepared, { variables, viewer, signal });
  },
  close: async () => {},
});
