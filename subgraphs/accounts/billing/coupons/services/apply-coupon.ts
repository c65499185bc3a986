// Applies a coupon to an order: it is found by its code, checked against its limits, and taken off before tax.
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
  /** The offer with the coupon's line. */
  terms: OfferTerms;
  discountMinor: number;
  /** For subscriptions: the number of periods, including the first; null: all. */
  periods: number | null;
  coupon: Coupon;
}

/** Finds a code. Wrong codes are counted, so that nobody can guess one. Errors: coupon_invalid, too_many_attempts. */
export async function findCode(ctx: PaymentsContext, accountId: string, written: string): Promise<CouponCode> {
  const code = normalCode(written);
  const found = await ctx.providers.attempts.judge(
    [{ kind: 'coupon', name: accountId }],
    async () => (await couponCode(ctx.em.fork(), code)) ?? undefined,
  );
  if (!found) throw fail('coupon_invalid', { field: 'coupon', reason: because('coupon_unknown') });
  return found;
}

/** What an offer would cost with a code now. Errors: coupon_invalid. */
export const previewCoupon = (ctx: PaymentsContext, terms: OfferTerms, code: CouponCode): Promise<AppliedCoupon> =>
  apply(ctx, terms, code, couponWithId);

/** The same in the transaction that places an order, which has locked the account; the coupon is locked until its end. Errors: coupon_invalid. */
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

/** Records that an order uses a coupon, after the order was written. */
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
