import { builder } from '../../builder.ts';
import { Account } from '../../identity/graphql/account.ts';
import { restoreAccount, suspendAccount } from '../services/suspend-account.ts';

builder.mutationFields((t) => ({
  supportAccountSuspend: t.field({
    type: Account,
    authScopes: { staff: 'suspend' },
    args: { accountId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, deed, ctx) => suspendAccount(ctx, deed),
  }),
  supportAccountRestore: t.field({
    type: Account,
    authScopes: { staff: 'suspend' },
    args: { accountId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, deed, ctx) => restoreAccount(ctx, deed),
  }),
}));
