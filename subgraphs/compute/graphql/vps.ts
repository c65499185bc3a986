import { fail } from '#shared/errors.ts';
import { SERVER_ACCESS, builder } from '../builder.ts';
import { VPS_STATUSES, type VpsStatus as VpsStatusShape } from '../domain/server-lifecycle.ts';
import { type VpsPlan as VpsPlanShape, findVpsPlan } from '../domain/vps-plan.ts';
import { type ServerRow, serversByIds } from '../entities/server.ts';
import { type OwnersAction, actOnServer, revealPassword } from '../services/act-on-server.ts';
import { watchServers } from '../services/watch-servers.ts';
import { Operation } from './operation.ts';
import { Server, loadServers } from './server.ts';
import { VpsPlan } from './vps-plan.ts';

const VpsStatus = builder.enumType('VpsStatus', { values: VPS_STATUSES });

export const Vps = builder.loadableObjectRef<ServerRow, string>('Vps', { load: (ids, ctx) => loadServers(ids, ctx, 'VPS') });

Vps.implement({
  interfaces: [Server],
  fields: (t) => ({
    // The table's check admits no other plan.
    plan: t.field({ type: VpsPlan, resolve: ({ planCode }) => findVpsPlan(planCode) as VpsPlanShape }),
    status: t.field({ type: VpsStatus, resolve: ({ status }) => status as VpsStatusShape }),
    extraIpv4: t.exposeInt('extraIpv4'),
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
      authScopes: SERVER_ACCESS,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, ctx) => actOnServer(ctx, id, action),
    }),
  );

builder.mutationField('vpsRevealPassword', (t) =>
  t.string({
    authScopes: SERVER_ACCESS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => revealPassword(ctx, id),
  }),
);

builder.subscriptionField('vpsChanged', (t) =>
  t.field({
    type: Vps,
    authScopes: SERVER_ACCESS,
    subscribe: (_root, _args, ctx) => watchServers(ctx, 'VPS'),
    async resolve(id, _args, { em }) {
      const [server] = await serversByIds(em, [id as string]);
      if (!server) throw fail('server_not_found');
      return server;
    },
  }),
);
