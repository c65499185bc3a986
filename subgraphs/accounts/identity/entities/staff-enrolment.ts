import { type InferEntity, defineEntity } from '@mikro-orm/core';

export const StaffEnrolment = defineEntity({
  name: 'StaffEnrolment',
  tableName: 'staff_enrolment',
  properties: (p) => ({
    tokenHash: p.string().primary(),
    accountId: p.string(),
    issuedBy: p.string().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
export type StaffEnrolment = InferEntity<typeof StaffEnrolment>;
