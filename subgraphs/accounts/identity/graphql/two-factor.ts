import { builder } from '../../builder.ts';
import { type Passkey as PasskeyEntity, passkeysOfAccount } from '../entities/passkey.ts';
import { countUnusedCodes } from '../entities/recovery-code.ts';
import { totpOfAccount } from '../entities/totp.ts';
import { type StartedCeremony, addPasskey, removePasskey, startPasskey } from '../services/passkeys.ts';
import { acceptEnrolment } from '../services/staff-enrolment.ts';
import { type Enrolment, confirmTotp, removeTotp, renewRecoveryCodes, startTotp } from '../services/totp.ts';
import { AccountAccess } from './access.ts';
import { Account } from './account.ts';

const Passkey = builder.objectRef<PasskeyEntity>('Passkey').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
});

const TotpEnrolment = builder
  .objectRef<Enrolment>('TotpEnrolment')
  .implement({ fields: (t) => ({ secret: t.exposeString('secret'), uri: t.exposeString('uri') }) });

const RecoveryCodes = builder
  .objectRef<{ codes: string[] }>('RecoveryCodes')
  .implement({ fields: (t) => ({ codes: t.exposeStringList('codes') }) });

export const PasskeyCeremony = builder
  .objectRef<StartedCeremony>('PasskeyCeremony')
  .implement({ fields: (t) => ({ token: t.exposeString('token'), options: t.exposeString('options') }) });

const AddedPasskey = builder.objectRef<{ passkey: PasskeyEntity; codes: string[] }>('AddedPasskey').implement({
  fields: (t) => ({ passkey: t.expose('passkey', { type: Passkey }), recoveryCodes: t.exposeStringList('codes') }),
});

builder.objectFields(AccountAccess, (t) => ({
  totpSince: t.field({
    type: 'DateTime',
    nullable: true,
    resolve: async ({ id }, _, { em }) => (await totpOfAccount(em, id))?.confirmedAt ?? null,
  }),
  recoveryCodesLeft: t.int({ resolve: ({ id }, _, { em }) => countUnusedCodes(em, id) }),
  passkeys: t.field({ type: [Passkey], resolve: ({ id }, _, { em }) => passkeysOfAccount(em, id) }),
}));

builder.mutationFields((t) => ({
  totpStart: t.field({
    type: TotpEnrolment,
    authScopes: { session: true },
    args: { password: t.arg.string() },
    resolve: (_, { password }, ctx) => startTotp(ctx, password),
  }),
  totpConfirm: t.field({
    type: RecoveryCodes,
    authScopes: { session: true },
    args: { code: t.arg.string({ required: true }) },
    resolve: async (_, { code }, ctx) => ({ codes: await confirmTotp(ctx, code) }),
  }),
  totpRemove: t.field({
    type: Account,
    authScopes: { session: true },
    args: { code: t.arg.string({ required: true }), password: t.arg.string() },
    resolve: (_, input, ctx) => removeTotp(ctx, input),
  }),
  staffEnrolmentAccept: t.field({
    type: 'DateTime',
    authScopes: { session: true },
    args: { token: t.arg.string({ required: true }) },
    resolve: async (_, { token }, ctx) => (await acceptEnrolment(ctx, token)).until,
  }),
  recoveryCodesRenew: t.field({
    type: RecoveryCodes,
    authScopes: { session: true },
    args: { password: t.arg.string() },
    resolve: async (_, { password }, ctx) => ({ codes: await renewRecoveryCodes(ctx, password) }),
  }),
  passkeyStart: t.field({
    type: PasskeyCeremony,
    authScopes: { session: true },
    args: { password: t.arg.string() },
    resolve: (_, { password }, ctx) => startPasskey(ctx, password),
  }),
  passkeyAdd: t.field({
    type: AddedPasskey,
    authScopes: { session: true },
    args: { token: t.arg.string({ required: true }), response: t.arg.string({ required: true }), name: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => addPasskey(ctx, input),
  }),
  passkeyRemove: t.field({
    type: Account,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }), password: t.arg.string() },
    resolve: (_, input, ctx) => removePasskey(ctx, input),
  }),
}));
