import { graphql } from '../graphql.ts';

/** What an account has, for support: without credentials. */
export const SupportThings = graphql(`
  query SupportThings($accountId: ID!) {
    supportResidentialPlans(accountId: $accountId) {
      id
      username
      status
      product {
        name
      }
      usage {
        remainingBytes
        totalBytes
      }
    }
    supportStaticPlans(accountId: $accountId) {
      id
      productName
      status
      quantity
    }
    supportServers(accountId: $accountId) {
      __typename
      id
      name
      ipv4
      powerState
    }
  }
`);
