// What the adapter needs of the graph: somebody who says who is calling, and the six fixed operations.
import type { ExecutionResult } from 'graphql';
import type { Origin, Viewer } from '#platform/identity.ts';
import type { Access, Admission } from '../gateway/sign-in/access.ts';
import type { Gateway } from '../gateway/graph/gateway.ts';

/** Runs one prepared operation. Rejects with the signal's reason when the caller has gone. */
export type Operation = (variables: Record<string, unknown>, viewer: Viewer, signal: AbortSignal) => Promise<ExecutionResult>;

export interface Graph {
  /** Resolves and counts a request by its Authorization header: a viewer, or the failure to answer with. */
  admit(authorization: string | undefined, origin: Origin): Promise<Admission>;
  /** Parses, validates and plans at once; throws when the document is not one of this graph. */
  prepare(document: string): Operation;
  close(): Promise<void>;
}

/** The graph in this process: no HTTP hop, no parsing per call. The gateway stays its owner's to close. */
export const localGraph = (gateway: Gateway, access: Access): Graph => ({
  admit: access.admitKey,
  prepare(document) {
    const prepared = gateway.prepare(document);
    return (variables, viewer, signal) => gateway.execute(prepared, { variables, viewer, signal });
  },
  close: async () => {},
});
