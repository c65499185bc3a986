// What is paid for a server of either kind, and what was written about it.
import { graphql } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const ServerBilling = graphql(
  `
    query ServerBilling($id: ID!) {
      server(id: $id) {
        __typename
        id
        billing {
          id
          intervalCount
          amount {
            ...MoneyFields
          }
          orders {
            id
            invoices {
              id
              number
              kind
              issuedAt
              downloadPath
              total {
                ...MoneyFields
              }
            }
          }
        }
      }
    }
  `,
  [MoneyFields],
);
