import { inTransaction } from '#platform/database.ts';
import { accountOf } from '#platform/context.ts';
import type { Failure } from '#platform/errors.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { creditToUse } from '../../ledger/domain/account-credit.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { creditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { orderMethods, whyNotMethod } from '../../payments/providers/payment-methods.ts';
import type { CheckoutContext } from '../context.ts';
import { checkChange } from '../../subscriptions/services/change-subscription.ts';
import { type AppliedCoupon, findCode, previewCoupon } from '../../coupons/services/apply-coupon.ts';
import { previewGiveBack } from '../../invoices/services/give-back.ts';
import { openUnordered } from './open-unordered.ts';
import { isCountryMissing, taxPositionOf, taxedNow } from '../../tax/services/tax-position.ts';

export interface OrderPreview {
  /** The offer with today's tax, whatever it was priced with. */
  offered: OfferTerms;
  /** The same terms after the coupon. */
  terms: OfferTerms;
  coupon: AppliedCoupon | undefined;
  /** The account has no country yet, and nothing can be paid before it has one. */
  countryRequired: boolean;
  reverseCharge: boolean;
  creditMinor: number;
  toPayMinor: number;
  /** Account credit that paying the order grants, with tax, in minor units. */
  grantsMinor: number;
  /** The ways to pay; `refused`: why one of them is not possible. */
  methods: { method: PaymentMethod; refused: Failure | undefined }[];
}

/**
 * What ordering a price now comes to, with the code of a coupon or without, and the ways to pay it. Errors: offer_invalid, offer_ordered, offer_expired,
 * coupon_invalid, too_many_attempts.
 */
export async function previewOrder(ctx: CheckoutContext, token: string, written?: string | null): Promise<OrderPreview> {
  const accountId = accountOf(ctx);
  const offered = await taxedNow(ctx, await openUnordered(ctx, token));
  const { subscription } = offered;
  if (subscription?.basedOn !== undefined) await inTransaction(ctx, (tx) => checkChange(tx, offered, subscription));
  const coupon = written ? await previewCoupon(ctx, offered, await findCode(ctx, accountId, written)) : undefined;
  const terms = coupon?.terms ?? offered;
  const { totalMinor } = terms;
  const creditMinor = creditToUse(await creditOfAccount(ctx.em, accountId, terms.currency), totalMinor);
  const asked = { totalMinor, recurs: subscription !== undefined };
  const methods = orderMethods().map((method) => ({ method, refused: whyNotMethod(ctx.providers, method, asked) }));
  const grantsMinor = await previewGiveBack(ctx, {
    subscriptionId: subscription?.id ?? null,
    currency: terms.currency,
    grantMinor: terms.creditMinor ?? 0,
  });
  const position = await taxPositionOf(ctx, accountId);
  const countryRequired = isCountryMissing(ctx, terms, position);
  const { reverseCharge } = position;
  return {
    offered,
    terms,
    coupon,
    countryRequired,
    reverseCharge,
    grantsMinor,
    creditMinor,
    toPayMinor: totalMinor - creditMinor,
    methods,
  };
}
