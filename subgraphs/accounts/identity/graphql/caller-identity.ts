// What the gateway asks to identify a caller. Inaccessible from outside: only the platform's own parts can use these fields.
import { type Member, TEAM_ROLES } from '#platform/team-permissions.ts';
import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { confirmLogIn } from '../services/confirm-log-in.ts';
import { callerOfSession, createSession, endSession } from '../services/log-in.ts';
import type { NewSession as NewSessionValue } from '../services/open-session.ts';
import { signInByPasskey, startPasskeySignIn } from '../services/passkeys.ts';
import { type SignUpArrival as SignUpArrivalValue, followSignUpLink } from '../services/sign-up-link.ts';
import { signUp } from '../services/sign-up.ts';
import { Account, AccountRole as AccountRoleEnum, SignUpInput } from './account.ts';
import { PasskeyCeremony } from './two-factor.ts';
import { SECOND_FACTORS } from '../services/second-factor.ts';
import type { AccountRole } from '../entities/account.ts';

interface Caller {
  accountId: string;
  role: AccountRole;
  sessionId: string | null;
  keyId: string | null;
  keyHash?: string;
  scopes: string[];
  documentsOnly?: boolean;
  permissions: string[];
  impersonatedBy?: string | null;
  member?: Member;
  expiresAt: Date | null;
}

export const TeamRole = builder.enumType('TeamRole', { values: TEAM_ROLES });

const CallerMember = builder.objectRef<Member>('CallerMember').implement({
  inaccessible: true,
  fields: (t) => ({
    accountId: t.exposeID('accountId'),
    role: t.expose('role', { type: TeamRole }),
    only: t.field({ type: ['ID'], nullable: true, resolve: ({ only }) => (only ? [...only] : null) }),
  }),
});

export const CallerIdentity = builder.objectRef<Caller>('CallerIdentity').implement({
  inaccessible: true,
  fields: (t) => ({
    accountId: t.exposeID('accountId'),
    role: t.expose('role', { type: AccountRoleEnum }),
    sessionId: t.exposeID('sessionId', { nullable: true }),
    keyId: t.exposeID('keyId', { nullable: true }),
    keyHash: t.string({ nullable: true, resolve: ({ keyHash }) => keyHash ?? null }),
    scopes: t.exposeStringList('scopes'),
    documentsOnly: t.boolean({ resolve: ({ documentsOnly }) => documentsOnly ?? false }),
    permissions: t.exposeStringList('permissions'),
    impersonatedBy: t.id({ nullable: true, resolve: ({ impersonatedBy }) => impersonatedBy ?? null }),
    member: t.field({ type: CallerMember, nullable: true, resolve: ({ member }) => member ?? null }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
});

const SecondFactor = builder.enumType('SecondFactor', { values: SECOND_FACTORS, inaccessible: true });

const DeviceProof = builder.objectRef<{ token: string; expiresAt: Date }>('DeviceProof').implement({
  inaccessible: true,
  fields: (t) => ({ token: t.exposeString('token'), expiresAt: t.expose('expiresAt', { type: 'DateTime' }) }),
});

export const NewSession = builder.objectRef<NewSessionValue>('NewSession').implement({
  inaccessible: true,
  fields: (t) => ({
    token: t.exposeString('token'),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    secondFactors: t.expose('secondFactors', { type: [SecondFactor] }),
    account: t.expose('account', { type: Account }),
    device: t.expose('device', { type: DeviceProof, nullable: true }),
  }),
});

const SignUpBegun = builder.objectRef<{ email: string; browser: string; expiresAt: Date }>('SignUpBegun').implement({
  inaccessible: true,
  fields: (t) => ({
    email: t.exposeString('email'),
    browser: t.exposeString('browser'),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

const SignUpArrival = builder.objectRef<SignUpArrivalValue>('SignUpArrival').implement({
  inaccessible: true,
  fields: (t) => ({
    email: t.exposeString('email'),
    next: t.exposeString('next', { nullable: true }),
    session: t.expose('session', { type: NewSession, nullable: true }),
  }),
});

builder.queryFields((t) => ({
  callerOfSession: t.field({
    type: CallerIdentity,
    inaccessible: true,
    authScopes: { system: true },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_, { token }, ctx) => callerOfSession(ctx, token),
  }),
}));

builder.mutationFields((t) => ({
  sessionCreate: t.field({
    type: NewSession,
    inaccessible: true,
    authScopes: { anyone: true },
    args: {
      email: t.arg.string({ required: true }),
      password: t.arg.string({ required: true }),
      verification: t.arg.string(),
      devices: t.arg.stringList(),
    },
    resolve: (_, input, ctx) => createSession(ctx, input),
  }),
  signUpBegin: t.field({
    type: SignUpBegun,
    inaccessible: true,
    authScopes: { anyone: true },
    args: { input: t.arg({ type: SignUpInput, required: true }) },
    resolve: (_, { input }, ctx) => signUp(ctx, input),
  }),
  signUpFollow: t.field({
    type: SignUpArrival,
    inaccessible: true,
    authScopes: { anyone: true },
    args: { verification: t.arg.string({ required: true }), browser: t.arg.string(), devices: t.arg.stringList() },
    resolve: (_, input, ctx) => followSignUpLink(ctx, input),
  }),
  sessionConfirm: t.field({
    type: NewSession,
    inaccessible: true,
    authScopes: { anyone: true },
    args: {
      challenge: t.arg.string({ required: true }),
      method: t.arg({ type: SecondFactor, required: true }),
      code: t.arg.string({ required: true }),
      devices: t.arg.stringList(),
    },
    resolve: (_, { challenge, method, code, devices }, ctx) => {
      // A passkey is not used here: it is a log-in of its own.
      if (method === 'PASSKEY') throw fail('parameter_invalid', { field: 'method' });
      return confirmLogIn(ctx, { challenge, method, code, devices });
    },
  }),
  passkeySignInStart: t.field({
    type: PasskeyCeremony,
    inaccessible: true,
    authScopes: { anyone: true },
    args: { devices: t.arg.stringList() },
    resolve: (_, { devices }, ctx) => startPasskeySignIn(ctx, devices),
  }),
  passkeySignIn: t.field({
    type: NewSession,
    inaccessible: true,
    authScopes: { anyone: true },
    args: { token: t.arg.string({ required: true }), response: t.arg.string({ required: true }), devices: t.arg.stringList() },
    resolve: (_, input, ctx) => signInByPasskey(ctx, input),
  }),
  sessionEnd: t.boolean({
    inaccessible: true,
    authScopes: { anyone: true },
    args: { token: t.arg.string({ required: true }) },
    resolve: (_, { token }, ctx) => endSession(ctx, token),
  }),
}));
