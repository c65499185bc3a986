// What owners do with a server of either kind, apart from power and installation.
import { SERVER_ACCESS, SESSION_ALONE, builder } from '../../builder.ts';
import { actOnServer, revealRescuePassword } from '../services/act-on-server.ts';
import { labelServer, protectServer, renameServer } from '../services/server-settings.ts';
import { Operation } from '../../operations/graphql/operation.ts';
import { ServerLabelInput } from './server-label.ts';
import { Server } from './server.ts';

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true });
  return {
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
      resolve: (_root, args, ctx) => actOnServer(ctx, args.id, 'rescue'),
    }),
    serverLeaveRescue: t.field({
      type: Operation,
      authScopes: SERVER_ACCESS,
      args: { id },
      resolve: (_root, args, ctx) => actOnServer(ctx, args.id, 'leave_rescue'),
    }),
    serverRevealRescuePassword: t.string({
      authScopes: SESSION_ALONE,
      args: { id },
      resolve: (_root, args, ctx) => revealRescuePassword(ctx, args.id),
    }),
  };
});
