import { graphql, type ResultOf } from '../graphql.ts';

export const StaticPlans = graphql(`
  query StaticPlans($kind: StaticKind!, $page: Int!) {
    staticPlans(kind: $kind, page: $page, limit: 25) {
      items {
        id
        productName
        carrier
        status
        quantity
        proxies
        createdAt
        billing {
          id
          status
          currentPeriodEnd
          cancelAtPeriodEnd
          interval
          intervalCount
          amount {
            amountMinor
            currency
          }
        }
      }
      total
      page
      pageCount
    }
  }
`);

export type StaticPlan = ResultOf<typeof StaticPlans>['staticPlans']['items'][number];
