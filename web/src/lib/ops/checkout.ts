import { graphql, type ResultOf } from '../graphql.ts';
import { OfferFields } from './offer.ts';

export const OrderPreview = graphql(
  `
    query OrderPreview($offer: String!) {
      orderPreview(offer: $offer) {
        offer {
          ...OfferFields
        }
        credit {
          amountMinor
          currency
        }
        toPay {
          amountMinor
          currency
        }
        methods {
          method
          allowed
          reason
        }
      }
    }
  `,
  [OfferFields],
);

export type Preview = ResultOf<typeof OrderPreview>['orderPreview'];
export type PaymentMethod = Preview['methods'][number]['method'];
