// What is paid for a server of either kind, and what was written about it.
import { graphql } from '../graphql.ts';

export const ServerBilling = graphql(`
  query ServerBilling($id: ID!) {
    server(id: $id) {
      __typename
      id
      billing {
        id
        intervalCount
        amount {
          amountMinor
          currency
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
              amountMinor
              currency
            }
          }
        }
      }
    }
  }
`);
