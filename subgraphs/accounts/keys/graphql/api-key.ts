import { maySee } from '#platform/context.ts';
import { builder } from '../../builder.ts';
import { API_KEY_STATUSES, API_KEY_KINDS, maskApiKey, statusOfKey } from '../domain/api-key.ts';
import { type ApiKey as ApiKeyEntity, keyWithId, keysOfAccount } from '../entities/api-key.ts';
import { revokeApiKey } from '../services/api-keys.ts';
import { requestsOfKeys } from '../services/key-use.ts';
import { Account } from '../../identity/graphql/account.ts';

export const ApiKeyKind = builder.enumType('ApiKeyKind', { values: API_KEY_KINDS });
export const ApiKeyScope = builder.enumType('ApiKeyScope', {
  values: {
    READ: { value: 'read' },
    GENERATE: { value: 'generate' },
    PLANS: { value: 'plans' },
    SERVERS: { value: 'servers' },
    BILLING: { value: 'billing' },
    WEBHOOKS: { value: 'webhooks' },
  } as const,
});
const ApiKeyStatus = builder.enumType('ApiKeyStatus', { values: API_KEY_STATUSES });

export const ApiKey = builder.objectRef<ApiKeyEntity>('ApiKey').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    masked: t.string({ resolve: maskApiKey }),
    prefix: t.exposeString('prefix'),
    lastFour: t.exposeString('lastFour'),
    status: t.field({ type: ApiKeyStatus, resolve: (key, _, { clock }) => statusOfKey(key, clock.now()) }),
    kind: t.expose('kind', { type: ApiKeyKind }),
    scopes: t.expose('scopes', { type: [ApiKeyScope] }),
    allowedAddresses: t.exposeStringList('allowedAddresses'),
    requestsLast30Days: t.loadable({
      type: 'Int',
      load: (ids: string[], ctx) => requestsOfKeys(ctx, ids),
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    lastUsedAddress: t.exposeString('lastUsedAddress', { nullable: true }),
  }),
});

builder.asEntity(ApiKey, {
  key: builder.selection<{ id: string }>('id'),
  async resolveReference({ id }, { em, viewer }) {
    if (viewer.kind === 'key') return null;
    const key = await keyWithId(em, id);
    return key && maySee(viewer, key.accountId) ? key : null;
  },
});

builder.objectField(Account, 'apiKeys', (t) =>
  t.field({ type: [ApiKey], authScopes: { session: 'keys' }, resolve: ({ id }, _, { em }) => keysOfAccount(em, id) }),
);

builder.mutationField('apiKeyRevoke', (t) =>
  t.field({
    type: ApiKey,
    authScopes: { session: 'keys' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => revokeApiKey(ctx, id),
  }),
);
