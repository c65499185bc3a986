// Proxy nodes for support.
import { because, fail, isErrorCode } from '#platform/errors.ts';
import { ERRORS } from '../../../../schema/codes/catalogue.ts';
import { builder } from '../../builder.ts';
import { visiblePlan } from '../../plans/services/visible-plan.ts';
import { EDGE_STATES, availableEdgeActions } from '../domain/edge-state.ts';
import type { ExitStatus } from '../../../../edge/protocol/control-plane.ts';
import { type OpenLeaseRow, openLeasesOf } from '../entities/edge-desk.ts';
import { type SeenEdge, actOnEdge, enrolFromDesk, exitsOf, listEdges, readEdge, watchEdges } from '../services/edge-desk.ts';
import { AvailableAction, ResidentialPlan } from '../../plans/graphql/residential-plan.ts';

const MAX_FIRST = 200;
/** A node's counters can exceed GraphQL's 32-bit integers and are capped there; at that size the last digits do not matter. */
const toInt = (count: number | undefined): number => Math.min(count ?? 0, 2 ** 31 - 1);

function checkFirst(first: number): number {
  if (first < 1 || first > MAX_FIRST)
    throw fail('parameter_invalid', { field: 'first', reason: because('number_out_of_range', { name: 'first', max: MAX_FIRST }) });
  return first;
}

const EdgeState = builder.enumType('EdgeState', { values: EDGE_STATES });

const EdgeRefusal = builder.objectRef<{ code: string; count: number }>('EdgeRefusal').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    message: t.string({ resolve: ({ code }) => (isErrorCode(code) ? ERRORS[code].message : code) }),
    count: t.int({ resolve: ({ count }) => toInt(count) }),
  }),
});

const EdgeExit = builder.objectRef<ExitStatus>('EdgeExit').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind'),
    country: t.exposeString('country'),
    state: t.exposeString('state', { nullable: true }),
    city: t.exposeString('city', { nullable: true }),
    carrier: t.exposeString('carrier', { nullable: true }),
    products: t.stringList({ resolve: ({ products }) => [...products] }),
    healthy: t.exposeBoolean('healthy'),
    connections: t.exposeInt('connections'),
    capacity: t.exposeInt('capacity', { nullable: true }),
    opened: t.int({ resolve: ({ opened }) => toInt(opened) }),
    faults: t.int({ resolve: ({ faults }) => toInt(faults) }),
  }),
});

const EdgeLease = builder.objectRef<OpenLeaseRow>('EdgeLease').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    plan: t.field({
      type: ResidentialPlan,
      resolve: async ({ planId }, _args, ctx) => {
        const plan = await visiblePlan(ctx, planId);
        if (!plan) throw fail('plan_not_found');
        return plan;
      },
    }),
    grantedBytes: t.expose('grantedBytes', { type: 'Bytes' }),
    settledBytes: t.expose('settledBytes', { type: 'Bytes' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

const Edge = builder.objectRef<SeenEdge>('Edge').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    state: t.expose('state', { type: EdgeState }),
    own: t.boolean({ resolve: ({ keyHash }) => keyHash === null }),
    enrolledAt: t.expose('enrolledAt', { type: 'DateTime' }),
    seenAt: t.expose('seenAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    drainingSince: t.expose('drainingSince', { type: 'DateTime', nullable: true }),
    version: t.string({ nullable: true, resolve: ({ status }) => status?.version }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ status, statusAt }) => (status && statusAt ? new Date(statusAt.getTime() - status.uptimeMs) : null),
    }),
    endpoints: t.stringList({ resolve: ({ status }) => [...(status?.endpoints ?? [])] }),
    connections: t.int({ resolve: ({ status }) => toInt(status?.connections) }),
    tunnels: t.int({ resolve: ({ status }) => toInt(status?.tunnels) }),
    plans: t.int({ resolve: ({ status }) => toInt(status?.plans) }),
    sessions: t.int({ resolve: ({ status }) => toInt(status?.sessions) }),
    staticLines: t.int({ resolve: ({ status }) => toInt(status?.staticLines) }),
    upBytes: t.field({ type: 'Bytes', resolve: ({ status }) => BigInt(status?.upBytes ?? 0) }),
    downBytes: t.field({ type: 'Bytes', resolve: ({ status }) => BigInt(status?.downBytes ?? 0) }),
    todayBytes: t.expose('todayBytes', { type: 'Bytes' }),
    ledgerFailures: t.int({ resolve: ({ status }) => toInt(status?.ledgerFailures) }),
    refusals: t.field({
      type: [EdgeRefusal],
      resolve: ({ status }) =>
        Object.entries(status?.refusals ?? {})
          .map(([code, count]) => ({ code, count }))
          .sort((a, b) => b.count - a.count),
    }),
    exitCount: t.int({ resolve: ({ status }) => status?.exitCount ?? 0 }),
    healthyExitCount: t.int({ resolve: ({ status }) => status?.healthyExitCount ?? 0 }),
    exits: t.field({
      type: [EdgeExit],
      args: { search: t.arg.string(), first: t.arg.int({ required: true, defaultValue: 50 }) },
      resolve: (edge, { search, first }) => exitsOf(edge, search, checkFirst(first)),
    }),
    leases: t.field({
      type: [EdgeLease],
      args: { first: t.arg.int({ required: true, defaultValue: 20 }) },
      resolve: ({ id }, { first }, { em }) => openLeasesOf(em, id, checkFirst(first)),
    }),
    availableActions: t.field({ type: [AvailableAction], resolve: availableEdgeActions }),
  }),
});

const EdgeEnrolment = builder.objectRef<{ edge: SeenEdge; key: string }>('EdgeEnrolment').implement({
  fields: (t) => ({ edge: t.field({ type: Edge, resolve: ({ edge }) => edge }), key: t.exposeString('key') }),
});

builder.queryFields((t) => ({
  supportEdges: t.field({ type: [Edge], authScopes: { staff: 'nodes' }, resolve: (_root, _args, ctx) => listEdges(ctx) }),
  supportEdge: t.field({
    type: Edge,
    authScopes: { staff: 'nodes' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readEdge(ctx, id),
  }),
}));

builder.mutationFields((t) => ({
  supportEdgeEnrol: t.field({
    type: EdgeEnrolment,
    authScopes: { staff: 'nodes' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => enrolFromDesk(ctx, id),
  }),
  supportEdgeDrain: t.field({
    type: Edge,
    authScopes: { staff: 'nodes' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => actOnEdge(ctx, id, 'drain'),
  }),
  supportEdgeResume: t.field({
    type: Edge,
    authScopes: { staff: 'nodes' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => actOnEdge(ctx, id, 'resume'),
  }),
  supportEdgeRevoke: t.field({
    type: Edge,
    authScopes: { staff: 'nodes' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => actOnEdge(ctx, id, 'revoke'),
  }),
}));

builder.subscriptionField('supportEdgeChanged', (t) =>
  t.field({
    type: Edge,
    authScopes: { staff: 'nodes' },
    subscribe: (_root, _args, ctx) => watchEdges(ctx),
    resolve: (id, _args, ctx) => readEdge(ctx, id as string),
  }),
);
