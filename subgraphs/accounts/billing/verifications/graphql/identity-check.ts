import { builder } from '../../../builder.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { levelRow } from '../../risk/entities/identity-level.ts';
import { beginCheck, receiveDecision } from '../services/identity-checks.ts';

const IdentityCheck = builder.objectRef<{ url: string }>('IdentityCheck').implement({ fields: (t) => ({ url: t.exposeString('url') }) });

builder.objectFields(Account, (t) => ({
  identityExpiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    resolve: async ({ id }, _, { em }) => (await levelRow(em, id))?.expiresAt ?? null,
  }),
  identityCheckOffered: t.boolean({ resolve: (_account, _, { providers }) => providers.identityVendor !== undefined }),
}));

const IdentityNoticeReceipt = builder
  .objectRef<{ stored: boolean }>('IdentityNoticeReceipt')
  .implement({ inaccessible: true, fields: (t) => ({ stored: t.exposeBoolean('stored') }) });

builder.mutationFields((t) => ({
  identityCheckBegin: t.field({
    type: IdentityCheck,
    authScopes: { session: true },
    resolve: async (_root, _args, ctx) => ({ url: await beginCheck(ctx) }),
  }),
  identityNoticeReceive: t.field({
    type: IdentityNoticeReceipt,
    inaccessible: true,
    authScopes: { system: true },
    args: {
      id: t.arg.string({ required: true }),
      timestamp: t.arg.string({ required: true }),
      signature: t.arg.string({ required: true }),
      body: t.arg.string({ required: true }),
    },
    resolve: (_root, notice, ctx) => receiveDecision(ctx, notice),
  }),
}));
