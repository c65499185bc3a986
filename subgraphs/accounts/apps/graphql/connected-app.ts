import { builder } from '../../builder.ts';
import { Account } from '../../identity/graphql/account.ts';
import { keyWithId } from '../../keys/entities/api-key.ts';
import { ApiKey, ApiKeyScope } from '../../keys/graphql/api-key.ts';
import type { AppGrant } from '../entities/oauth-record.ts';
import { connectedApps, disconnectApp } from '../services/connected-apps.ts';

const ConnectedApp = builder.objectRef<AppGrant>('ConnectedApp').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('appName'),
    host: t.exposeString('appHost'),
    scopes: t.expose('scopes', { type: [ApiKeyScope] }),
    apiKey: t.field({ type: ApiKey, nullable: true, resolve: ({ keyId }, _, { em }) => keyWithId(em, keyId) }),
    connectedAt: t.expose('createdAt', { type: 'DateTime' }),
    renewedAt: t.expose('renewedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

builder.objectField(Account, 'connectedApps', (t) =>
  t.field({ type: [ConnectedApp], authScopes: { session: 'keys' }, resolve: ({ id }, _, ctx) => connectedApps(ctx, id) }),
);

builder.mutationField('connectedAppRemove', (t) =>
  t.id({
    authScopes: { session: 'keys' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => disconnectApp(ctx, id),
  }),
);
