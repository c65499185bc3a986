// Prepares operations: parse, limit, validate, plan and compile, once per text and graph.
import { operationFromDocument } from '@apollo/federation-internals';
import type { QueryPlan } from '@apollo/query-planner';
import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { requireCleanLiterals } from '#shared/clean-text.ts';
import { type ErrorCode, Failure, fail } from '#shared/errors.ts';
import type { Viewer } from '#shared/identity.ts';
import { Lru } from '#shared/lru.ts';
import type { Executor, PlannedOperation, RunnableOperation } from './execution/executor.ts';
import type { Graph } from './graph.ts';
import { type Cost, LIMITS, checkCost, checkShape, costOf } from './limits.ts';

/** An operation that may run as often as wanted. */
export interface PreparedOperation extends PlannedOperation {
  kind: 'query' | 'mutation' | 'subscription';
  name: string | undefined;
  cost: Cost;
  runnable: RunnableOperation;
}

/** Keys read; the one change that a key may be given the right to is work on servers, and their subgraph asks for that right again. */
export function requireMayRun(viewer: Viewer, kind: PreparedOperation['kind']): void {
  if (viewer.kind === 'key' && kind === 'mutation' && !viewer.scopes.includes('servers'))
    throw fail('forbidden', {}, 'This API key may only read.');
}

/** The operation is not one of this graph, or asks for too much: nothing ran. `errors` are the reasons, safe to show, with locations. */
export class QueryRefused extends Failure {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[], code: ErrorCode = 'query_refused') {
    super(code, {}, errors[0]?.message);
    this.errors = errors;
  }
}

/** Characters of the operations that are kept prepared, some 300 times that in bytes; refused ones too, so that repeating a bad one is cheap. */
const KEPT_CHARACTERS = 262_144;

export interface Operations {
  /** Throws QueryRefused. `operationName` chooses among several operations of one document. */
  prepare(text: string, operationName?: string): PreparedOperation;
}

export function createOperations(currentGraph: () => Graph, executor: Executor): Operations {
  const prepared = new Lru<PreparedOperation | QueryRefused>(KEPT_CHARACTERS, (key) => key.length);
  let graph = currentGraph();

  return {
    prepare(text, operationName) {
      if (graph !== currentGraph()) {
        prepared.clear();
        graph = currentGraph();
      }
      const key = operationName === undefined ? text : `${operationName}\n${text}`;
      let found = prepared.get(key);
      if (!found) {
        found = attempt(() => prepareOn(graph, executor, text, operationName));
        prepared.set(key, found);
      }
      if (found instanceof QueryRefused) throw found;
      return found;
    },
  };
}

function attempt(prepare: () => PreparedOperation): PreparedOperation | QueryRefused {
  try {
    return prepare();
  } catch (error) {
    if (error instanceof QueryRefused) return error;
    if (error instanceof Failure || error instanceof GraphQLError) {
      return error instanceof GraphQLError ? new QueryRefused([error]) : new QueryRefused([new GraphQLError(error.message)], error.code);
    }
    throw error;
  }
}

function prepareOn(graph: Graph, executor: Executor, text: string, operationName: string | undefined): PreparedOperation {
  if (text.length > LIMITS.characters) throw fail('query_refused', {}, `The document has more than ${LIMITS.characters} characters.`);
  const document = parse(text, { maxTokens: LIMITS.tokens });
  checkShape(document);
  requireCleanLiterals(document);
  // graphql-js throws from validation on a subscription whose root field has a variable condition; `attempt` makes that a refusal too.
  const errors = validate(graph.apiSchema, document);
  if (errors.length) throw new QueryRefused(errors);
  const operation = chooseOperation(document, operationName);
  const cost = costOf(graph.apiSchema, document, operation);
  if (typeof cost === 'number') checkCost(cost, {});
  const planned: PlannedOperation = { graph, text, document, operation, plan: planOf(graph, document, operation) };
  return { ...planned, kind: operation.operation, name: operation.name?.value, cost, runnable: executor.compile(planned) };
}

/** The planner has limits of its own on what it will search through; it tells of them by message alone. */
const PLANNER_LIMIT = /exceeds limit/;

function planOf({ planner, plannerSchema }: Graph, document: DocumentNode, { name }: OperationDefinitionNode): QueryPlan {
  const operation = operationFromDocument(plannerSchema, document, name ? { operationName: name.value } : {});
  try {
    return planner.buildQueryPlan(operation);
  } catch (error) {
    if (error instanceof Error && PLANNER_LIMIT.test(error.message))
      throw fail('query_refused', {}, 'The operation is too complex to plan.');
    throw error;
  }
}

function chooseOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const chosen = name === undefined ? operations[0] : operations.find((node) => node.name?.value === name);
  if (!chosen)
    throw fail('query_refused', {}, name === undefined ? 'The document has no operation.' : `There is no operation named ${name}.`);
  if (name === undefined && operations.length > 1)
    throw fail('query_refused', {}, 'operationName must say which of the operations to run.');
  return chosen;
}
