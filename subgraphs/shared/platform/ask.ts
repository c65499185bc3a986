// One way to ask a subgraph, in this process or another: an operation's text goes in; its data, or the Failure that it answers with, comes out.
import type { ExecutionResult } from 'graphql';
import { type Failure, fail, fromExtensions } from './errors.ts';
import type { Viewer } from './identity.ts';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

/** The part of a subgraph's source that is needed here. */
export interface Askable {
  execute(request: SubgraphRequest, viewer: Viewer): Promise<ExecutionResult>;
}

/** The data of one operation as this viewer. Throws the first Failure in the answer, or `internal` when it has neither data nor a code of the catalogue. */
export type Ask = <Data = Record<string, unknown>>(query: string, variables: Record<string, unknown>, viewer: Viewer) => Promise<Data>;

export const askerOf =
  (source: Askable): Ask =>
  async (query, variables, viewer) =>
    dataOf(await source.execute({ query, variables }, viewer));

/**
 * The first error of an answer; undefined when it has none. An error without a code of the catalogue becomes `internal`: the subgraph has logged and masked it.
 */
export function failureOf({ errors }: ExecutionResult): Failure | undefined {
  const [error] = errors ?? [];
  return error && (fromExtensions(error.message, error.extensions) ?? fail('internal'));
}

/** Throws as `Ask` does. */
export function dataOf<Data>(result: ExecutionResult): Data {
  const failure = failureOf(result);
  if (failure || !result.data) throw failure ?? fail('internal');
  return result.data as Data;
}
