import { SERVER_ACCESS, builder } from '../../builder.ts';
import type { DedicatedPlan as DedicatedPlanShape } from '../../orders/domain/dedicated-plan.ts';
import { DEDICATED_STATUSES, type DedicatedStatus } from '../domain/server-lifecycle.ts';
import type { MetalUse } from '../../metrics/entities/metal-use.ts';
import type { ServerRow } from '../entities/server.ts';
import { ownServer } from '../services/act-on-server.ts';
import { metalHistory, watchMetalUse } from '../../metrics/services/metal-use.ts';
import { dedicatedPlan } from '../../orders/services/order-dedicated.ts';
import { reinstallServer } from '../services/reinstall.ts';
import { DedicatedPlan } from '../../orders/graphql/dedicated-plan.ts';
import { MetricsSpan } from '../../metrics/graphql/metrics.ts';
import { OperatingSystem } from './operating-system.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { addOwnersActions } from './owners-actions.ts';
import { Server, loadServers } from './server.ts';

const DedicatedServerStatus = builder.enumType('DedicatedServerStatus', { values: DEDICATED_STATUSES });

const DedicatedMetrics = builder.objectRef<MetalUse>('DedicatedMetrics').implement({
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    cpuRatio: t.exposeFloat('cpuRatio', { nullable: true }),
    memoryRatio: t.exposeFloat('memoryRatio', { nullable: true }),
    diskRatio: t.exposeFloat('diskRatio', { nullable: true }),
    netInBytesPerSecond: t.exposeFloat('netInBytesPerSecond', { nullable: true }),
    netOutBytesPerSecond: t.exposeFloat('netOutBytesPerSecond', { nullable: true }),
    watts: t.exposeFloat('watts', { nullable: true }),
    inletCelsius: t.exposeFloat('inletCelsius', { nullable: true }),
  }),
});

const DedicatedServer = builder.loadableObjectRef<ServerRow, string>('DedicatedServer', {
  load: (ids, ctx) => loadServers(ids, ctx, 'DEDICATED'),
});

DedicatedServer.implement({
  interfaces: [Server],
  fields: (t) => ({
    // The table's check admits no other plan.
    plan: t.field({ type: DedicatedPlan, resolve: ({ planCode }, _args, ctx) => dedicatedPlan(ctx, planCode) as DedicatedPlanShape }),
    status: t.field({ type: DedicatedServerStatus, resolve: ({ status }) => status as DedicatedStatus }),
    metrics: t.field({
      type: [DedicatedMetrics],
      args: { span: t.arg({ type: MetricsSpan, required: true }) },
      resolve: (server, { span }, ctx) => metalHistory(ctx, server, span),
    }),
  }),
});

builder.asEntity(DedicatedServer, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: ({ id }, ctx) => DedicatedServer.getDataloader(ctx).load(id),
});

addOwnersActions('DEDICATED', DedicatedServer, {
  actions: {
    dedicatedServerStart: 'start',
    dedicatedServerReboot: 'reboot',
    dedicatedServerStop: 'stop',
    dedicatedServerForceStop: 'force_stop',
    dedicatedServerResetPassword: 'reset_password',
  },
  revealPassword: 'dedicatedServerRevealPassword',
  changed: 'dedicatedServerChanged',
});

builder.mutationFields((t) => ({
  dedicatedServerReinstall: t.field({
    type: Operation,
    authScopes: SERVER_ACCESS,
    args: { id: t.arg.id({ required: true }), os: t.arg({ type: OperatingSystem, required: true }), password: t.arg.string() },
    resolve: (_root, { id, os, password }, ctx) => reinstallServer(ctx, id, { os, ...(typeof password === 'string' && { password }) }),
  }),
}));

builder.subscriptionFields((t) => ({
  dedicatedServerMetricsChanged: t.field({
    type: DedicatedMetrics,
    authScopes: SERVER_ACCESS,
    args: { id: t.arg.id({ required: true }) },
    async subscribe(_root, { id }, ctx) {
      return watchMetalUse(ctx, await ownServer(ctx, id, 'DEDICATED'));
    },
    resolve: (use) => use as MetalUse,
  }),
}));
