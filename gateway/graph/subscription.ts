// Opens subscriptions: the plan's primary fetch is subscribed at its subgraph, and each event goes through the rest of the plan. Identical ones share a feed.
import type { FetchNode } from '@apollo/query-planner';
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

/** A feed, and the operation by which its events are answered. */
interface OpenFeed {
  operation: PreparedOperation;
  readonly key: string;
  readonly feed: Feed;
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  /** Feeds that whoever comes next may join. */
  readonly #open = new WeakMap<Graph, Map<string, OpenFeed>>();
  readonly #all = new Set<OpenFeed>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  open(operation: PreparedOperation, call: SubscriptionCall): Promise<ResultStream | ExecutionResult> {
    const primary = primaryOf(operation);
    if (!primary) throw fail('query_refused', {}, 'This is not a subscription.');
    const open = this.#openOn(operation.graph);
    const key = identityOf(operation, call);
    const known = open.get(key);
    if (known) return known.feed.join(call.signal);
    const opened: OpenFeed = { operation, key, feed: this.#feed(() => opened, primary, call) };
    open.set(key, opened);
    this.#all.add(opened);
    return opened.feed.join(call.signal);
  }

  /**
   * Takes open feeds to the present graph, on which `present` prepares their operations: where the subgraph is asked for the same, each further event is answered
   * by the new plan. The others end with `graph_changed`.
   */
  async renew(present: (operation: PreparedOperation) => Promise<PreparedOperation>): Promise<void> {
    for (const open of [...this.#all]) {
      const next = await present(open.operation).catch(() => undefined);
      if (next === open.operation || !this.#all.has(open)) continue;
      if (next && askedBy(next) === askedBy(open.operation)) this.#move(open, next);
      else open.feed.end(fail('graph_changed', { retry_after_seconds: 1 }));
    }
  }

  #move(open: OpenFeed, next: PreparedOperation): void {
    const present = this.#openOn(next.graph);
    const isJoined = this.#openOn(open.operation.graph).get(open.key) === open;
    if (isJoined && !present.has(open.key)) present.set(open.key, open);
    open.operation = next;
  }

  #feed(opened: () => OpenFeed, primary: FetchNode, { variables, viewer }: SubscriptionCall): Feed {
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
    const close = () => this.#close(opened());
    return new Feed({
      metrics,
      open: (signal) => source.subscribe(request, viewer, signal),
      answer: async (event, signal) => mask(await opened().operation.runnable.run({ variables, viewer, sources, signal }, event), viewer),
      mask: (result) => mask(result, viewer),
      onFirst: () => this.#kindOf(opened().operation) === 'STATE' && close(),
      onEnd: () => {
        close();
        this.#all.delete(opened());
      },
    });
  }

  /** Nobody may join it any more. */
  #close(open: OpenFeed): void {
    const present = this.#openOn(open.operation.graph);
    if (present.get(open.key) === open) present.delete(open.key);
  }

  #kindOf({ operation }: PreparedOperation): FeedKind {
    const { feeds = FEEDS } = this.#options;
    const [field] = operation.selectionSet.selections;
    return (field?.kind === Kind.FIELD && feeds[field.name.value]) || 'STATE';
  }

  #openOn(graph: Graph): Map<string, OpenFeed> {
    let open = this.#open.get(graph);
    if (!open) this.#open.set(graph, (open = new Map()));
    return open;
  }
}

/** What the subgraph is asked for; undefined: the operation is no subscription. */
const primaryOf = ({ plan: { node } }: PreparedOperation): FetchNode | undefined =>
  node?.kind === 'Subscription' ? node.primary : undefined;

/** The same text for operations by which a subgraph is asked for the same. */
const askedBy = (operation: PreparedOperation): string => {
  const { serviceName, operation: document, operationName, variableUsages } = primaryOf(operation) ?? {};
  return JSON.stringify([serviceName, document, operationName, variableUsages]);
};

/**
 * The same text for subscriptions that are told the same: equal documents and variables, asked by callers who are the same in all that a viewer says of them but
 * where a request came from. So never by two accounts, two sessions or two keys.
 */
function identityOf({ text, name }: PreparedOperation, { variables, viewer }: SubscriptionCall): string {
  const { requestId: _request, address: _address, userAgent: _agent, ...caller } = viewer;
  return JSON.stringify([name, text, variables, caller]);
}
