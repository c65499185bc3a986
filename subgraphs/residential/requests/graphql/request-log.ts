import { REQUEST_LOG_MODES } from '../../../../edge/protocol/request-log.ts';
import { mendingOf } from '../../../../schema/codes/mending.ts';
import { ERRORS } from '../../../../schema/codes/catalogue.ts';
import { isErrorCode } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { ResidentialPlan } from '../../plans/graphql/residential-plan.ts';
import type { PlanLog, RequestEntry } from '../domain/request-log.ts';
import { deleteRequestLog, listRequests, readLog, setRequestLog } from '../services/request-log.ts';
import { watchRequests } from '../services/watch-requests.ts';

const RequestLogMode = builder.enumType('RequestLogMode', { values: REQUEST_LOG_MODES });

const RequestLogError = builder.objectRef<{ code: string }>('RequestLogError').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    // A node may be newer than the platform, and know codes that this does not.
    message: t.string({ resolve: ({ code }) => (isErrorCode(code) ? ERRORS[code].message : code) }),
    hint: t.string({ nullable: true, resolve: ({ code }) => mendingOf(code)?.en }),
  }),
});

const RequestLogEntry = builder.objectRef<RequestEntry>('RequestLogEntry').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    durationMs: t.exposeFloat('durationMs'),
    host: t.string({ nullable: true, resolve: ({ host }) => host || null }),
    port: t.int({ nullable: true, resolve: ({ port }) => port || null }),
    status: t.exposeInt('status', { nullable: true }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    country: t.string({ nullable: true, resolve: ({ country }) => country || null }),
    state: t.exposeString('state', { nullable: true }),
    city: t.exposeString('city', { nullable: true }),
    session: t.exposeString('session', { nullable: true }),
    userId: t.exposeID('userId', { nullable: true }),
    error: t.field({ type: RequestLogError, nullable: true, resolve: ({ error }) => (error === null ? null : { code: error }) }),
  }),
});

const RequestLogFilter = builder.inputType('RequestLogFilter', {
  fields: (t) => ({
    from: t.field({ type: 'DateTime' }),
    to: t.field({ type: 'DateTime' }),
    host: t.string(),
    status: t.int(),
    error: t.string(),
    onlyFailed: t.boolean({ required: true, defaultValue: false }),
    userId: t.id(),
    session: t.string(),
  }),
});

const RequestLog = builder.objectRef<PlanLog>('RequestLog').implement({
  fields: (t) => ({
    mode: t.expose('mode', { type: RequestLogMode }),
    kept: t.exposeInt('kept'),
    missed: t.exposeInt('missed'),
    entries: t.field({
      type: [RequestLogEntry],
      args: { first: t.arg.int({ required: true, defaultValue: 50 }), after: t.arg.id(), filter: t.arg({ type: RequestLogFilter }) },
      resolve: ({ planId }, page, ctx) => listRequests(ctx, planId, page),
    }),
  }),
});

builder.objectField(ResidentialPlan, 'requestLog', (t) => t.field({ type: RequestLog, resolve: ({ id }, _args, ctx) => readLog(ctx, id) }));

builder.mutationFields((t) => ({
  residentialPlanSetRequestLog: t.field({
    type: ResidentialPlan,
    authScopes: { account: 'plans' },
    args: { id: t.arg.id({ required: true }), mode: t.arg({ type: RequestLogMode, required: true }) },
    resolve: (_root, { id, mode }, ctx) => setRequestLog(ctx, id, mode),
  }),
  residentialPlanDeleteRequestLog: t.field({
    type: ResidentialPlan,
    authScopes: { account: 'plans' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => deleteRequestLog(ctx, id),
  }),
}));

builder.subscriptionField('residentialRequestsLogged', (t) =>
  t.field({
    type: [RequestLogEntry],
    authScopes: { account: 'read' },
    args: { planId: t.arg.id({ required: true }), filter: t.arg({ type: RequestLogFilter }) },
    subscribe: (_root, { planId, filter }, ctx) => watchRequests(ctx, planId, filter ?? {}),
    resolve: (entries) => entries as RequestEntry[],
  }),
);
