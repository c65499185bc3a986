import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** A code that gives a coupon. */
export const CouponCode = defineEntity({
  name: 'CouponCode',
  tableName: 'coupon_code',
  properties: (p) => ({
    /** In the form of `normalCode`. */
    code: p.string().primary(),
    couponId: p.string(),
    maxUses: p.integer().nullable(),
    createdAt: p.datetime(),
  }),
});
export type CouponCode = InferEntity<typeof CouponCode>;

export const couponCode = (em: EntityManager, code: string): Promise<CouponCode | null> => em.findOne(CouponCode, { code });

/** Inserts codes and returns how many are new; codes that exist already, for this coupon or another, stay as they are. */
export async function insertCodes(em: EntityManager, rows: CouponCode[]): Promise<number> {
  return (await em.qb(CouponCode).insert(rows).onConflict('code').ignore().execute('run')).affectedRows;
}

export interface UsedCode {
  code: string;
  maxUses: number | null;
  uses: number;
}

/** The codes of a coupon with their uses, in alphabetical order. */
export async function codesOfCoupon(em: EntityManager, couponId: string, limit: number): Promise<UsedCode[]> {
  const { rows } = await sql<UsedCode>`
    select code.code, code.max_uses as "maxUses", (
      select count(*)::int from coupon_use used join customer_order bought on bought.id = used.order_id
      where used.code = code.code and bought.status not in ('CANCELLED', 'EXPIRED')) as uses
    from coupon_code code where code.coupon_id = ${couponId} order by code.code limit ${limit}`.execute(em.getKysely());
  return rows;
}

export async function countCodes(em: EntityManager, couponId: string): Promise<number> {
  return em.count(CouponCode, { couponId });
}
