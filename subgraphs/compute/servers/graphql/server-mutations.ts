// What owners do with a server of either kind.
import { SERVER_ACCESS, SESSION_ALONE, builder } from '../../builder.ts';
import { type OwnersAction, actOnServer, reinstallServer, revealRescuePassword } from '../services/act-on-server.ts';
import { labelServer, protectServer, renameServer } from '../services/server-settings.ts';
import { OperatingSystem } from '../../catalogue/graphql/operating-system.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { ServerLabelInput } from './server-label.ts';
import { Server } from './server.ts';

const named = <Action extends OwnersAction>(value: Action) => ({ value });
const ServerAction = builder.enumType('ServerAction', {
  values: {
    START: named('start'),
    REBOOT: named('reboot'),
    STOP: named('stop'),
    FORCE_STOP: named('force_stop'),
    RESET_PASSWORD: named('reset_password'),
    RESCUE: named('rescue'),
    LEAVE_RESCUE: named('leave_rescue'),
    TAKE_BACKUP: named('take_backup'),
  },
});

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true });
  const idempotencyKey = t.arg.string();
  return {
    serverAct: t.field({
      type: Operation,
      authScopes: SERVER_ACCESS,
      args: { id, action: t.arg({ type: ServerAction, required: true }), idempotencyKey },
      resolve: (_root, args, ctx) => actOnServer(ctx, args.action, { serverId: args.id, idempotencyKey: args.idempotencyKey ?? undefined }),
    }),
    serverReinstall: t.field({
      type: Operation,
      authScopes: SERVER_ACCESS,
      args: {
        id,
        os: t.arg({ type: OperatingSystem, required: true }),
        password: t.arg.string(),
        sshKeys: t.arg.stringList(),
        idempotencyKey,
      },
      resolve: (_root, { id: serverId, os, password, sshKeys, idempotencyKey: key }, ctx) =>
        reinstallServer(
          ctx,
          { os, ...(typeof password === 'string' && { password }), ...(sshKeys && { sshKeys }) },
          { serverId, idempotencyKey: key ?? undefined },
        ),
    }),
    serverRename: t.field({
      type: Server,
      authScopes: SERVER_ACCESS,
      args: { id, name: t.arg.string() },
      resolve: (_root, args, ctx) => renameServer(ctx, args.id, args.name ?? null),
    }),
    serverSetLabels: t.field({
      type: Server,
      authScopes: SERVER_ACCESS,
      args: { id, labels: t.arg({ type: [ServerLabelInput], required: true }) },
      resolve: (_root, args, ctx) => labelServer(ctx, args.id, args.labels),
    }),
    serverProtect: t.field({
      type: Server,
      authScopes: SERVER_ACCESS,
      args: { id, protected: t.arg.boolean({ required: true }) },
      resolve: (_root, args, ctx) => protectServer(ctx, args.id, args.protected),
    }),
    serverRescue: t.field({
      type: Operation,
      authScopes: SERVER_ACCESS,
      args: { id },
      resolve: (_root, args, ctx) => actOnServer(ctx, 'rescue', { serverId: args.id }),
    }),
    serverLeaveRescue: t.field({
      type: Operation,
      authScopes: SERVER_ACCESS,
      args: { id },
      resolve: (_root, args, ctx) => actOnServer(ctx, 'leave_rescue', { serverId: args.id }),
    }),
    serverRevealRescuePassword: t.string({
      authScopes: SESSION_ALONE,
      args: { id },
      resolve: (_root, args, ctx) => revealRescuePassword(ctx, args.id),
    }),
  };
});
