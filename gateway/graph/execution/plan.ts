// Compiles a query plan into functions that run it. Everything that does not depend on the request is computed once, here.
import type { FetchNode, PlanNode, ResponsePath } from '@apollo/query-planner';
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { toGraphQLError } from '#platform/masking.ts';
import type { ExecutorCall } from './executor.ts';
import { type Fields, merge } from './merge.ts';
import { compileRepresentation } from './representation.ts';
import { type Rewrites, compileRewrites } from './rewrites.ts';
import { placesAt, targetsAt } from './targets.ts';

/** One run of a plan. `data`: what the subgraphs have answered so far; it can hold fields that the operation does not ask for, such as keys of entities. */
export interface Run {
  call: ExecutorCall;
  data: Fields;
  errors: GraphQLError[];
}

export type Step = (run: Run) => Promise<void>;

export function compilePlan(node: PlanNode, schema: GraphQLSchema, path: ResponsePath = []): Step {
  switch (node.kind) {
    case 'Sequence': {
      const steps = node.nodes.map((child) => compilePlan(child, schema, path));
      return async (run) => {
        for (const step of steps) await step(run);
      };
    }
    case 'Parallel': {
      const steps = node.nodes.map((child) => compilePlan(child, schema, path));
      return async (run) => {
        await Promise.all(steps.map((step) => step(run)));
      };
    }
    case 'Flatten':
      return compilePlan(node.node, schema, [...path, ...node.path]);
    case 'Condition': {
      const nothing: Step = async () => {};
      const yes = node.ifClause ? compilePlan(node.ifClause, schema, path) : nothing;
      const no = node.elseClause ? compilePlan(node.elseClause, schema, path) : nothing;
      return (run) => (run.call.variables[node.condition] ? yes : no)(run);
    }
    case 'Fetch':
      return node.requires ? compileEntityFetch(node, schema, path) : compileRootFetch(node, schema, path);
    case 'Defer':
      throw new Error('the planner is not asked for @defer');
  }
}

/** Merges one answer of a plan's root fetch into the run; also used for the events of a subscription. */
export type TakeAnswer = (run: Run, answer: ExecutionResult) => void;

export function compileAnswer(node: FetchNode, schema: GraphQLSchema, path: ResponsePath = []): TakeAnswer {
  const rewrites = compileRewrites(node.outputRewrites, schema);
  return (run, answer) => {
    for (const error of answer.errors ?? []) {
      run.errors.push(at(error, error.path && [...path.filter((element) => element !== '@'), ...named(error.path, rewrites)]));
    }
    if (!answer.data) return;
    rewrites?.apply(answer.data);
    const targets = targetsAt(run.data, path);
    for (const [index, target] of targets.entries()) merge(target, answer.data, index > 0);
  };
}

function compileRootFetch(node: FetchNode, schema: GraphQLSchema, path: ResponsePath): Step {
  const fetch = compileFetch(node, path);
  const take = compileAnswer(node, schema, path);
  return async (run) => {
    if (path.length && !targetsAt(run.data, path).length) return;
    const answer = await fetch(run, {});
    if (answer) take(run, answer);
  };
}

function compileEntityFetch(node: FetchNode, schema: GraphQLSchema, path: ResponsePath): Step {
  const fetch = compileFetch(node, path);
  const represent = compileRepresentation(node.requires ?? [], schema);
  const input = compileRewrites(node.inputRewrites, schema);
  const output = compileRewrites(node.outputRewrites, schema);

  return async (run) => {
    const targets = targetsAt(run.data, path);
    const representations: Fields[] = [];
    /** For each representation, the indexes of the targets that it stands for: a list often names the same entity several times. */
    const askers: number[][] = [];
    const known = new Map<string, number>();
    for (const [index, target] of targets.entries()) {
      const representation = represent(target);
      if (!representation?.['__typename']) continue;
      input?.apply(representation);
      const key = JSON.stringify(representation);
      const place = known.get(key);
      if (place !== undefined) askers[place]?.push(index);
      else {
        known.set(key, representations.length);
        representations.push(representation);
        askers.push([index]);
      }
    }
    if (!representations.length) return;

    const answer = await fetch(run, { representations });
    if (!answer) return;
    for (const error of answer.errors ?? []) run.errors.push(...entityErrors(error, run, path, askers, output));
    if (!answer.data) return;
    const entities = answer.data['_entities'];
    if (!Array.isArray(entities) || entities.length !== representations.length) {
      throw new Error(`${node.serviceName} answered ${representations.length} representations with another number of entities`);
    }
    for (const [place, entity] of (entities as (Fields | null)[]).entries()) {
      if (!entity) continue;
      output?.apply(entity);
      const places = askers[place] ?? [];
      for (const [nth, index] of places.entries()) {
        const target = targets[index] as Fields;
        entity['__typename'] ??= target['__typename'];
        merge(target, entity, nth < places.length - 1);
      }
    }
  };
}

/** The error of one entity, repeated at the place of every target that the entity stands for. */
function entityErrors(error: GraphQLError, run: Run, path: ResponsePath, askers: number[][], output: Rewrites | undefined): GraphQLError[] {
  const [root, place, ...inner] = error.path ?? [];
  if (root !== '_entities' || typeof place !== 'number') return [at(error, beforeLists(path))];
  const places = placesAt(run.data, path);
  return (askers[place] ?? []).map((index) => at(error, [...(places[index] ?? beforeLists(path)), ...named(inner, output)]));
}

/** Calls the source. An error that it throws becomes an error of the run; when the caller has gone away, the signal's reason is thrown instead. */
function compileFetch(node: FetchNode, path: ResponsePath): (run: Run, more: Fields) => Promise<ExecutionResult | undefined> {
  const { serviceName, operation: query, operationName, variableUsages = [] } = node;
  const where = path.length ? beforeLists(path) : undefined;
  return async ({ call, errors }, more) => {
    const { sources, viewer, signal } = call;
    signal?.throwIfAborted();
    const source = sources[serviceName];
    if (!source) throw new Error(`the graph names a subgraph that is not here: ${serviceName}`);
    const variables: Fields = { ...more };
    for (const name of variableUsages) if (call.variables[name] !== undefined) variables[name] = call.variables[name];
    try {
      return await source.execute({ query, variables, ...(operationName && { operationName }) }, viewer, signal);
    } catch (error) {
      signal?.throwIfAborted();
      errors.push(at(toGraphQLError(error), where));
      return undefined;
    }
  };
}

/** The path of a fetch that failed as a whole: the field above the first list. */
const beforeLists = (path: ResponsePath): ResponsePath => {
  const list = path.indexOf('@');
  return list === -1 ? path : path.slice(0, list);
};

const named = (path: readonly (string | number)[], rewrites: Rewrites | undefined) =>
  rewrites ? path.map((element) => (typeof element === 'string' ? rewrites.nameOf(element) : element)) : path;

const at = (error: GraphQLError, path: readonly (string | number)[] | undefined): GraphQLError =>
  new GraphQLError(error.message, { path: path ?? null, extensions: error.extensions, originalError: error });
