// The reverse DNS names of a server's addresses, for both kinds of server.
import { SERVER_ACCESS, builder } from '../../builder.ts';
import { Server } from '../../servers/graphql/server.ts';
import { type ReverseName as ReverseNameShape, reverseNames, setReverseName } from '../services/reverse-names.ts';
import { WishState } from './firewall.ts';

const ReverseName = builder.objectRef<ReverseNameShape>('ReverseName').implement({
  fields: (t) => ({
    ip: t.exposeString('ip'),
    name: t.exposeString('name', { nullable: true }),
    state: t.expose('state', { type: WishState }),
  }),
});

builder.interfaceField(Server, 'reverseNames', (t) =>
  t.field({ type: [ReverseName], resolve: (server, _args, ctx) => reverseNames(ctx, server) }),
);

builder.mutationField('serverSetReverseName', (t) =>
  t.field({
    type: Server,
    authScopes: SERVER_ACCESS,
    args: { id: t.arg.id({ required: true }), ip: t.arg.string({ required: true }), name: t.arg.string() },
    resolve: (_root, { id, ip, name }, ctx) => setReverseName(ctx, id, ip, name ?? null),
  }),
);
