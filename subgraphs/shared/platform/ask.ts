// One way to ask a subgraph, in this process or another, over the text of an operation: its data, or the Failure that it answers with.
import type { ExecutionResult } from 'graphql';
import { type Failure, fail, fromExtensions } from './errors.ts';
import type { Viewer } from './identity.ts';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

/** What can be asked, as far as this needs it. */
export interface Askable {
  execute(request: SubgraphRequest, viewer: Viewer): Promise<ExecutionResult>;
}

/** The data of one operation as this viewer. Throws the first Failure that is in the answer, `internal` where it has neither data nor a code of the catalogue. */
export type Ask = <Data = Record<string, unknown>>(query: string, variables: Record<string, unknown>, viewer: Viewer) => Promise<Data>;

export const askerOf =
  (source: Askable): Ask =>
  async (query, variables, viewer) =>
    dataOf(await source.execute({ query, variables }, viewer));

/** The first error of an answer; undefined where it has none. Whoever answered has logged and masked what is no failure of the catalogue. */
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
