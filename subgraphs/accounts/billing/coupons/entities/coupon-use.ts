import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { CouponTerms } from '../domain/coupon.ts';

/** The use of a coupon by an order. */
export const CouponUse = defineEntity({
  name: 'CouponUse',
  tableName: 'coupon_use',
  properties: (p) => ({
    orderId: p.string().primary(),
    couponId: p.string(),
    code: p.string(),
    accountId: p.string(),
    subscriptionId: p.string().nullable(),
    /** For how many further periods it is given; null: for all, or nothing renews. */
    periodsLeft: p.integer().nullable(),
    usedAt: p.datetime(),
  }),
});
export type CouponUse = InferEntity<typeof CouponUse>;

export const insertUse = (em: EntityManager, row: CouponUse): Promise<unknown> => em.insert(CouponUse, row);

export interface UseCounts {
  uses: number;
  usesOfAccount: number;
  usesOfCode: number;
}

/** How often a coupon, a code and an account's share of it have been used; orders that were given up do not count. */
export async function countUses(
  em: EntityManager,
  { couponId, code, accountId }: Pick<CouponUse, 'couponId' | 'code' | 'accountId'>,
): Promise<UseCounts> {
  const { rows } = await sql<UseCounts>`
    select count(*)::int as uses, count(*) filter (where used.account_id = ${accountId})::int as "usesOfAccount",
      count(*) filter (where used.code = ${code})::int as "usesOfCode"
    from coupon_use used join customer_order bought on bought.id = used.order_id
    where used.coupon_id = ${couponId} and bought.status not in ('CANCELLED', 'EXPIRED')`.execute(em.getKysely());
  return rows[0] ?? { uses: 0, usesOfAccount: 0, usesOfCode: 0 };
}

export interface StandingCoupon extends CouponTerms {
  code: string;
  periodsLeft: number | null;
}

/** The coupon that a subscription was bought with, if it still applies to the next period. */
export async function couponOfSubscription(em: EntityManager, subscriptionId: string): Promise<StandingCoupon | undefined> {
  const { rows } = await sql<StandingCoupon>`
    select used.code, used.periods_left as "periodsLeft", coupon.basis_points as "basisPoints", coupon.amount_minor::int as "amountMinor", coupon.currency
    from coupon_use used join coupon on coupon.id = used.coupon_id
    where used.subscription_id = ${subscriptionId} and (used.periods_left is null or used.periods_left > 0)`.execute(em.getKysely());
  return rows[0];
}

/** Counts one period that was paid with the subscription's coupon. */
export async function useOnePeriod(em: EntityManager, subscriptionId: string): Promise<void> {
  await sql`update coupon_use set periods_left = periods_left - 1 where subscription_id = ${subscriptionId} and periods_left > 0`.execute(
    em.getKysely(),
  );
}

/** The code that gave an order its discount, and the number of periods of its coupon (null: all); undefined: it has no coupon. */
export async function codeOfOrder(
  em: EntityManager,
  { id, subscriptionId = null }: { id: string; subscriptionId?: string | null | undefined },
): Promise<{ code: string; periods: number | null } | undefined> {
  const { rows } = await sql<{ code: string; periods: number | null }>`
    select used.code, coupon.periods from coupon_use used join coupon on coupon.id = used.coupon_id
    where used.order_id = ${id} or used.subscription_id = ${subscriptionId} limit 1`.execute(em.getKysely());
  return rows[0];
}
