// One graph over all subgraphs: checks, plans and runs operations, and masks the errors of their answers.
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import type { Clock } from '#platform/clock.ts';
import { Failure, fromExtensions, toExtensions, toFailure } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import { toGraphQLError } from '#platform/masking.ts';
import type { Metrics } from '#platform/metrics.ts';
import { notifyOutage } from '#platform/outage.ts';
import type { Ticks } from '#platform/budget.ts';
import type { FeedKind } from '../../schema/feeds.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { Answering, type OperationCall, type WrittenAnswer, admit } from './answering.ts';
import { compiledExecutor } from './execution/compiled-executor.ts';
import type { Executor } from './execution/executor.ts';
import { type GraphText, loadGraph } from './graph.ts';
import { chargeOperation } from './operation-cost.ts';
import { type PreparedOperation, createOperations } from './operations.ts';
import { type PlanningLimits, createPlanner } from './planning/planner.ts';
import type { ShownSchemas } from './shown-schemas.ts';
import { measuredSources } from './sources/measured.ts';
import type { ResultStream, Sources } from './sources/source.ts';
import { measuredOperation } from './operation-figures.ts';
import { Subscriptions } from './subscription.ts';

export type { PreparedOperation } from './operations.ts';
export { WrittenAnswer } from './answering.ts';
export { QueryRefused } from './planning/query-refused.ts';

export interface GatewayOptions {
  supergraphSdl: string;
  /** By subgraph name. */
  sources: Sources;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  /** Default: compiledExecutor. Tests compare it with the library's own executor. */
  executor?: Executor;
  planning?: Partial<PlanningLimits> | undefined;
  /** The time that budgets go by; default: monotonic time. */
  now?: Ticks | undefined;
  /** How feeds begin, by field of Subscription; default: as the contract says. */
  feeds?: Readonly<Record<string, FeedKind>> | undefined;
  /** Counts the cost of a key's operation; default: costs are not counted. */
  charge?: RateLimiter['charge'];
}

export interface Gateway {
  /** The public API schema of the present graph. */
  readonly apiSchema: GraphQLSchema;
  /** What of it each kind of reader sees. */
  readonly shown: ShownSchemas;
  /** Parses, limits, validates and plans a document of our own; cached. Throws QueryRefused. */
  prepare(document: string, operationName?: string): PreparedOperation;
  /**
   * The same for a document from outside: a document that is not cached is planned in the planning thread, on the caller's budget. Rejects with QueryRefused,
   * too_many_attempts (429) and overloaded (503), the last two with the seconds to wait.
   */
  prepareFor(viewer: Viewer, document: string, operationName?: string): Promise<PreparedOperation>;
  /** Runs a query or mutation. Errors are masked, each with `extensions { code requestId retryable ... }` and its path. */
  execute(operation: PreparedOperation, call: OperationCall): Promise<ExecutionResult>;
  /** As `execute`, for callers who send the answer on as JSON: an answer without errors is written as text, which costs less than the same as an object. */
  write(operation: PreparedOperation, call: OperationCall): Promise<WrittenAnswer | ExecutionResult>;
  /**
   * Opens a subscription; the same caller's identical ones share one at the subgraph. `return()` of the last one's stream reaches the subgraph at once, also
   * while `next()` waits for an event.
   */
  subscribe(operation: PreparedOperation, call: OperationCall): Promise<ResultStream | ExecutionResult>;
  /** The supergraph of the present graph. */
  readonly supergraphSdl: string;
  /**
   * Goes over to another graph: what is in use is planned on it first, then everything that begins is answered by it. What runs ends on the graph on which it
   * began. Open subscriptions go on where the subgraph is asked for the same, the others end with `graph_changed`. Rejects when the new graph is not valid or does
   * not answer a document of our own; the present one then stays.
   */
  replace(next: GraphText): Promise<void>;
  close(): Promise<void>;
}

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { log, metrics } = options;
  const sources = measuredSources(options.sources, metrics);
  const graph = await loadGraph(options.supergraphSdl, log);
  const charged = chargeOperation(options.charge);
  const planner = createPlanner({ log, metrics, limits: options.planning, now: options.now });
  const operations = createOperations(graph.current(), options.executor ?? compiledExecutor, planner);

  const masked = (result: ExecutionResult, viewer: Viewer) => publicResult(result, viewer.requestId, log);
  const subscriptions = new Subscriptions({ sources, metrics, feeds: options.feeds, mask: masked });
  const answering = new Answering({ planner, sources, charged, masked, present: operations.onPresent.bind(operations) });

  return {
    get apiSchema() {
      return graph.current().apiSchema;
    },
    get shown() {
      return graph.current().shown;
    },
    prepare: (document, operationName) => operations.prepare(document, operationName),
    prepareFor: (viewer, document, operationName) => operations.prepareFor(viewer, document, operationName),
    execute: (operation, call) => measuredOperation(metrics, operation, () => answering.execute(operation, call)),
    write: (operation, call) => measuredOperation(metrics, operation, () => answering.write(operation, call)),
    async subscribe(given, call) {
      const { viewer } = call;
      try {
        const operation = operations.onPresent(given);
        const { variables } = await admit(operation, call, charged);
        const stream = await subscriptions.open(operation, { ...call, variables });
        return Symbol.asyncIterator in stream ? stream : masked(stream, viewer);
      } catch (error) {
        return masked({ errors: [toGraphQLError(error)] }, viewer);
      }
    },
    get supergraphSdl() {
      return graph.current().sdl;
    },
    async replace(text) {
      const next = await graph.make(text);
      const take = await operations.ready(next);
      // Both in one turn: nobody is prepared on one graph and refused by the other.
      graph.adopt(next);
      take();
      await subscriptions.renew((operation) => operations.renew(operation));
    },
    async close() {
      planner.close();
      await graph.close();
      await Promise.all(Object.values(sources).map((source) => source.close?.()));
    },
  };
}

function publicResult(result: ExecutionResult, requestId: string, log: Log): ExecutionResult {
  if (!result.errors?.length) return result;
  return { ...result, errors: result.errors.map((error) => publicError(error, requestId, log)) };
}

/** A subgraph's masked error and a Failure of the gateway keep their code. An outage becomes its code; any other error is a bug, which is logged here once. */
function publicError(error: GraphQLError, requestId: string, log: Log): GraphQLError {
  let cause: Error = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  let failure = cause instanceof Failure ? cause : fromExtensions(error.message, error.extensions);
  if (!failure) {
    failure = toFailure(cause);
    if (failure.code === 'internal') log.error({ requestId, path: error.path, err: cause }, 'an operation failed');
    else notifyOutage(log, cause, { requestId });
  }
  return new GraphQLError(failure.message, { path: error.path ?? null, extensions: toExtensions(failure, requestId) });
}
