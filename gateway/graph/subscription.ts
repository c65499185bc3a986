// Opens subscriptions: the plan's primary fetch is subscribed at its subgraph, and each event goes through the rest of the plan. Identical ones share a feed.
import type { SubscriptionNode } from '@apollo/query-planner';
import { type ExecutionResult, Kind } from 'graphql';
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Metrics } from '#platform/metrics.ts';
import { FEEDS, type FeedKind } from '../../schema/feeds.ts';
import { Feed } from './feed.ts';
import type { Graph } from './graph.ts';
import type { PreparedOperation } from './operations.ts';
import type { ResultStream, Sources } from './sources/source.ts';

interface SubscriptionCall {
  /** Coerced. */
  variables: Record<string, unknown>;
  viewer: Viewer;
  signal?: AbortSignal | undefined;
}

interface SubscriptionsOptions {
  sources: Sources;
  metrics: Metrics;
  /** By field; default: those of the contract. */
  feeds?: Readonly<Record<string, FeedKind>> | undefined;
  mask(result: ExecutionResult, viewer: Viewer): ExecutionResult;
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  /** Feeds that whoever comes next may join. */
  readonly #open = new WeakMap<Graph, Map<string, Feed>>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  open(operation: PreparedOperation, call: SubscriptionCall): Promise<ResultStream | ExecutionResult> {
    const node = operation.plan.node;
    if (node?.kind !== 'Subscription') throw fail('query_refused', {}, 'This is not a subscription.');
    const open = this.#openOn(operation.graph);
    const key = identityOf(operation, call);
    const known = open.get(key);
    if (known) return known.join(call.signal);
    const close = () => {
      if (open.get(key) === feed) open.delete(key);
    };
    const feed = this.#feed(operation, node, call, close);
    open.set(key, feed);
    return feed.join(call.signal);
  }

  #feed(operation: PreparedOperation, { primary }: SubscriptionNode, { variables, viewer }: SubscriptionCall, close: () => void): Feed {
    const { sources, metrics, mask } = this.#options;
    const source = sources[primary.serviceName];
    if (!source) throw new Error(`the graph names a subgraph that is not here: ${primary.serviceName}`);
    const asked: Record<string, unknown> = {};
    for (const name of primary.variableUsages ?? []) if (variables[name] !== undefined) asked[name] = variables[name];
    const request = {
      query: primary.operation,
      variables: asked,
      ...(primary.operationName && { operationName: primary.operationName }),
    };
    return new Feed({
      metrics,
      open: (signal) => source.subscribe(request, viewer, signal),
      answer: async (event, signal) => mask(await operation.runnable.run({ variables, viewer, sources, signal }, event), viewer),
      mask: (result) => mask(result, viewer),
      ...(this.#kindOf(operation) === 'STATE' && { onFirst: close }),
      onEnd: close,
    });
  }

  #kindOf({ operation }: PreparedOperation): FeedKind {
    const { feeds = FEEDS } = this.#options;
    const [field] = operation.selectionSet.selections;
    return (field?.kind === Kind.FIELD && feeds[field.name.value]) || 'STATE';
  }

  #openOn(graph: Graph): Map<string, Feed> {
    let open = this.#open.get(graph);
    if (!open) this.#open.set(graph, (open = new Map()));
    return open;
  }
}

/**
 * The same text for subscriptions that are told the same: equal documents and variables, asked by callers who are the same in all that a viewer says of them but
 * where a request came from. So never by two accounts, two sessions or two keys.
 */
function identityOf({ text, name }: PreparedOperation, { variables, viewer }: SubscriptionCall): string {
  const { requestId: _request, address: _address, userAgent: _agent, ...caller } = viewer;
  return JSON.stringify([name, text, variables, caller]);
}
