// Prometheus metrics of one process. Each stack has its own registry, so that tests with several stacks in one process do not add up their values.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { PROGRAM_VERSION } from './program-version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(options: { process?: boolean } = {}) {
  const registry = new Registry();
  if (options.process) collectDefaultMetrics({ register: registry, prefix: 'egress_' });
  const registers = [registry];
  new Gauge({ name: 'egress_build_info', help: 'The version of this program; always 1', labelNames: ['version'], registers }).set(
    { version: PROGRAM_VERSION },
    1,
  );
  return {
    registry,
    requests: new Counter({
      name: 'egress_requests_total',
      help: 'Requests by route and status',
      labelNames: ['route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'egress_request_seconds',
      help: 'Time to answer by route',
      labelNames: ['route'],
      registers,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    }),
    sockets: new Gauge({ name: 'egress_sockets', help: 'WebSockets that were let in, by route', labelNames: ['route'], registers }),
    planningQueue: new Gauge({ name: 'egress_planning_queue', help: 'GraphQL documents that wait to be planned', registers }),
    subscriptions: new Gauge({ name: 'egress_subscriptions', help: 'Open GraphQL subscriptions', registers }),
    feeds: new Gauge({ name: 'egress_subscription_feeds', help: 'Open subscriptions at subgraphs; equal ones share one', registers }),
    droppedEvents: new Counter({
      name: 'egress_subscription_events_dropped_total',
      help: 'Events dropped for slow subscribers',
      registers,
    }),
    vendorCalls: new Counter({
      name: 'egress_vendor_calls_total',
      help: 'Calls of outside systems by vendor and outcome: answered, refused, trouble, not_asked',
      labelNames: ['vendor', 'outcome'],
      registers,
    }),
    vendorSeconds: new Histogram({
      name: 'egress_vendor_seconds',
      help: 'Time of a call of an outside system, answered or not',
      labelNames: ['vendor'],
      registers,
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    }),
    subgraphSeconds: new Histogram({
      name: 'egress_subgraph_seconds',
      help: "Time of a gateway's question to a subgraph",
      labelNames: ['subgraph'],
      registers,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    }),
    subgraphFailures: new Counter({
      name: 'egress_subgraph_failures_total',
      help: 'Questions of a gateway that a subgraph did not answer',
      labelNames: ['subgraph'],
      registers,
    }),
    ...graphMetrics(registers),
    vendorsOpen: new Gauge({
      name: 'egress_vendor_parts_not_asked',
      help: 'Outside systems, or parts of them, that do not answer and are not asked for a while',
      labelNames: ['vendor'],
      registers,
    }),
    jobs: new Counter({ name: 'egress_jobs_total', help: 'Jobs by name and outcome', labelNames: ['job', 'outcome'], registers }),
  };
}

/** Those of the graph that the gateway holds, and of its operations. */
function graphMetrics(registers: Registry[]) {
  return {
    graphChanges: new Counter({
      name: 'egress_graph_changes_total',
      help: 'Graphs that were made of contracts which subgraphs have changed, by outcome: taken, refused',
      labelNames: ['outcome'],
      registers,
    }),
    graphRefused: new Gauge({
      name: 'egress_graph_refused',
      help: 'Whether the graph of the contracts that the subgraphs have now is refused, and an earlier one answers',
      registers,
    }),
    operationSeconds: new Histogram({
      name: 'egress_graph_operation_seconds',
      help: 'Time of an operation of the graph, by the first field that it asks for',
      labelNames: ['operation'],
      registers,
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5],
    }),
    operationFailures: new Counter({
      name: 'egress_graph_operation_failures_total',
      help: 'Operations of the graph with an error, by the first field that they ask for, and the code of the first error',
      labelNames: ['operation', 'code'],
      registers,
    }),
  };
}
