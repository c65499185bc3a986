// What staff do with coupons: create them with their codes, add codes, and end them.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { randomBase62 } from '#platform/secrets.ts';
import { CURRENCY } from '#commerce/money.ts';
import { COUPON_CODES_MAX, TEXT_MAX } from '../../../../../schema/limits.ts';
import type { PaymentsContext } from '../../payments/context.ts';
import { couponStateAt, isCode, isItem, normalCode } from '../domain/coupon.ts';
import { type Coupon, couponWithId, couponsListed, insertCoupon, lockCoupon } from '../entities/coupon.ts';
import { countCodes, insertCodes } from '../entities/coupon-code.ts';

const PERIODS_MAX = 120;
const USES_MAX = 1_000_000;
const AMOUNT_MAX = 100_000_000;

export interface NewCodes {
  /** Codes that staff choose, as they typed them. */
  codes?: readonly string[] | null | undefined;
  /** The number of random codes to create in addition. */
  generate?: number | null | undefined;
  /** How often each code may be used; absent: only the coupon's limit applies. */
  usesOfCode?: number | null | undefined;
}

export interface NewCoupon extends NewCodes {
  name: string;
  /** Exactly one of these two: hundredths of a percent, or minor units. */
  basisPoints?: number | null | undefined;
  amountMinor?: number | null | undefined;
  /** For subscriptions, the number of periods; absent: one; 0: all. */
  periods?: number | null | undefined;
  items?: readonly string[] | null | undefined;
  firstOrder?: boolean | null | undefined;
  minMinor?: number | null | undefined;
  maxUses?: number | null | undefined;
  /** How often one account may use it; absent: once; 0: any number. */
  maxUsesOfAccount?: number | null | undefined;
  beginsAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
}

const unfit = (field: string, reason: Reason) => fail('parameter_invalid', { field, reason });

function checkCount(field: string, value: number | null | undefined, max: number, min = 1): number | null {
  if (value === null || value === undefined) return null;
  if (!Number.isInteger(value) || value < min || value > max) throw unfit(field, because('number_out_of_range', { name: field, max }));
  return value;
}

export const listCoupons = ({ em, clock }: PaymentsContext, open: boolean): Promise<Coupon[]> => couponsListed(em, open, clock.now());

/** Errors: parameter_invalid. */
export function openCoupon(ctx: PaymentsContext, given: NewCoupon): Promise<Coupon> {
  const now = ctx.clock.now();
  const name = given.name.trim();
  if (name === '' || name.length > TEXT_MAX.couponName) throw unfit('name', because('line_length', { max: TEXT_MAX.couponName }));
  const beginsAt = given.beginsAt ?? now;
  const endsAt = given.endsAt ?? null;
  if (endsAt && (endsAt <= beginsAt || endsAt <= now)) throw unfit('endsAt', because('coupon_end_early'));
  const items = [...new Set((given.items ?? []).map((item) => item.trim()).filter(Boolean))];
  const strange = items.find((item) => !isItem(item));
  if (strange !== undefined) throw unfit('items', because('coupon_item_unfit', { item: strange }));
  const periods = checkCount('periods', given.periods ?? 1, PERIODS_MAX, 0);
  const maxUsesOfAccount = checkCount('maxUsesOfAccount', given.maxUsesOfAccount ?? 1, USES_MAX, 0);
  const row = {
    name,
    ...valueOf(given),
    currency: CURRENCY,
    periods: periods === 0 ? null : periods,
    items,
    firstOrder: given.firstOrder ?? false,
    minMinor: checkCount('minMinor', given.minMinor, AMOUNT_MAX, 0) ?? 0,
    maxUses: checkCount('maxUses', given.maxUses, USES_MAX),
    maxUsesOfAccount: maxUsesOfAccount === 0 ? null : maxUsesOfAccount,
    beginsAt,
    endsAt,
    endedAt: null,
    createdBy: accountOf(ctx),
    createdAt: now,
  };
  return inTransaction(ctx, async (tx) => {
    const coupon = await insertCoupon(tx.em, { ...row, id: newId('coup', tx.clock) });
    await writeCodes(tx, coupon, given);
    return coupon;
  });
}

function valueOf(given: NewCoupon): Pick<Coupon, 'basisPoints' | 'amountMinor'> {
  const basisPoints = checkCount('basisPoints', given.basisPoints, 10_000);
  const amountMinor = checkCount('amountMinor', given.amountMinor, AMOUNT_MAX);
  if ((basisPoints === null) === (amountMinor === null)) throw unfit('basisPoints', because('coupon_value_one'));
  return { basisPoints, amountMinor };
}

/** Adds codes to a coupon that is not over. Errors: coupon_not_found, action_not_allowed, parameter_invalid. */
export const addCodes = (ctx: PaymentsContext, id: string, given: NewCodes): Promise<Coupon> =>
  changed(ctx, id, (tx, coupon) => writeCodes(tx, coupon, given));

async function writeCodes(tx: PaymentsContext, { id: couponId }: Coupon, { codes, generate, usesOfCode }: NewCodes): Promise<void> {
  const written = [...new Set((codes ?? []).map(normalCode).filter(Boolean))];
  const strange = written.find((code) => !isCode(code));
  if (strange !== undefined) throw unfit('codes', because('coupon_code_unfit', { code: strange.slice(0, TEXT_MAX.couponCode) }));
  const made = Array.from({ length: checkCount('generate', generate, COUPON_CODES_MAX, 0) ?? 0 }, () => randomBase62(12).toUpperCase());
  const wanted = [...written, ...made];
  if (wanted.length === 0) throw unfit('codes', because('coupon_code_missing'));
  if (wanted.length + (await countCodes(tx.em, couponId)) > COUPON_CODES_MAX)
    throw unfit('codes', because('coupon_codes_too_many', { max: COUPON_CODES_MAX }));
  const maxUses = checkCount('usesOfCode', usesOfCode, USES_MAX);
  const createdAt = tx.clock.now();
  const inserted = await insertCodes(
    tx.em,
    wanted.map((code) => ({ code, couponId, maxUses, createdAt })),
  );
  if (inserted < wanted.length) throw unfit('codes', because('coupon_code_taken'));
}

/** Ends a coupon: nobody can use it any more, but orders that have used it keep their discount. Errors: coupon_not_found, action_not_allowed. */
export const endCoupon = (ctx: PaymentsContext, id: string): Promise<Coupon> =>
  changed(ctx, id, (tx, coupon) => {
    coupon.endedAt = tx.clock.now();
    return Promise.resolve();
  });

const changed = (ctx: PaymentsContext, id: string, work: (tx: PaymentsContext, coupon: Coupon) => Promise<void>): Promise<Coupon> =>
  inTransaction(ctx, async (tx) => {
    const coupon = await lockCoupon(tx.em, id);
    if (!coupon) throw fail('coupon_not_found');
    if (couponStateAt(coupon, tx.clock.now()) === 'OVER') throw fail('action_not_allowed', { reason: because('coupon_over') });
    await work(tx, coupon);
    return coupon;
  });

/** Errors: coupon_not_found. */
export async function findCoupon({ em }: PaymentsContext, id: string): Promise<Coupon> {
  const coupon = await couponWithId(em, id);
  if (!coupon) throw fail('coupon_not_found');
  return coupon;
}
