// The library's executor behind our interface: the reference that our executor is compared with.
import { executeQueryPlan, buildOperationContext } from '@apollo/gateway';
import type { QueryPlan, SubscriptionNode } from '@apollo/query-planner';
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Executor, ExecutorCall, PlannedOperation } from '../../../../gateway/graph/execution/executor.ts';
import { dedupe } from '../dedupe.ts';

type ServiceMap = Parameters<typeof executeQueryPlan>[1];
type RequestContext = Parameters<typeof executeQueryPlan>[2];

export const stockExecutor: Executor = {
  compile(planned) {
    const { graph, document, operation } = planned;
    const operationContext = buildOperationContext({
      schema: graph.apiSchema,
      operationDocument: document,
      ...(operation.name && { operationName: operation.name.value }),
    });
    const plan = runnable(planned.plan);
    const primary = planned.plan.node?.kind === 'Subscription' ? planned.plan.node.primary : undefined;
    return {
      async run(call, event) {
        const result = await executeQueryPlan(
          plan,
          services(call, primary?.operation, event),
          requestContext(planned, call),
          operationContext,
          graph.supergraphSchema,
          graph.plannerSchema,
        );
        return withCompletionErrors(result as ExecutionResult);
      },
    };
  },
};

/** The library refuses a subscription's plan, so this makes one event a sequence whose first fetch is answered by the event. */
function runnable(plan: QueryPlan): QueryPlan {
  if (plan.node?.kind !== 'Subscription') return plan;
  const { primary, rest }: SubscriptionNode = plan.node;
  if (!rest) return { kind: 'QueryPlan', node: primary };
  return { kind: 'QueryPlan', node: { kind: 'Sequence', nodes: [primary, ...(rest.kind === 'Sequence' ? rest.nodes : [rest])] } };
}

function services({ sources, viewer, signal }: ExecutorCall, primary: string | undefined, event: ExecutionResult | undefined): ServiceMap {
  const map: ServiceMap = Object.create(null);
  for (const [name, source] of Object.entries(sources)) {
    map[name] = {
      async process({ request }) {
        if (event && request.query === primary) return event;
        signal?.throwIfAborted();
        const { variables, expand } = dedupe(request.variables ?? {});
        const { query = '', operationName } = request;
        return expand(await source.execute({ query, variables, ...(operationName && { operationName }) }, viewer, signal));
      },
    };
  }
  return map;
}

/** `metrics` must be new for each call: the library appends every error's path to it. */
const requestContext = ({ text, document, operation, graph }: PlannedOperation, { variables }: ExecutorCall) =>
  ({
    request: { query: text, variables, operationName: operation.name?.value },
    document,
    operation,
    operationName: operation.name?.value ?? null,
    source: text,
    queryHash: text,
    schema: graph.apiSchema,
    context: {},
    metrics: {},
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  }) as unknown as RequestContext;

/** The library reports values that do not fit the schema in `extensions`; this makes them ordinary errors. */
function withCompletionErrors({ data, errors, extensions }: ExecutionResult): ExecutionResult {
  const incomplete = extensions?.['valueCompletion'] as GraphQLError[] | undefined;
  if (!incomplete?.length) return { data: data ?? null, ...(errors && { errors }) };
  return { data: data ?? null, errors: incomplete };
}
