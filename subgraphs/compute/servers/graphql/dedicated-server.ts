import { SERVER_ACCESS, builder } from '../../builder.ts';
import type { DedicatedPlan as DedicatedPlanShape } from '../../catalogue/domain/dedicated-plan.ts';
import { DEDICATED_STATUSES, type DedicatedStatus } from '../domain/server-lifecycle.ts';
import type { ServerRow } from '../entities/server.ts';
import { reinstallServer } from '../services/act-on-server.ts';
import { DedicatedPlan } from '../../catalogue/graphql/dedicated-plan.ts';
import { OperatingSystem } from '../../catalogue/graphql/operating-system.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { addOwnersActions } from './owners-actions.ts';
import { Server, loadServers } from './server.ts';
import { dedicatedPlan } from '../../catalogue/services/dedicated-plan.ts';

const DedicatedServerStatus = builder.enumType('DedicatedServerStatus', { values: DEDICATED_STATUSES });

export const DedicatedServer = builder.loadableObjectRef<ServerRow, string>('DedicatedServer', {
  load: (ids, ctx) => loadServers(ids, ctx, 'DEDICATED'),
});

DedicatedServer.implement({
  interfaces: [Server],
  fields: (t) => ({
    // The check of the table allows no other plan.
    plan: t.field({
      type: DedicatedPlan,
      resolve: ({ planCode }, _args, ctx) => dedicatedPlan(ctx.providers.shop, planCode) as DedicatedPlanShape,
    }),
    status: t.field({ type: DedicatedServerStatus, resolve: ({ status }) => status as DedicatedStatus }),
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
    resolve: (_root, { id, os, password }, ctx) =>
      reinstallServer(ctx, { os, ...(typeof password === 'string' && { password }) }, { serverId: id, kind: 'DEDICATED' }),
  }),
}));
