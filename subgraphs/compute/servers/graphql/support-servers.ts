// What support sees of an account's servers.
import { builder } from '../../builder.ts';
import { serversOfAccount } from '../entities/server.ts';
import { Server } from './server.ts';

builder.queryField('supportServers', (t) =>
  t.field({
    type: [Server],
    authScopes: { staff: true },
    args: { accountId: t.arg.id({ required: true }) },
    resolve: (_root, { accountId }, { em }) => serversOfAccount(em, accountId),
  }),
);
