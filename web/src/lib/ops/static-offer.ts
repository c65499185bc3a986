import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';
import { OfferFields } from './offer.ts';

export const StaticProducts = graphql(
  `
    query StaticProducts {
      staticProducts {
        id
        kind
        name
        carrier
        available
        watchedQuantity
        ownPrice {
          until
        }
        perAddress {
          ...MoneyFields
        }
      }
    }
  `,
  [MoneyFields],
);

export type StaticProduct = ResultOf<typeof StaticProducts>['staticProducts'][number];

export const StaticOfferMake = graphql(
  `
    mutation StaticOfferMake($productId: ID!, $quantity: Int!) {
      staticOfferMake(productId: $productId, quantity: $quantity) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);

export const StaticPlanOfferMore = graphql(
  `
    mutation StaticPlanOfferMore($id: ID!, $quantity: Int!) {
      staticPlanOfferMore(id: $id, quantity: $quantity) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);

export const StaticPlanOfferFewer = graphql(
  `
    mutation StaticPlanOfferFewer($id: ID!, $addresses: [String!]!) {
      staticPlanOfferFewer(id: $id, addresses: $addresses) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);

export const StaticStockWatch = graphql(`
  mutation StaticStockWatch($productId: ID!, $quantity: Int!) {
    staticStockWatch(productId: $productId, quantity: $quantity) {
      id
      watchedQuantity
    }
  }
`);

export const StaticStockUnwatch = graphql(`
  mutation StaticStockUnwatch($productId: ID!) {
    staticStockUnwatch(productId: $productId) {
      id
      watchedQuantity
    }
  }
`);
