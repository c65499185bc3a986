import { fail } from '#shared/errors.ts';
import { builder } from '../builder.ts';
import { VPS_STATUSES, type VpsStatus as VpsStatusShape } from '../domain/server-lifecycle.ts';
import { type VpsPlan as VpsPlanShape, findVpsPlan } from '../domain/vps-plan.ts';
import { operationsOfServer } from '../entities/operation.ts';
import { type ServerRow, serversByIds } from '../entities/server.ts';
import { type OwnersAction, actOnServer, actionsOf, revealPassword } from '../services/act-on-server.ts';
import { watchServers } from '../services/watch-servers.ts';
import { Account, BillingSubscription } from './account.ts';
import { AvailableAction, Operation } from './operation.ts';
import { OperatingSystem } from './operating-system.ts';
import { Server, loadServers } from './server.ts';
import { VpsPlan } from './vps-plan.ts';

const VpsStatus = builder.enumType('VpsStatus', { values: VPS_STATUSES });

export const Vps = builder.loadableObjectRef<ServerRow, string>('Vps', { load: (ids, ctx) => loadServers(ids, ctx, 'VPS') });

Vps.implement({
  interfaces: [Server],
  fields: (t) => ({
    account: t.field({ type: Account, resolve: ({ accountId }) => ({ id: accountId }) }),
    // The table's check admits no other plan.
    plan: t.field({ type: VpsPlan, resolve: ({ planCode }) => findVpsPlan(planCode) as VpsPlanShape }),
    status: t.field({ type: VpsStatus, resolve: ({ status }) => status as VpsStatusShape }),
    os: t.expose('os', { type: OperatingSystem, nullable: true }),
    loginName: t.exposeString('loginName', { nullable: true }),
    availableActions: t.field({ type: [AvailableAction], resolve: (server, _args, ctx) => actionsOf(ctx, server) }),
    operations: t.field({
      type: [Operation],
      args: { limit: t.arg.int({ defaultValue: 20 }) },
      resolve({ id }, { limit }, { em }) {
        const count = limit ?? 20;
        if (count < 1 || count > 100) throw fail('limit_invalid', { field: 'limit' });
        return operationsOfServer(em, id, count);
      },
    }),
    billing: t.field({ type: BillingSubscription, resolve: ({ subscriptionId }) => ({ id: subscriptionId }) }),
  }),
});

builder.asEntity(Vps, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: ({ id }, ctx) => Vps.getDataloader(ctx).load(id),
});

const MUTATIONS = {
  vpsStart: 'start',
  vpsReboot: 'reboot',
  vpsStop: 'stop',
  vpsForceStop: 'force_stop',
  vpsResetPassword: 'reset_password',
} as const satisfies Record<string, OwnersAction>;

for (const [name, action] of Object.entries(MUTATIONS))
  builder.mutationField(name, (t) =>
    t.field({
      type: Operation,
      authScopes: { session: true },
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, ctx) => actOnServer(ctx, id, action),
    }),
  );

builder.mutationField('vpsRevealPassword', (t) =>
  t.string({
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => revealPassword(ctx, id),
  }),
);

builder.subscriptionField('vpsChanged', (t) =>
  t.field({
    type: Vps,
    authScopes: { session: true },
    subscribe: (_root, _args, ctx) => watchServers(ctx),
    async resolve(id, _args, { em }) {
      const [server] = await serversByIds(em, [id as string]);
      if (!server) throw fail('server_not_found');
      return server;
    },
  }),
);
