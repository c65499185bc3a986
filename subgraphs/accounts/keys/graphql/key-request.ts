import { builder } from '../../builder.ts';
import { existingAccount } from '../../identity/entities/account.ts';
import { type KeyRequest as KeyRequestEntity, keyRequestsOfAccount } from '../entities/key-request.ts';
import { requestKey, requestRotation } from '../services/key-requests.ts';
import { Account } from '../../identity/graphql/account.ts';
import { ApiKeyKind, ApiKeyScope } from './api-key.ts';

const KeyRequestStatus = builder.enumType('KeyRequestStatus', { values: ['OPEN', 'ISSUED', 'DECLINED'] as const });

export const KeyRequest = builder.objectRef<KeyRequestEntity>('KeyRequest').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: ApiKeyKind }),
    scopes: t.expose('scopes', { type: [ApiKeyScope] }),
    allowedAddresses: t.exposeStringList('allowedAddresses'),
    replaces: t.exposeID('replaces', { nullable: true }),
    overlapHours: t.exposeInt('overlapHours'),
    note: t.exposeString('note'),
    status: t.expose('status', { type: KeyRequestStatus }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
    account: t.field({ type: Account, resolve: ({ accountId }, _, { em }) => existingAccount(em, accountId) }),
  }),
});

const KeyRequestInput = builder.inputType('KeyRequestInput', {
  fields: (t) => ({
    kind: t.field({ type: ApiKeyKind, required: true }),
    scopes: t.field({ type: [ApiKeyScope] }),
    allowedAddresses: t.stringList(),
    note: t.string(),
  }),
});

builder.objectField(Account, 'keyRequests', (t) =>
  t.field({ type: [KeyRequest], authScopes: { session: 'keys' }, resolve: ({ id }, _, { em }) => keyRequestsOfAccount(em, id) }),
);

builder.mutationFields((t) => ({
  apiKeyRequest: t.field({
    type: KeyRequest,
    authScopes: { session: 'keys' },
    args: { input: t.arg({ type: KeyRequestInput, required: true }) },
    resolve: (_, { input }, ctx) => requestKey(ctx, input),
  }),
  apiKeyRequestRotation: t.field({
    type: KeyRequest,
    authScopes: { session: 'keys' },
    args: { id: t.arg.id({ required: true }), overlapHours: t.arg.int({ required: true, defaultValue: 24 }), note: t.arg.string() },
    resolve: (_, input, ctx) => requestRotation(ctx, input),
  }),
}));
