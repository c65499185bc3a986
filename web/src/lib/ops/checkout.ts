import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';
import { OfferFields } from './offer.ts';

export const OrderPreview = graphql(
  `
    query OrderPreview($offer: String!, $coupon: String) {
      orderPreview(offer: $offer, coupon: $coupon) {
        offer {
          ...OfferFields
        }
        coupon {
          code
          periods
          discount {
            ...MoneyFields
          }
        }
        couponRenewal {
          ...MoneyFields
        }
        credit {
          ...MoneyFields
        }
        toPay {
          ...MoneyFields
        }
        countryRequired
        reverseCharge
        methods {
          method
          payWithinSeconds
          allowed
          reasonCode
          params
        }
      }
    }
  `,
  [OfferFields, MoneyFields],
);

export type Preview = ResultOf<typeof OrderPreview>['orderPreview'];
export type PaymentMethod = Preview['methods'][number]['method'];
