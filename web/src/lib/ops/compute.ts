import { graphql, type ResultOf } from '../graphql.ts';

export const Servers = graphql(`
  query Servers {
    servers {
      __typename
      id
      hostname
      name
      labels {
        key
        value
      }
      powerState
      ipv4
      createdAt
      ... on Vps {
        status
      }
      ... on DedicatedServer {
        dedicatedStatus: status
      }
    }
  }
`);

export type ServerSummary = ResultOf<typeof Servers>['servers'][number];

export const ServerPlans = graphql(`
  query ServerPlans {
    vpsPlans {
      code
      name
      vcpu
      ramGb
      storageGb
      prices {
        months
        perMonth {
          amountMinor
          currency
        }
        upfront {
          amountMinor
          currency
        }
      }
    }
    dedicatedPlans {
      code
      name
      cores
      ramGb
      storage
      stock
      prices {
        months
        perMonth {
          amountMinor
          currency
        }
        upfront {
          amountMinor
          currency
        }
      }
    }
  }
`);

export type VpsPlan = ResultOf<typeof ServerPlans>['vpsPlans'][number];
export type DedicatedPlan = ResultOf<typeof ServerPlans>['dedicatedPlans'][number];
