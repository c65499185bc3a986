// A signed price, as every product answers with it.
import { graphql, type ResultOf } from '../graphql.ts';

export const OfferFields = graphql(`
  fragment OfferFields on Offer @_unmask {
    token
    title
    lines {
      label
      quantity
      amount {
        amountMinor
        currency
      }
    }
    subtotal {
      amountMinor
      currency
    }
    tax {
      amountMinor
      currency
    }
    total {
      amountMinor
      currency
    }
    credit {
      amountMinor
      currency
    }
    renewal {
      months
      total {
        amountMinor
        currency
      }
    }
    expiresAt
  }
`);

export type Offer = ResultOf<typeof OfferFields>;
