// Prepares the endpoints: compiles their readers and prepares their operations. REST and MCP differ only in how they write the answer.
import { failureOf } from '#platform/ask.ts';
import { Failure, fail } from '#platform/errors.ts';
import type { Scope, Viewer } from '#platform/identity.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import { scopeMissing } from '../gateway/graph/access-rules.ts';
import type { OperationCost } from '../gateway/graph/operation-cost.ts';
import type { Rate } from '../gateway/http/rate-limit.ts';
import type { Graph, Operation } from './graph.ts';
import { type FieldName, type Input, inFieldNames, inputReader } from './input.ts';

export interface Call {
  raw: Input;
  fieldName: FieldName;
  viewer: Viewer;
  signal: AbortSignal;
}

export interface Answer {
  data: object;
  message: string;
  /** What is left of the key's budget of costs; undefined where costs are not counted. */
  budget: Rate | undefined;
}

export interface ReadyEndpoint {
  endpoint: AnyEndpoint;
  /** Resolves to the data in the form in which it is sent, and its message. Rejects with a Failure that has the protocol's field names; any other error is a bug. */
  call(call: Call): Promise<Answer>;
}

/** Prepares all operations; throws when one is not valid on this graph. */
export const prepareEndpoints = (graph: Graph): ReadyEndpoint[] =>
  ENDPOINTS.map((endpoint) => {
    const read = inputReader(endpoint);
    const operation = graph.prepare(endpoint.operation);
    return {
      endpoint,
      async call({ raw, fieldName, viewer, signal }) {
        requireScope(viewer, endpoint.scope);
        const input = read(raw, fieldName);
        const inWords = (failure: Failure) => inFieldNames(endpoint, failure, fieldName);
        const result = await run(operation, endpoint.variables(input), viewer, signal, inWords);
        const data = shown(endpoint, result.data, input, inWords);
        const note = endpoint.note?.(input, data);
        const message = note === undefined ? endpoint.message : `${endpoint.message} ${note}`;
        return { data, message, budget: result.cost?.budget };
      },
    };
  });

/** The subgraph checks the scope again; only here can the failure name the scope that is missing. */
export function requireScope(viewer: Viewer, scope: Scope): void {
  if (viewer.kind === 'key' && !viewer.scopes.includes(scope)) throw scopeMissing(scope);
}

function shown(endpoint: AnyEndpoint, result: never, input: Input, inWords: (failure: Failure) => Failure): object {
  try {
    return endpoint.data(result, input);
  } catch (error) {
    throw error instanceof Failure ? inWords(error) : error;
  }
}

async function run(operation: Operation, variables: Input, viewer: Viewer, signal: AbortSignal, inWords: (failure: Failure) => Failure) {
  const result = await operation(variables, viewer, signal);
  const failure = failureOf(result);
  if (failure) throw inWords(ownFault(failure));
  if (!result.data) throw new Error('the graph answered neither data nor errors');
  return { data: result.data as never, cost: result.extensions?.['cost'] as OperationCost | undefined };
}

/** The key has been accepted by now: a 401 from a subgraph, or the refusal of our fixed operation, is our fault and not the caller's. */
const ownFault = (failure: Failure): Failure => (failure.status === 401 || failure.code === 'query_refused' ? fail('internal') : failure);
