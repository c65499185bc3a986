import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const SignUp = defineEntity({
  name: 'SignUp',
  tableName: 'sign_up',
  properties: (p) => ({
    id: p.string().primary(),
    email: p.string(),
    passwordHash: p.string(),
    /** The network that asked, as a hash; absent in old ones. */
    askedFrom: p.string().nullable(),
    tokenHash: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
export type SignUp = InferEntity<typeof SignUp>;

/** The newest sign-up under an address. */
export const newestSignUp = (em: EntityManager, email: string): Promise<SignUp | null> =>
  em.findOne(SignUp, { email: email.toLowerCase() }, { orderBy: { id: 'desc' } });

export interface WaitingSignUps {
  /** The one of the link that was followed, where one was. */
  linked: SignUp | null;
  /** The newest that this network has asked for, or else the newest of all. */
  newest: SignUp | null;
}

/** The sign-ups under an address whose password may be the one that is tried. */
export async function waitingSignUps(
  em: EntityManager,
  { email, now, askedFrom, tokenHash }: { email: string; now: Date; askedFrom: string; tokenHash: string | undefined },
): Promise<WaitingSignUps> {
  const where = { email: email.toLowerCase(), usedAt: null, expiresAt: { $gt: now } };
  const newestFirst = { orderBy: { id: 'desc' } } as const;
  const linked = tokenHash === undefined ? null : await em.findOne(SignUp, { ...where, tokenHash });
  const own = await em.findOne(SignUp, { ...where, askedFrom }, newestFirst);
  return { linked, newest: own ?? (await em.findOne(SignUp, where, newestFirst)) };
}
