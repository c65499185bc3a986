// Generated batches: their list, and their lines again.
import { graphql, type ResultOf } from '../graphql.ts';

export const BatchFields = graphql(`
  fragment BatchFields on ProxyBatchSummary @_unmask {
    id
    count
    country
    exclude
    state
    city
    session
    sessionMinutes
    protocol
    createdAt
    apiKeyId
    outdated
    addressMadeAt
  }
`);

export type Batch = ResultOf<typeof BatchFields>;

export const ProxyBatches = graphql(
  `
    query ProxyBatches($id: ID!, $first: Int!, $after: ID) {
      residentialPlan(id: $id) {
        id
        batches(first: $first, after: $after) {
          ...BatchFields
        }
      }
    }
  `,
  [BatchFields],
);

export const ProxyBatchAgain = graphql(`
  query ProxyBatchAgain($id: ID!) {
    residentialProxyBatch(id: $id) {
      id
      text
    }
  }
`);

export const ProxyBatchMakeAddress = graphql(
  `
    mutation ProxyBatchMakeAddress($id: ID!) {
      proxyBatchMakeAddress(id: $id) {
        url
        batch {
          ...BatchFields
        }
      }
    }
  `,
  [BatchFields],
);

export const ProxyBatchRevokeAddress = graphql(
  `
    mutation ProxyBatchRevokeAddress($id: ID!) {
      proxyBatchRevokeAddress(id: $id) {
        ...BatchFields
      }
    }
  `,
  [BatchFields],
);
