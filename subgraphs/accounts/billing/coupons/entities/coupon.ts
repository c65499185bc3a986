import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** A discount for whoever has one of its codes. Its terms never change. */
export const Coupon = defineEntity({
  name: 'Coupon',
  tableName: 'coupon',
  properties: (p) => ({
    id: p.string().primary(),
    name: p.string(),
    /** Hundredths of a percent; null: `amountMinor` is set. */
    basisPoints: p.integer().nullable(),
    amountMinor: p.bigint('number').nullable(),
    currency: p.string(),
    /** For subscriptions: the number of periods; null: all. */
    periods: p.integer().nullable(),
    items: p.array().$type<string[]>(),
    firstOrder: p.boolean(),
    minMinor: p.bigint('number'),
    maxUses: p.integer().nullable(),
    maxUsesOfAccount: p.integer().nullable(),
    beginsAt: p.datetime(),
    endsAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    createdBy: p.string(),
    createdAt: p.datetime(),
  }),
});
export type Coupon = InferEntity<typeof Coupon>;

const MAX_LISTED = 200;

/** With `open`: coupons that are not over at `now`; otherwise those that are. The latest first. */
export const couponsListed = (em: EntityManager, open: boolean, now: Date): Promise<Coupon[]> =>
  em.find(
    Coupon,
    open
      ? { endedAt: null, $or: [{ endsAt: null }, { endsAt: { $gt: now } }] }
      : { $or: [{ endedAt: { $ne: null } }, { endsAt: { $lte: now } }] },
    { orderBy: { id: 'desc' }, limit: MAX_LISTED },
  );

export const couponWithId = (em: EntityManager, id: string): Promise<Coupon | null> => em.findOne(Coupon, { id });

/** Locks a coupon until the end of the transaction, so that its limits are counted exactly. */
export const lockCoupon = (em: EntityManager, id: string): Promise<Coupon | null> =>
  em.findOne(Coupon, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

export async function insertCoupon(em: EntityManager, row: Coupon): Promise<Coupon> {
  const coupon = em.create(Coupon, row);
  await em.flush();
  return coupon;
}

export interface CouponFigures {
  uses: number;
  /** The discount on paid orders, including renewals. */
  givenMinor: number;
}

/** How often coupons were used and what they took off; orders that were given up do not count. */
export async function figuresOfCoupons(em: EntityManager, ids: readonly string[]): Promise<Map<string, CouponFigures>> {
  const { rows } = await sql<{ id: string; uses: string; given: string }>`
    select used.coupon_id as id, count(*) filter (where bought.status not in ('CANCELLED', 'EXPIRED'))::text as uses,
      coalesce(sum(given.minor), 0)::text as given
    from coupon_use used
    join customer_order bought on bought.id = used.order_id
    left join lateral (
      select sum(discount_minor) as minor from customer_order paid
      where paid.paid_at is not null and (paid.id = used.order_id or (paid.subscription_id = used.subscription_id and paid.kind = 'RENEWAL'))
    ) as given on true
    where used.coupon_id = any(${[...ids]}) group by used.coupon_id`.execute(em.getKysely());
  return new Map(rows.map(({ id, uses, given }) => [id, { uses: Number(uses), givenMinor: Number(given) }]));
}
