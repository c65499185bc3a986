import { graphql } from '../graphql.ts';

export const ApiKeys = graphql(`
  query ApiKeys {
    me {
      id
      apiAllowed
      apiKeys {
        id
        masked
        status
        createdAt
        expiresAt
        revokedAt
        lastUsedAt
        lastUsedAddress
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
