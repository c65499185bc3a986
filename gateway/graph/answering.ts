// Admits and runs queries and mutations: their variables are coerced, their cost is taken from the key's budget, their errors are masked.
import { type ExecutionResult, GraphQLError, getVariableValues } from 'graphql';
import { requireCleanText } from '#platform/clean-text.ts';
import { fail, toExtensions } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { Lru } from '#platform/lru.ts';
import { toGraphQLError } from '#platform/masking.ts';
import { whyRefused } from './access-rules.ts';
import { type ExecutorCall, WrittenData } from './execution/executor.ts';
import { checkCost } from './cost.ts';
import type { Graph } from './graph.ts';
import type { ChargeOperation, OperationCost } from './operation-cost.ts';
import type { PreparedOperation } from './operations.ts';
import { type Planner, planningCallerOf } from './planning/planner.ts';
import { tierOf } from './shown-schemas.ts';
import type { Sources } from './sources/source.ts';

export interface OperationCall {
  variables?: Record<string, unknown> | undefined;
  viewer: Viewer;
  /** Aborts the operation: fetches that have not begun are not made, and the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** An answer without errors as JSON text. */
export class WrittenAnswer {
  readonly text: string;
  readonly errors?: undefined;

  readonly extensions: { cost?: OperationCost };

  constructor({ text }: WrittenData, cost: OperationCost | undefined) {
    this.extensions = { ...(cost && { cost }) };
    this.text = cost ? `{"data":${text},"extensions":${JSON.stringify({ cost })}}` : `{"data":${text}}`;
  }
}

interface AnsweringOptions {
  planner: Planner;
  sources: Sources;
  charged: ChargeOperation;
  masked(result: ExecutionResult, viewer: Viewer): ExecutionResult;
  /** The same operation on the present graph. */
  present(operation: PreparedOperation): PreparedOperation;
}

const INTROSPECTIONS_KEPT = 8;

export class Answering {
  readonly #options: AnsweringOptions;
  /** Answers of operations that ask for the schema alone, which are the same for all who see the same of it. The answer for the whole schema is 300 kB. */
  readonly #introspected = new WeakMap<Graph, Lru<{ operation: PreparedOperation; answer: ExecutionResult }>>();

  constructor(options: AnsweringOptions) {
    this.#options = options;
  }

  execute(operation: PreparedOperation, call: OperationCall): Promise<ExecutionResult> {
    return this.#perform(operation, call, (admitted, run, cost) => this.#execute(admitted, run, cost));
  }

  write(operation: PreparedOperation, call: OperationCall): Promise<WrittenAnswer | ExecutionResult> {
    return this.#perform(operation, call, (admitted, run, cost) => this.#write(admitted, run, cost));
  }

  async #perform<Answer>(
    given: PreparedOperation,
    call: OperationCall,
    answer: (operation: PreparedOperation, run: ExecutorCall, cost: OperationCost | undefined) => Promise<Answer>,
  ): Promise<Answer | ExecutionResult> {
    const { present, charged, masked, sources } = this.#options;
    const { viewer, signal } = call;
    try {
      const operation = present(given);
      if (operation.kind === 'subscription')
        throw fail('query_refused', {}, 'A subscription needs a WebSocket, or Accept: text/event-stream.');
      const { variables, cost } = await admit(operation, call, charged);
      return await answer(operation, { variables, viewer, sources, ...(signal && { signal }) }, cost);
    } catch (error) {
      signal?.throwIfAborted();
      return masked({ errors: [toGraphQLError(error)] }, viewer);
    }
  }

  async #execute(operation: PreparedOperation, run: ExecutorCall, cost: OperationCost | undefined): Promise<ExecutionResult> {
    const { planner, masked } = this.#options;
    const { introspection, text } = operation;
    const tier = tierOf(run.viewer);
    const place = `${tier} ${text}`;
    const known = introspection === 'ALONE' ? this.#introspectedOn(operation.graph).get(place) : undefined;
    if (known?.operation === operation) return known.answer;
    const caller = planningCallerOf(run.viewer);
    if (introspection !== 'NONE') planner.requireBudget(caller);
    const shown = introspection === 'NONE' ? {} : { shown: operation.graph.shown.schema(tier) };
    const began = performance.now();
    const result = await operation.runnable.run({ ...run, ...shown });
    if (introspection !== 'NONE') planner.charge(caller, performance.now() - began);
    run.signal?.throwIfAborted();
    const answer = explained(masked(result, run.viewer), operation, run.viewer);
    if (introspection !== 'ALONE') return withCost(answer, cost);
    if (!answer.errors) this.#introspectedOn(operation.graph).set(place, { operation, answer });
    return answer;
  }

  #introspectedOn(graph: Graph): Lru<{ operation: PreparedOperation; answer: ExecutionResult }> {
    const known = this.#introspected.get(graph) ?? new Lru(INTROSPECTIONS_KEPT);
    this.#introspected.set(graph, known);
    return known;
  }

  async #write(operation: PreparedOperation, run: ExecutorCall, cost: OperationCost | undefined): Promise<WrittenAnswer | ExecutionResult> {
    const { runnable, introspection } = operation;
    if (!runnable.write || introspection !== 'NONE') return this.#execute(operation, run, cost);
    const written = await runnable.write(run);
    run.signal?.throwIfAborted();
    if (written instanceof WrittenData) return new WrittenAnswer(written, cost);
    return withCost(explained(this.#options.masked(written, run.viewer), operation, run.viewer), cost);
  }
}

/** Errors of a key that lacks a scope name it, as the contract does. */
function explained(answer: ExecutionResult, operation: PreparedOperation, viewer: Viewer): ExecutionResult {
  if (viewer.kind !== 'key' || !answer.errors?.some(({ extensions }) => extensions['code'] === 'forbidden')) return answer;
  const errors = answer.errors.map((error) => {
    const why = error.extensions['code'] === 'forbidden' && error.path?.length === 1 && whyRefused(viewer, operation, error.path);
    if (!why) return error;
    return new GraphQLError(why.message, { path: error.path ?? null, extensions: toExtensions(why, viewer.requestId) });
  });
  return { ...answer, errors };
}

const withCost = (answer: ExecutionResult, cost: OperationCost | undefined): ExecutionResult =>
  cost ? { ...answer, extensions: { ...answer.extensions, cost } } : answer;

/** Coerces the variables and takes the operation's cost from the key's budget. Throws when a variable is not valid or the cost is too high. */
export async function admit(
  operation: PreparedOperation,
  { variables = {}, viewer }: OperationCall,
  charged: ChargeOperation,
): Promise<{ variables: Record<string, unknown>; cost: OperationCost | undefined }> {
  requireCleanText(variables);
  const { errors, coerced } = getVariableValues(operation.graph.apiSchema, operation.operation.variableDefinitions ?? [], variables, {
    maxErrors: 10,
  });
  if (errors) throw fail('parameter_invalid', {}, errors[0]?.message);
  return { variables: coerced, cost: await charged(viewer, checkCost(operation.cost, coerced)) };
}
