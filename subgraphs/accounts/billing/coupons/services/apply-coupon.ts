// A coupon on an order: found by its code, judged by its limits, taken off before tax.
import { fail } from '#platform/errors.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { because } from '#platform/errors.ts';
import type { PaymentsContext } from '../../payments/context.ts';
import { hasPaidOrder } from '../../orders/entities/order.ts';
import { discountLine, discountOf, lessCoupon, normalCode, whyNotCoupon } from '../domain/coupon.ts';
import { type Coupon, couponWithId, lockCoupon } from '../entities/coupon.ts';
import { type CouponCode, couponCode } from '../entities/coupon-code.ts';
import { countUses, insertUse } from '../entities/coupon-use.ts';

export interface AppliedCoupon {
  code: string;
  /** With the coupon's line. */
  terms: OfferTerms;
  discountMinor: number;
  /** Of what renews: for how many periods, the first among them; null: for all. */
  periods: number | null;
  coupon: Coupon;
}

/** A code that is known. Wrong ones are counted: nobody guesses through them. Errors: coupon_invalid, too_many_attempts. */
export async function findCode(ctx: PaymentsContext, accountId: string, written: string): Promise<CouponCode> {
  const code = normalCode(written);
  const found = await ctx.providers.attempts.judge(
    [{ kind: 'coupon', name: accountId }],
    async () => (await couponCode(ctx.em.fork(), code)) ?? undefined,
  );
  if (!found) throw fail('coupon_invalid', { field: 'coupon', reason: because('coupon_unknown') });
  return found;
}

/** What an offer comes to with a code, as it stands now. Errors: coupon_invalid. */
export const previewCoupon = (ctx: PaymentsContext, terms: OfferTerms, code: CouponCode): Promise<AppliedCoupon> =>
  apply(ctx, terms, code, couponWithId);

/** The same in the transaction of an order, whose account is locked: until it ends nobody else uses the coupon. Errors: coupon_invalid. */
export const takeCoupon = (ctx: PaymentsContext, terms: OfferTerms, code: CouponCode): Promise<AppliedCoupon> =>
  apply(ctx, terms, code, lockCoupon);

async function apply(
  ctx: PaymentsContext,
  terms: OfferTerms,
  { code, couponId, maxUses }: CouponCode,
  read: typeof couponWithId,
): Promise<AppliedCoupon> {
  const { em, clock } = ctx;
  const { accountId } = terms;
  const coupon = await read(em, couponId);
  if (!coupon) throw fail('coupon_invalid', { field: 'coupon', reason: because('coupon_unknown') });
  const known = coupon.firstOrder && (await hasPaidOrder(em, accountId));
  const counts = await countUses(em, { couponId, code, accountId });
  const limits = { basisPoints: coupon.basisPoints ?? null, amountMinor: coupon.amountMinor ?? null };
  const rule = { ...coupon, ...limits };
  const reason = whyNotCoupon(rule, { terms, now: clock.now(), known, ...counts, maxUsesOfCode: maxUses ?? null });
  if (reason) throw fail('coupon_invalid', { field: 'coupon', reason });
  const discountMinor = discountOf(rule, terms.subtotalMinor);
  const line = discountLine(code, rule, discountMinor);
  const periods = terms.subscription ? (coupon.periods ?? null) : 1;
  return { code, coupon, discountMinor, periods, terms: lessCoupon(terms, line) };
}

/** That an order has it, once the order is written. */
export const noteUse = (
  { em, clock }: PaymentsContext,
  { coupon, code, periods }: AppliedCoupon,
  { id: orderId, accountId, subscriptionId = null }: { id: string; accountId: string; subscriptionId?: string | null | undefined },
): Promise<unknown> =>
  insertUse(em, {
    orderId,
    couponId: coupon.id,
    code,
    accountId,
    subscriptionId,
    periodsLeft: subscriptionId === null || periods === null ? null : periods - 1,
    usedAt: clock.now(),
  });
