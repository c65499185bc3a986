import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { Language } from '#platform/language.ts';
import type { Accepted } from '../domain/legal-text.ts';

export const SignUp = defineEntity({
  name: 'SignUp',
  tableName: 'sign_up',
  properties: (p) => ({
    id: p.string().primary(),
    email: p.string(),
    passwordHash: p.string(),
    /** The hash of the network that asked; null in old rows. */
    askedFrom: p.string().nullable(),
    tokenHash: p.string(),
    /** The hash of the token that the browser which signed up holds; null in old rows. */
    browserHash: p.string().nullable(),
    /** The page that the visitor was on the way to. */
    next: p.string().nullable(),
    /** The language of the page that asked, which its account keeps. */
    language: p.string().$type<Language>(),
    /** The texts that were agreed to; null: none were published. */
    accepted: p.json<{ texts: Accepted[]; address: string }>().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
export type SignUp = InferEntity<typeof SignUp>;

const waiting = (now: Date) => ({ usedAt: null, expiresAt: { $gt: now } });

/** The newest sign-up with an address. */
export const newestSignUp = (em: EntityManager, email: string): Promise<SignUp | null> =>
  em.findOne(SignUp, { email: email.toLowerCase() }, { orderBy: { id: 'desc' } });

export interface WaitingSignUps {
  /** The sign-up of the link that this browser has followed, if any. */
  linked: SignUp | null;
  /** The newest one that this network has asked for, or else the newest of all. */
  newest: SignUp | null;
}

/** The sign-ups with an address whose password may be the one that is tried. */
export async function waitingSignUps(
  em: EntityManager,
  { email, now, askedFrom, tokenHash }: { email: string; now: Date; askedFrom: string; tokenHash: string | undefined },
): Promise<WaitingSignUps> {
  const where = { email: email.toLowerCase(), ...waiting(now) };
  const newestFirst = { orderBy: { id: 'desc' } } as const;
  const linked = tokenHash === undefined ? null : await em.findOne(SignUp, { ...where, tokenHash });
  const own = await em.findOne(SignUp, { ...where, askedFrom }, newestFirst);
  return { linked, newest: own ?? (await em.findOne(SignUp, where, newestFirst)) };
}

/** The sign-up of a link, while it waits to be used. */
export const waitingSignUp = (em: EntityManager, tokenHash: string, now: Date): Promise<SignUp | null> =>
  em.findOne(SignUp, { tokenHash, ...waiting(now) });

/** The newest sign-up that a browser has made. */
export const waitingSignUpOfBrowser = (em: EntityManager, browserHash: string, now: Date): Promise<SignUp | null> =>
  em.findOne(SignUp, { browserHash, ...waiting(now) }, { orderBy: { id: 'desc' } });

export async function insertSignUp(em: EntityManager, signUp: Omit<SignUp, 'usedAt'>): Promise<void> {
  await em.insert(SignUp, { ...signUp, usedAt: null });
}

/** Uses up a sign-up; false when it no longer waits. */
export const takeSignUp = async (em: EntityManager, id: string, now: Date): Promise<boolean> =>
  (await em.nativeUpdate(SignUp, { id, ...waiting(now) }, { usedAt: now })) === 1;

/** Makes all waiting sign-ups with this address void. */
export async function voidSignUps(em: EntityManager, email: string, now: Date): Promise<void> {
  await em.nativeUpdate(SignUp, { email, usedAt: null }, { usedAt: now });
}

export async function deleteSignUps(em: EntityManager, email: string): Promise<void> {
  await em.nativeDelete(SignUp, { email: email.toLowerCase() });
}

export async function forgetSignUps(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(SignUp, { expiresAt: { $lte: until } });
}
