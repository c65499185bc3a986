// What a coupon takes off, from which products, and for whom.
import { type Reason, because } from '#platform/errors.ts';
import { divideHalfUp, formatMoney } from '#commerce/money.ts';
import { type OfferLine, type OfferTerms, taxOf } from '#commerce/offers.ts';
import { TEXT_MAX } from '../../../../../schema/limits.ts';

/** Either `basisPoints` (hundredths of a percent of the price before tax) or `amountMinor` (an amount of it in minor units) is set. */
export interface CouponTerms {
  basisPoints: number | null;
  amountMinor: number | null;
  currency: string;
}

export const COUPON_STATES = ['PLANNED', 'ACTIVE', 'OVER'] as const;
export type CouponState = (typeof COUPON_STATES)[number];

interface Validity {
  beginsAt: Date;
  endsAt?: Date | null;
  endedAt?: Date | null;
}

export function couponStateAt({ beginsAt, endsAt, endedAt }: Validity, now: Date): CouponState {
  if (endedAt || (endsAt && endsAt <= now)) return 'OVER';
  return beginsAt > now ? 'PLANNED' : 'ACTIVE';
}

/** The form in which codes are stored and compared. */
export const normalCode = (written: string): string => written.trim().toUpperCase();

const CODE = new RegExp(`^[A-Z0-9-]{3,${TEXT_MAX.couponCode}}$`);
/** Whether a code that `normalCode` has normalized is valid. */
export const isCode = (code: string): boolean => CODE.test(code);

const ITEM = /^(residential|static|vps|dedicated)(\.[A-Za-z0-9_-]{1,40})?$/;
/** Whether a coupon can be limited to it: an item of the catalogue such as `vps.PLANK`, or a whole part such as `static`. */
export const isItem = (item: string): boolean => ITEM.test(item);

/** The discount on a price before tax, rounded half up, and never more than the price. */
export const discountOf = ({ basisPoints, amountMinor }: CouponTerms, subtotalMinor: number): number =>
  basisPoints === null
    ? Math.min(amountMinor ?? 0, subtotalMinor)
    : Number(divideHalfUp(BigInt(subtotalMinor) * BigInt(basisPoints), 10_000n));

/** The discount as the last line of an order or a period. */
export const discountLine = (code: string, { basisPoints }: CouponTerms, discountMinor: number): OfferLine => ({
  label: `Coupon ${code}${basisPoints === null ? '' : `, ${basisPoints / 100} %`}`,
  quantity: 1,
  amountMinor: -discountMinor,
});

/** An offer with the discount's line; its tax is that of the reduced price. */
export function lessCoupon(terms: OfferTerms, line: OfferLine): OfferTerms {
  const subtotalMinor = terms.subtotalMinor + line.amountMinor;
  const taxMinor = taxOf(subtotalMinor, terms.taxBasisPoints);
  return { ...terms, lines: [...terms.lines, line], subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor };
}

export interface CouponRule extends Validity, CouponTerms {
  /** Empty: everything. */
  items: string[];
  firstOrder: boolean;
  minMinor: number;
  maxUses?: number | null;
  maxUsesOfAccount?: number | null;
}

/** The facts that a coupon's rule is checked against. */
export interface CouponUse {
  terms: Pick<OfferTerms, 'item' | 'custom' | 'subtotalMinor' | 'currency' | 'subscription'>;
  now: Date;
  /** The account has paid for something before. */
  known: boolean;
  uses: number;
  usesOfAccount: number;
  usesOfCode: number;
  maxUsesOfCode: number | null;
}

const isFor = (items: string[], item: string | undefined): boolean =>
  items.length === 0 || (item !== undefined && items.some((one) => item === one || item.startsWith(`${one}.`)));

/** Why a coupon is refused; undefined: it is accepted. A coupon that is over gets the same reason as an unknown one. */
export function whyNotCoupon(rule: CouponRule, use: CouponUse): Reason | undefined {
  const { terms, now } = use;
  const state = couponStateAt(rule, now);
  if (state === 'OVER') return because('coupon_unknown');
  if (state === 'PLANNED') return because('coupon_not_yet', { from: rule.beginsAt.toISOString().slice(0, 10) });
  if (terms.custom || terms.subscription?.basedOn !== undefined || terms.subtotalMinor === 0) return because('coupon_not_here');
  if (!isFor(rule.items, terms.item) || rule.currency !== terms.currency) return because('coupon_other_products');
  if (terms.subtotalMinor < rule.minMinor)
    return because('coupon_minimum', { min: formatMoney({ amountMinor: rule.minMinor, currency: rule.currency }) });
  if (rule.firstOrder && use.known) return because('coupon_first_order');
  if (use.usesOfAccount >= (rule.maxUsesOfAccount ?? Infinity)) return because('coupon_used_before');
  const isUsedUp = use.uses >= (rule.maxUses ?? Infinity) || use.usesOfCode >= (use.maxUsesOfCode ?? Infinity);
  return isUsedUp ? because('coupon_used_up') : undefined;
}
