// What a coupon takes off the periods that follow the first one.
import type { EntityManager } from '#platform/database.ts';
import { type OfferLine, sumOfLines } from '#commerce/offers.ts';
import { discountLine, discountOf } from '../domain/coupon.ts';
import { couponOfSubscription } from '../entities/coupon-use.ts';

interface Renews {
  id: string;
  lines: readonly OfferLine[];
}

/** The line that the next period has less, in minor units below zero; undefined: no coupon holds for it. */
export async function discountOfRenewal(em: EntityManager, { id, lines }: Renews): Promise<OfferLine | undefined> {
  const standing = await couponOfSubscription(em, id);
  return standing && discountLine(standing.code, standing, discountOf(standing, sumOfLines(lines)));
}

/** What is taken off each period for good: what recurs is that much less. In minor units. */
export async function lastingDiscount(em: EntityManager, { id, lines }: Renews): Promise<number> {
  const standing = await couponOfSubscription(em, id);
  return standing?.periodsLeft === null ? discountOf(standing, sumOfLines(lines)) : 0;
}
