import { builder } from '../../builder.ts';
import { type NewImpersonation as NewImpersonationShape, beginImpersonation, endImpersonation } from '../services/impersonation.ts';
import { Account } from './account.ts';

builder.objectField(Account, 'impersonatedUntil', (t) =>
  t.field({
    type: 'DateTime',
    nullable: true,
    resolve: ({ id }, _args, { viewer }) =>
      viewer.kind === 'session' && viewer.impersonation && viewer.accountId === id ? new Date(viewer.impersonation.until) : null,
  }),
);

const NewImpersonation = builder.objectRef<NewImpersonationShape>('NewImpersonation').implement({
  inaccessible: true,
  fields: (t) => ({ token: t.exposeString('token'), expiresAt: t.expose('expiresAt', { type: 'DateTime' }) }),
});

builder.mutationFields((t) => ({
  supportImpersonationBegin: t.field({
    type: NewImpersonation,
    inaccessible: true,
    authScopes: { staff: 'impersonate' },
    args: { accountId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => beginImpersonation(ctx, input),
  }),
  impersonationEnd: t.boolean({
    inaccessible: true,
    authScopes: { anyone: true },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_, { token }, ctx) => endImpersonation(ctx, token),
  }),
}));
