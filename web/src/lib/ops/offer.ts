// A signed price, as all products return it.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

/** The lines of an offer and of the order made of it: item, quantity and price. */
export const OfferLineFields = graphql(
  `
    fragment OfferLineFields on OfferLine @_unmask {
      label
      quantity
      amount {
        ...MoneyFields
      }
    }
  `,
  [MoneyFields],
);

export const OfferFields = graphql(
  `
    fragment OfferFields on Offer @_unmask {
      token
      title
      lines {
        ...OfferLineFields
      }
      subtotal {
        ...MoneyFields
      }
      tax {
        ...MoneyFields
      }
      total {
        ...MoneyFields
      }
      credit {
        ...MoneyFields
      }
      renewal {
        months
        total {
          ...MoneyFields
        }
      }
      expiresAt
    }
  `,
  [MoneyFields, OfferLineFields],
);

export type Offer = ResultOf<typeof OfferFields>;
