import { declareMoney, declareOffer, declareOfferLine } from '#commerce/offer-types.ts';
import { builder } from '../../../builder.ts';

export const Money = declareMoney(builder);
export const OfferLine = declareOfferLine(builder, Money);
export const Offer = declareOffer(builder, Money, OfferLine);
