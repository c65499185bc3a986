import { maySee } from '#platform/context.ts';
import { builder } from '../../builder.ts';
import { ACCOUNT_ROLES, type Account as AccountEntity, accountWithId } from '../entities/account.ts';
import { checkVerification, resendVerification, signUp } from '../services/sign-up.ts';
import { LEGAL_KINDS } from '../domain/legal-text.ts';

export const AccountRole = builder.enumType('AccountRole', { values: ACCOUNT_ROLES });

export const Account = builder.objectRef<AccountEntity>('Account').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email', { nullable: true, authScopes: { session: 'read', system: true } }),
    emailVerifiedAt: t.expose('emailVerifiedAt', { type: 'DateTime', nullable: true }),
    role: t.expose('role', { type: AccountRole }),
    apiAllowed: t.exposeBoolean('apiAllowed'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    suspendedAt: t.expose('suspendedAt', { type: 'DateTime', nullable: true }),
    suspensionReason: t.exposeString('suspensionReason', { nullable: true }),
  }),
});

builder.asEntity(Account, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: ({ id }, { em, viewer }) => (maySee(viewer, id) ? accountWithId(em, id) : null),
});

export const MailReceipt = builder
  .objectRef<{ email: string }>('MailReceipt')
  .implement({ fields: (t) => ({ email: t.exposeString('email') }) });

export const LegalKind = builder.enumType('LegalKind', { values: LEGAL_KINDS });

const LegalAcceptInput = builder.inputType('LegalAcceptInput', {
  fields: (t) => ({ kind: t.field({ type: LegalKind, required: true }), version: t.int({ required: true }) }),
});

export const SignUpInput = builder.inputType('SignUpInput', {
  fields: (t) => ({
    email: t.string({ required: true }),
    password: t.string({ required: true }),
    accepts: t.field({ type: [LegalAcceptInput] }),
    next: t.string(),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Account,
    nullable: true,
    authScopes: { anyone: true },
    resolve: (_, __, { em, viewer }) => (viewer.kind === 'session' || viewer.kind === 'key' ? accountWithId(em, viewer.accountId) : null),
  }),
);

builder.mutationFields((t) => ({
  accountSignUp: t.field({
    type: MailReceipt,
    authScopes: { anyone: true },
    args: { input: t.arg({ type: SignUpInput, required: true }) },
    resolve: (_, { input }, ctx) => signUp(ctx, input),
  }),
  accountResendVerification: t.field({
    type: MailReceipt,
    authScopes: { anyone: true },
    args: { email: t.arg.string({ required: true }) },
    resolve: (_, { email }, ctx) => resendVerification(ctx, { email }),
  }),
  accountVerifyEmail: t.field({
    type: MailReceipt,
    authScopes: { anyone: true },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_, { token }, ctx) => checkVerification(ctx, token),
  }),
}));
