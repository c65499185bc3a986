// An offer can be ordered once. A second request (back from the card processor, or in another tab) is told which order has it, so that a page can lead there.
import { accountOf } from '#platform/context.ts';
import { type Failure, fail } from '#platform/errors.ts';
import { type OfferTerms, openOffer, readOffer } from '#commerce/offers.ts';
import { orderOfOffer } from '../../orders/entities/order.ts';
import type { CheckoutContext } from '../context.ts';

/** The terms of the caller's own offer. Errors: offer_invalid, offer_ordered (with the order's id, also past the offer's end), offer_expired. */
export async function openUnordered(ctx: CheckoutContext, token: string): Promise<OfferTerms> {
  const accountId = accountOf(ctx);
  const { offers } = ctx.providers.secrets;
  const { id } = readOffer(token, accountId, offers);
  if (await orderOfOffer(ctx.em, id, accountId)) throw await offerOrdered(ctx, id);
  return openOffer(token, accountId, offers, ctx.clock);
}

/** `offer_ordered` with the order's id. */
export async function offerOrdered(ctx: CheckoutContext, offerId: string | undefined): Promise<Failure> {
  const order = await orderOfOffer(ctx.em.fork(), offerId ?? '', accountOf(ctx));
  return fail('offer_ordered', order ? { order_id: order.id } : {});
}
