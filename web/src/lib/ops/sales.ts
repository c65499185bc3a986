// Agreements outside of the catalogue, and requests to sales.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const ArrangementFields = graphql(
  `
    fragment ArrangementFields on Arrangement @_unmask {
      id
      kind
      terms
      recordedAt
      validUntil
      endedAt
      orderId
      offer {
        token
        title
        total {
          ...MoneyFields
        }
        expiresAt
      }
    }
  `,
  [MoneyFields],
);
export type Arrangement = ResultOf<typeof ArrangementFields>;

export const SalesRequestFields = graphql(`
  fragment SalesRequestFields on SalesRequest @_unmask {
    id
    product
    volume
    message
    status
    createdAt
  }
`);
export type SalesRequest = ResultOf<typeof SalesRequestFields>;

export const Agreements = graphql(
  `
    query Agreements {
      me {
        id
        arrangements {
          ...ArrangementFields
        }
        salesRequests {
          ...SalesRequestFields
        }
      }
    }
  `,
  [ArrangementFields, SalesRequestFields],
);

export const SalesRequestSend = graphql(
  `
    mutation SalesRequestSend($input: SalesRequestInput!) {
      salesRequestSend(input: $input) {
        ...SalesRequestFields
      }
    }
  `,
  [SalesRequestFields],
);
