// Runs a subscription: the plan's primary fetch is subscribed at its subgraph, and each event goes through the rest of the plan.
import type { SubscriptionNode } from '@apollo/query-planner';
import type { ExecutionResult } from 'graphql';
import { AsyncQueue } from '#platform/async-queue.ts';
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { toGraphQLError } from '#platform/masking.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { PreparedOperation } from './operations.ts';
import type { ResultStream, Sources } from './sources/source.ts';

interface SubscriptionCall {
  variables: Record<string, unknown>;
  viewer: Viewer;
  signal?: AbortSignal | undefined;
  sources: Sources;
  metrics: Metrics;
  mask(result: ExecutionResult): ExecutionResult;
}

/** How many events may wait for a slow reader; when there are more, the oldest is dropped, since the newest figures matter most. */
export const QUEUED_EVENTS = 64;

export async function openSubscription(operation: PreparedOperation, call: SubscriptionCall): Promise<ResultStream | ExecutionResult> {
  const node = operation.plan.node;
  if (node?.kind !== 'Subscription') throw fail('query_refused', {}, 'This is not a subscription.');
  const { primary }: SubscriptionNode = node;
  const source = call.sources[primary.serviceName];
  if (!source) throw new Error(`the graph names a subgraph that is not here: ${primary.serviceName}`);
  const variables: Record<string, unknown> = {};
  for (const name of primary.variableUsages ?? []) if (call.variables[name] !== undefined) variables[name] = call.variables[name];
  const request = { query: primary.operation, variables, ...(primary.operationName && { operationName: primary.operationName }) };
  const events = await source.subscribe(request, call.viewer, call.signal);
  if (!(Symbol.asyncIterator in events)) return events;
  return boundedStream(events, call, async (event) => {
    const { variables: all, viewer, sources, signal } = call;
    return call.mask(await operation.runnable.run({ variables: all, viewer, sources, ...(signal && { signal }) }, event));
  });
}

/** Reads `events` into a queue of QUEUED_EVENTS as they arrive, and runs the rest of the plan for an event when `next` asks for it. */
function boundedStream(
  events: ResultStream,
  { metrics, signal, mask }: SubscriptionCall,
  resolve: (event: ExecutionResult) => Promise<ExecutionResult>,
): ResultStream {
  const cancel = () => queue.cancel();
  const queue = new AsyncQueue<ExecutionResult>({
    capacity: QUEUED_EVENTS,
    onDrop: () => metrics.droppedEvents.inc(),
    onEnd(cancelled) {
      metrics.subscriptions.dec();
      signal?.removeEventListener('abort', cancel);
      if (cancelled) events.return?.().catch(() => {});
    },
  });

  async function read(): Promise<void> {
    try {
      for (let event = await events.next(); !event.done && !queue.hasEnded; event = await events.next()) queue.push(event.value);
    } catch (error) {
      queue.push({ errors: [toGraphQLError(error)] });
    }
    queue.end();
  }

  metrics.subscriptions.inc();
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  void read();

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const event = await queue.next();
      if (event.done) return event;
      const { value } = event;
      try {
        return { done: false, value: value.data || !value.errors ? await resolve(value) : mask(value) };
      } catch (error) {
        if (signal?.aborted) return { done: true, value: undefined };
        return { done: false, value: mask({ errors: [toGraphQLError(error)] }) };
      }
    },
    return: () => queue.return(),
    throw: (error) => queue.throw(error),
  };
}
