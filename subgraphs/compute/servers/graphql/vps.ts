import { SERVER_ACCESS, builder } from '../../builder.ts';
import { VPS_STATUSES, type VpsStatus as VpsStatusShape } from '../domain/server-lifecycle.ts';
import { type VpsPlan as VpsPlanShape, findVpsPlan } from '../../catalogue/domain/vps-plan.ts';
import type { ServerRow } from '../entities/server.ts';
import { addOwnersActions } from './owners-actions.ts';
import { Server, loadServers } from './server.ts';
import { OperatingSystem } from '../../catalogue/graphql/operating-system.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { reinstallServer } from '../services/act-on-server.ts';
import { VpsPlan } from '../../catalogue/graphql/vps-plan.ts';

const VpsStatus = builder.enumType('VpsStatus', { values: VPS_STATUSES });

export const Vps = builder.loadableObjectRef<ServerRow, string>('Vps', { load: (ids, ctx) => loadServers(ids, ctx, 'VPS') });

Vps.implement({
  interfaces: [Server],
  fields: (t) => ({
    // The check of the table allows no other plan.
    plan: t.field({ type: VpsPlan, resolve: ({ planCode }, _args, ctx) => findVpsPlan(ctx.providers.shop.vps, planCode) as VpsPlanShape }),
    status: t.field({ type: VpsStatus, resolve: ({ status }) => status as VpsStatusShape }),
    extraIpv4: t.exposeInt('extraIpv4'),
  }),
});

builder.asEntity(Vps, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: ({ id }, ctx) => Vps.getDataloader(ctx).load(id),
});

addOwnersActions('VPS', Vps, {
  actions: {
    vpsStart: 'start',
    vpsReboot: 'reboot',
    vpsStop: 'stop',
    vpsForceStop: 'force_stop',
    vpsResetPassword: 'reset_password',
  },
  revealPassword: 'vpsRevealPassword',
  changed: 'vpsChanged',
});

builder.mutationField('vpsReinstall', (t) =>
  t.field({
    type: Operation,
    authScopes: SERVER_ACCESS,
    args: {
      id: t.arg.id({ required: true }),
      os: t.arg({ type: OperatingSystem, required: true }),
      password: t.arg.string(),
      sshKeys: t.arg.stringList(),
    },
    resolve: (_root, { id, os, password, sshKeys }, ctx) =>
      reinstallServer(
        ctx,
        { os, ...(typeof password === 'string' && { password }), ...(sshKeys && { sshKeys }) },
        { serverId: id, kind: 'VPS' },
      ),
  }),
);
