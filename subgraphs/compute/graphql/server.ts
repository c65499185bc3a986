// What VPS and dedicated servers have in common, and the queries that return either.
import { accountOf, maySee } from '#shared/context.ts';
import { fail } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import { type ComputeContext, builder } from '../builder.ts';
import { POWER_STATES } from '../domain/server-action.ts';
import { type ServerRow, serversByIds, serversOfAccount } from '../entities/server.ts';

const PowerState = builder.enumType('PowerState', { values: POWER_STATES });

/** Loads what the viewer may see; another account's server is not found. */
export async function loadServers(ids: string[], { em, viewer }: ComputeContext, kind?: ServerRow['kind']): Promise<(ServerRow | Error)[]> {
  const mine = (row: ServerRow) => maySee(viewer, row.accountId) && (kind === undefined || row.kind === kind);
  const possible = ids.filter((id) => isId('vps', id) || isId('ded', id));
  const rows = new Map((await serversByIds(em, possible)).filter(mine).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? fail('server_not_found'));
}

export const Server = builder.interfaceRef<ServerRow>('Server').implement({
  resolveType: ({ kind }) => (kind === 'VPS' ? 'Vps' : 'DedicatedServer'),
  fields: (t) => ({
    id: t.exposeID('id'),
    hostname: t.exposeString('hostname'),
    powerState: t.expose('powerState', { type: PowerState }),
    ipv4: t.exposeStringList('ipv4'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.queryFields((t) => ({
  servers: t.field({
    type: [Server],
    authScopes: { session: true },
    resolve: (_root, _args, ctx) => serversOfAccount(ctx.em, accountOf(ctx)),
  }),
  server: t.field({
    type: Server,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    async resolve(_root, { id }, ctx) {
      const [server] = await loadServers([id], ctx);
      if (!server || server instanceof Error) throw server ?? fail('server_not_found');
      return server;
    },
  }),
}));
