import { type InferEntity, defineEntity } from '@mikro-orm/core';

/** A ceremony under way: a log-in that owes its second factor, or a passkey that is asked for. */
export const SignInChallenge = defineEntity({
  name: 'SignInChallenge',
  tableName: 'sign_in_challenge',
  properties: (p) => ({
    id: p.string().primary(),
    tokenHash: p.string(),
    purpose: p.string().$type<'SECOND_FACTOR' | 'PASSKEY_SIGN_IN' | 'PASSKEY_REGISTRATION'>(),
    accountId: p.string().nullable(),
    webauthnChallenge: p.string().nullable(),
    attempts: p.integer(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
export type SignInChallenge = InferEntity<typeof SignInChallenge>;
