import { graphql, type ResultOf } from '../graphql.ts';

export const ResidentialProducts = graphql(`
  query ResidentialProducts {
    residentialProducts {
      code
      name
      sessionMinutes
      formSessionMinutes
      dailyLimitAvailable
      prices {
        fromGb
        perGb {
          amountMinor
          currency
        }
      }
    }
  }
`);

export type ResidentialProduct = ResultOf<typeof ResidentialProducts>['residentialProducts'][number];

export const ResidentialOffer = graphql(`
  query ResidentialOffer($product: ResidentialProductCode!, $gigabytes: Int!) {
    residentialOffer(product: $product, gigabytes: $gigabytes) {
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
      expiresAt
    }
  }
`);

export type Offer = ResultOf<typeof ResidentialOffer>['residentialOffer'];
