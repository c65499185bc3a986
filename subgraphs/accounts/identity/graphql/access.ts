// The ways into an account, and the operations that change them.
import { builder } from '../../builder.ts';
import type { Account as AccountEntity } from '../entities/account.ts';
import { openEmailChange } from '../entities/email-change.ts';
import { openSessionsOf } from '../entities/session.ts';
import { askDeviceLink } from '../services/device-link.ts';
import { addPassword, changeEmail, confirmEmail } from '../services/email-change.ts';
import { changePassword } from '../services/password.ts';
import { askRecovery, recover } from '../services/recovery.ts';
import { Account, MailReceipt } from './account.ts';
import { Session } from './session.ts';

export const AccountAccess = builder.objectRef<AccountEntity>('AccountAccess').implement({
  fields: (t) => ({
    hasPassword: t.boolean({ resolve: ({ passwordHash }) => passwordHash !== null }),
    pendingEmail: t.string({
      nullable: true,
      resolve: async ({ id }, _, { em, clock }) => (await openEmailChange(em, id, clock.now()))?.email ?? null,
    }),
  }),
});

builder.objectFields(Account, (t) => ({
  access: t.field({ type: AccountAccess, authScopes: { session: true }, resolve: (account) => account }),
  sessions: t.field({
    type: [Session],
    authScopes: { session: true },
    resolve: ({ id }, _, { em, clock }) => openSessionsOf(em, id, clock.now()),
  }),
}));

const EmailConfirmation = builder
  .objectRef<{ email: string; done: boolean }>('EmailConfirmation')
  .implement({ fields: (t) => ({ email: t.exposeString('email'), done: t.exposeBoolean('done') }) });

builder.mutationFields((t) => ({
  accountRecover: t.field({
    type: MailReceipt,
    authScopes: { anyone: true },
    args: { email: t.arg.string({ required: true }), next: t.arg.string() },
    resolve: (_, input, ctx) => askRecovery(ctx, input),
  }),
  accountDeviceLink: t.field({
    type: MailReceipt,
    authScopes: { anyone: true },
    args: { email: t.arg.string({ required: true }), next: t.arg.string() },
    resolve: (_, input, ctx) => askDeviceLink(ctx, input),
  }),
  accountSetPassword: t.field({
    type: MailReceipt,
    authScopes: { anyone: true },
    args: { token: t.arg.string({ required: true }), password: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => recover(ctx, input),
  }),
  accountChangePassword: t.field({
    type: Account,
    authScopes: { session: true },
    args: { current: t.arg.string({ required: true }), password: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => changePassword(ctx, input),
  }),
  accountChangeEmail: t.field({
    type: MailReceipt,
    authScopes: { session: true },
    args: { email: t.arg.string({ required: true }), password: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => changeEmail(ctx, input),
  }),
  accountAddPassword: t.field({
    type: MailReceipt,
    authScopes: { session: true },
    args: { email: t.arg.string({ required: true }), password: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => addPassword(ctx, input),
  }),
  accountConfirmEmail: t.field({
    type: EmailConfirmation,
    authScopes: { session: true },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_, { token }, ctx) => confirmEmail(ctx, token),
  }),
}));
