import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#shared/database.ts';

export const SignUp = defineEntity({
  name: 'SignUp',
  tableName: 'sign_up',
  properties: (p) => ({
    id: p.string().primary(),
    email: p.string(),
    passwordHash: p.string(),
    tokenHash: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
export type SignUp = InferEntity<typeof SignUp>;

/** The newest sign-up under an address; with `at`, of those that wait; with `tokenHash`, the one of that link where it is among them. */
export async function newestSignUp(em: EntityManager, email: string, at?: Date, tokenHash?: string): Promise<SignUp | null> {
  const where = { email: email.toLowerCase(), ...(at && { usedAt: null, expiresAt: { $gt: at } }) };
  const linked = tokenHash === undefined ? null : await em.findOne(SignUp, { ...where, tokenHash });
  return linked ?? em.findOne(SignUp, where, { orderBy: { id: 'desc' } });
}
