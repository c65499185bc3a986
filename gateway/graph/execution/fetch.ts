// Compiles one fetch of a plan into a function that asks its subgraph.
import type { FetchNode, ResponsePath } from '@apollo/query-planner';
import { type ExecutionResult, GraphQLError, Kind, parse } from 'graphql';
import { toGraphQLError } from '#platform/masking.ts';
import type { ExecutorCall } from './executor.ts';
import type { Fields } from './fields.ts';
import type { Rewrites } from './rewrites.ts';

/** One run of a plan. */
export interface Run {
  call: ExecutorCall;
  /** What the subgraphs have answered so far; it can hold fields that the operation does not ask for, such as keys of entities. */
  data: Fields;
  errors: GraphQLError[];
  /** Lists and objects of the data that stand at several places of it. */
  shared: Set<unknown>;
  /** The answers of this run by what was asked, for fetches that ask the same as another. */
  answers: Map<string, Promise<ExecutionResult>>;
}

/** Asks the subgraph. `asked`: the same text for fetches of a run that ask the same, which are then asked once. */
export type Ask = (run: Run, representations?: Fields[], asked?: string) => Promise<ExecutionResult | undefined>;

/** An error that the source throws becomes an error of the run; when the caller has gone away, the signal's reason is thrown instead. */
export function compileFetch(node: FetchNode, path: ResponsePath): Ask {
  const { serviceName, operation: query, operationName, variableUsages = [] } = node;

  const send = ({ sources, viewer, signal, variables: given }: ExecutorCall, representations: Fields[] | undefined) => {
    const source = sources[serviceName];
    if (!source) throw new Error(`the graph names a subgraph that is not here: ${serviceName}`);
    const variables: Fields = representations ? { representations } : {};
    for (const name of variableUsages) if (given[name] !== undefined) variables[name] = given[name];
    return source.execute(operationName ? { query, variables, operationName } : { query, variables }, viewer, signal);
  };
  const sendOnce = ({ call, answers }: Run, representations: Fields[] | undefined, asked: string) => {
    const known = answers.get(asked);
    if (known) return known;
    const answer = send(call, representations);
    answers.set(asked, answer);
    return answer;
  };

  return async (run, representations, asked) => {
    const { signal } = run.call;
    signal?.throwIfAborted();
    try {
      return await (asked === undefined ? send(run.call, representations) : sendOnce(run, representations, asked));
    } catch (error) {
      signal?.throwIfAborted();
      for (const place of placesOf(node, path)) run.errors.push(at(toGraphQLError(error), place));
      return undefined;
    }
  };
}

/** The paths of a fetch that failed as a whole: the field above the first list, or at the root each field that it asks for. */
export function placesOf(node: FetchNode, path: ResponsePath): readonly ResponsePath[] {
  if (path.length > 0) return [beforeLists(path)];
  let places = rootPlaces.get(node);
  if (!places) rootPlaces.set(node, (places = rootPlacesOf(node)));
  return places;
}

/** Kept, since a subgraph that is away fails every request. */
const rootPlaces = new WeakMap<FetchNode, readonly ResponsePath[]>();

function rootPlacesOf({ operation }: FetchNode): ResponsePath[] {
  const asked = parse(operation).definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const keys = (asked?.selectionSet.selections ?? []).flatMap((node) =>
    node.kind === Kind.FIELD ? [(node.alias ?? node.name).value] : [],
  );
  return [...new Set(keys)].map((key) => [key]);
}

/** The field above the first list of a path. */
export const beforeLists = (path: ResponsePath): ResponsePath => {
  const list = path.indexOf('@');
  return list === -1 ? path : path.slice(0, list);
};

/** The path in the operation for one in a subgraph's answer. */
export const named = (path: readonly (string | number)[], rewrites: Rewrites | undefined) =>
  rewrites ? path.map((element) => (typeof element === 'string' ? rewrites.nameOf(element) : element)) : path;

export const at = (error: GraphQLError, path: readonly (string | number)[] | undefined): GraphQLError =>
  new GraphQLError(error.message, { path: path ?? null, extensions: error.extensions, originalError: error });
