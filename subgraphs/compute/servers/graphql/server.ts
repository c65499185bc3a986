// What VPS and dedicated servers have in common, and the queries that return either.
import { accountOf, maySee } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { mayReach } from '#platform/identity.ts';
import { pageById } from '#platform/id-page.ts';
import { isId } from '#platform/ids.ts';
import { SERVER_SIGHT, builder } from '../../builder.ts';
import type { ServersContext } from '../context.ts';
import { POWER_STATES } from '../domain/server-action.ts';
import { LABELS_MAX } from '../domain/server-label.ts';
import { operationsOfServer } from '../../operations/entities/operation.ts';
import { type ServerRow, serversByIds, serversOfAccount } from '../entities/server.ts';
import { actionsOf } from '../services/server-facts.ts';
import { Account, BillingSubscription } from './account.ts';
import { AvailableAction, Operation, OperationPage } from '../../operations/graphql/operation.ts';
import { OperatingSystem } from '../../catalogue/graphql/operating-system.ts';
import { ServerLabel } from './server-label.ts';

const PowerState = builder.enumType('PowerState', { values: POWER_STATES });

/** Loads servers that the viewer may see. Another account's server is not found, and for an API key without the scope none is, whichever query leads here. */
export async function loadServers(ids: string[], { em, viewer }: ServersContext, kind?: ServerRow['kind']): Promise<(ServerRow | Error)[]> {
  const hasScope = viewer.kind !== 'key' || viewer.scopes.includes(SERVER_SIGHT.key);
  const mine = (row: ServerRow) => hasScope && maySee(viewer, row.accountId, row.id) && (kind === undefined || row.kind === kind);
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
    account: t.field({ type: Account, resolve: ({ accountId }) => ({ id: accountId }) }),
    ipv4: t.exposeStringList('ipv4'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    os: t.expose('os', { type: OperatingSystem, nullable: true }),
    loginName: t.exposeString('loginName', { nullable: true }),
    name: t.string({ resolve: ({ name, hostname }) => name ?? hostname }),
    labels: t.field({
      type: [ServerLabel],
      resolve: ({ labels }) => Object.entries(labels).map(([key, value]) => ({ key, value })),
    }),
    labelsMax: t.int({ resolve: () => LABELS_MAX }),
    protected: t.exposeBoolean('protected'),
    inRescue: t.boolean({ resolve: ({ rescuePasswordSealed }) => rescuePasswordSealed !== null }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd'),
    paidUntil: t.field({ type: 'DateTime', nullable: true, resolve: ({ periodEnd }) => periodEnd }),
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
    operationPage: t.field({
      type: OperationPage,
      args: { first: t.arg.int({ required: true, defaultValue: 25 }), after: t.arg.id() },
      resolve: ({ id }, asked, { em }) => pageById(asked, (limit, after) => operationsOfServer(em, id, limit, after)),
    }),
    billing: t.field({ type: BillingSubscription, resolve: ({ subscriptionId }) => ({ id: subscriptionId }) }),
  }),
});

builder.queryFields((t) => ({
  servers: t.field({
    nullable: true,
    type: [Server],
    authScopes: SERVER_SIGHT,
    resolve: async (_root, _args, ctx) => (await serversOfAccount(ctx.em, accountOf(ctx))).filter(({ id }) => mayReach(ctx.viewer, id)),
  }),
  server: t.field({
    nullable: true,
    type: Server,
    authScopes: SERVER_SIGHT,
    args: { id: t.arg.id({ required: true }) },
    async resolve(_root, { id }, ctx) {
      const [server] = await loadServers([id], ctx);
      if (!server || server instanceof Error) throw server ?? fail('server_not_found');
      return server;
    },
  }),
  supportServers: t.field({
    type: [Server],
    authScopes: { staff: 'customers' },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_root, { accountId }, { em }) => serversOfAccount(em, accountId),
  }),
}));
