import { graphql, type ResultOf } from '../graphql.ts';

export const RepricingParts = graphql(`
  fragment RepricingParts on Repricing @_unmask {
    id
    item
    announcedAt
    appliesFrom
    reason
    announcedBy
    withdrawnAt
    waiting
  }
`);
export type Repricing = ResultOf<typeof RepricingParts>;

/** The operations of each seller of subscriptions, and the field of its items that is the price of one. */
export const REPRICING_OPS = {
  static: {
    price: 'price',
    announce: graphql(`
      mutation SupportStaticReprice($item: String!, $from: DateTime!, $reason: String!) {
        announced: supportStaticReprice(item: $item, from: $from, reason: $reason) {
          id
        }
      }
    `),
    withdraw: graphql(`
      mutation SupportStaticRepricingWithdraw($id: ID!) {
        withdrawn: supportStaticRepricingWithdraw(id: $id) {
          id
        }
      }
    `),
  },
  compute: {
    price: 'prices',
    announce: graphql(`
      mutation SupportComputeReprice($item: String!, $from: DateTime!, $reason: String!) {
        announced: supportComputeReprice(item: $item, from: $from, reason: $reason) {
          id
        }
      }
    `),
    withdraw: graphql(`
      mutation SupportComputeRepricingWithdraw($id: ID!) {
        withdrawn: supportComputeRepricingWithdraw(id: $id) {
          id
        }
      }
    `),
  },
};
export type RepricingSeller = keyof typeof REPRICING_OPS;
