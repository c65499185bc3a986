// The discount that a coupon gives on later periods of a subscription.
import type { EntityManager } from '#platform/database.ts';
import { type OfferLine, sumOfLines } from '#commerce/offers.ts';
import { discountLine, discountOf } from '../domain/coupon.ts';
import { couponOfSubscription } from '../entities/coupon-use.ts';

interface Renews {
  id: string;
  lines: readonly OfferLine[];
}

/** The discount's line for the next period, with a negative amount; undefined: no coupon applies to it. */
export async function discountOfRenewal(em: EntityManager, { id, lines }: Renews): Promise<OfferLine | undefined> {
  const standing = await couponOfSubscription(em, id);
  return standing && discountLine(standing.code, standing, discountOf(standing, sumOfLines(lines)));
}

/** The discount that applies to all later periods, in minor units: recurring revenue is reduced by it. */
export async function lastingDiscount(em: EntityManager, { id, lines }: Renews): Promise<number> {
  const standing = await couponOfSubscription(em, id);
  return standing?.periodsLeft === null ? discountOf(standing, sumOfLines(lines)) : 0;
}
