import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const ApiKeyFields = graphql(
  `
    fragment ApiKeyFields on ApiKey @_unmask {
      id
      kind
      scopes
      allowedAddresses
      requestsLast30Days
      masked
      status
      createdAt
      expiresAt
      revokedAt
      lastUsedAt
      lastUsedAddress
      orders {
        granted {
          ...MoneyFields
        }
        ceiling {
          ...MoneyFields
        }
        spent {
          ...MoneyFields
        }
      }
    }
  `,
  [MoneyFields],
);

export type ApiKey = ResultOf<typeof ApiKeyFields>;

export const KeyRequestFields = graphql(`
  fragment KeyRequestFields on KeyRequest @_unmask {
    id
    kind
    scopes
    allowedAddresses
    replaces
    overlapHours
    note
    status
    createdAt
    closedAt
  }
`);

export type KeyRequest = ResultOf<typeof KeyRequestFields>;

export const ApiKeys = graphql(
  `
    query ApiKeys {
      me {
        id
        apiAllowed
        apiKeys {
          ...ApiKeyFields
        }
        keyRequests {
          ...KeyRequestFields
        }
      }
    }
  `,
  [ApiKeyFields, KeyRequestFields],
);

/** The names of keys, for pages that mention keys only by id. */
export const ApiKeyNames = graphql(`
  query ApiKeyNames {
    me {
      id
      apiKeys {
        id
        masked
      }
    }
  }
`);

export const ApiKeyRevoke = graphql(`
  mutation ApiKeyRevoke($id: ID!) {
    apiKeyRevoke(id: $id) {
      id
      status
      revokedAt
    }
  }
`);

export const ApiKeySetOrderCeiling = graphql(`
  mutation ApiKeySetOrderCeiling($id: ID!, $ceilingMinor: Int!) {
    apiKeySetOrderCeiling(id: $id, ceilingMinor: $ceilingMinor) {
      id
    }
  }
`);

export const ApiKeyRequest = graphql(`
  mutation ApiKeyRequest($input: KeyRequestInput!) {
    apiKeyRequest(input: $input) {
      id
    }
  }
`);

export const ApiKeyRequestRotation = graphql(`
  mutation ApiKeyRequestRotation($id: ID!, $overlapHours: Int!, $note: String) {
    apiKeyRequestRotation(id: $id, overlapHours: $overlapHours, note: $note) {
      id
    }
  }
`);
