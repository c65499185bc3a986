// The operations and subscriptions of owners, which both kinds of server have under their own names.
import { fail } from '#platform/errors.ts';
import { SERVER_ACCESS, SERVER_SIGHT, SESSION_ALONE, builder } from '../../builder.ts';
import type { ServerKind } from '../../operations/domain/operation.ts';
import { type ServerRow, serversByIds } from '../entities/server.ts';
import { type OwnersAction, actOnServer, revealPassword } from '../services/act-on-server.ts';
import { watchServers } from '../services/watch-servers.ts';
import { Operation } from '../../operations/graphql/operation.ts';

/** The operations of one kind, by their names in the graph. The names are written where the kind is declared, so that a search finds them there. */
export interface OwnersOperations {
  actions: Readonly<Record<string, OwnersAction>>;
  revealPassword: string;
  changed: string;
}

/** Adds the operations of a kind, whose object type is `ref`. */
export function addOwnersActions(
  kind: ServerKind,
  ref: ReturnType<typeof builder.loadableObjectRef<ServerRow, string>>,
  operations: OwnersOperations,
): void {
  for (const [name, action] of Object.entries(operations.actions))
    builder.mutationField(name, (t) =>
      t.field({
        type: Operation,
        authScopes: SERVER_ACCESS,
        args: { id: t.arg.id({ required: true }) },
        resolve: (_root, { id }, ctx) => actOnServer(ctx, action, { serverId: id, kind }),
      }),
    );

  builder.mutationField(operations.revealPassword, (t) =>
    t.string({
      authScopes: SESSION_ALONE,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, ctx) => revealPassword(ctx, id, kind),
    }),
  );

  builder.subscriptionField(operations.changed, (t) =>
    t.field({
      type: ref,
      authScopes: SERVER_SIGHT,
      subscribe: (_root, _args, ctx) => watchServers(ctx, kind),
      async resolve(id, _args, { em }) {
        const [server] = await serversByIds(em, [id as string]);
        if (!server) throw fail('server_not_found');
        return server;
      },
    }),
  );
}
