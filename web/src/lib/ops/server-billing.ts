// The subscription and the invoices of a server, VPS or dedicated.
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
