import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** A log-in that still needs its second factor, or a passkey ceremony that has begun. */
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

export async function insertChallenge(em: EntityManager, challenge: Omit<SignInChallenge, 'attempts' | 'usedAt'>): Promise<void> {
  await em.insert(SignInChallenge, { ...challenge, attempts: 0, usedAt: null });
}

/** A challenge of a log-in that still needs its second factor, has not expired and has been tried fewer than `attempts` times. */
const owed = (tokenHash: string, attempts: number, now: Date) => ({
  tokenHash,
  purpose: 'SECOND_FACTOR' as const,
  usedAt: null,
  expiresAt: { $gt: now },
  attempts: { $lt: attempts },
});

export const owedSecondFactor = (em: EntityManager, tokenHash: string, attempts: number, now: Date): Promise<SignInChallenge | null> =>
  em.findOne(SignInChallenge, owed(tokenHash, attempts, now));

/** Counts one more try of a challenge that was just read; false when it has expired, was used, or was tried by somebody else meanwhile. */
export const countChallengeTry = async (em: EntityManager, { tokenHash, attempts }: SignInChallenge, now: Date): Promise<boolean> =>
  (await em.nativeUpdate(
    SignInChallenge,
    { tokenHash, purpose: 'SECOND_FACTOR', usedAt: null, expiresAt: { $gt: now }, attempts },
    { attempts: attempts + 1 },
  )) === 1;

/** Uses up a challenge; of several concurrent calls one returns true. */
export const takeChallenge = async (em: EntityManager, id: string, now: Date): Promise<boolean> =>
  (await em.nativeUpdate(SignInChallenge, { id, usedAt: null }, { usedAt: now })) === 1;

/** Uses up a passkey ceremony by its token, and returns it; null when it is unknown, expired, used, or another account's. */
export async function takeCeremony(
  em: EntityManager,
  ceremony: Pick<SignInChallenge, 'tokenHash' | 'purpose' | 'accountId'>,
  now: Date,
): Promise<SignInChallenge | null> {
  const used = await em.nativeUpdate(SignInChallenge, { ...ceremony, usedAt: null, expiresAt: { $gt: now } }, { usedAt: now });
  return used === 1 ? em.fork().findOne(SignInChallenge, ceremony) : null;
}

export async function forgetChallenges(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(SignInChallenge, { expiresAt: { $lte: until } });
}
