// Gateways ask here whose key it is, and report how often keys are used. Inaccessible from outside.
import { builder } from '../../builder.ts';
import { CallerIdentity } from '../../identity/graphql/caller-identity.ts';
import { callerOfApiKey } from '../services/api-keys.ts';
import { addKeyUse } from '../services/key-use.ts';

builder.queryField('callerOfApiKey', (t) =>
  t.field({
    type: CallerIdentity,
    inaccessible: true,
    authScopes: { system: true },
    args: { key: t.arg.string({ required: true }) },
    resolve: (_, { key }, ctx) => callerOfApiKey(ctx, key),
  }),
);

builder.mutationField('apiKeyUseReport', (t) =>
  t.boolean({
    inaccessible: true,
    authScopes: { system: true },
    args: { keyIds: t.arg.idList({ required: true }), requests: t.arg.intList({ required: true }) },
    async resolve(_, { keyIds, requests }, ctx) {
      await addKeyUse(
        ctx,
        keyIds.map((keyId, index) => ({ keyId, requests: requests[index] ?? 0 })),
      );
      return true;
    },
  }),
);
