import { type InferEntity, defineEntity } from '@mikro-orm/core';

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
