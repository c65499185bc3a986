import { graphql, type ResultOf } from '../graphql.ts';

export const Servers = graphql(`
  query Servers {
    servers {
      __typename
      id
      hostname
      powerState
      ipv4
      createdAt
    }
  }
`);

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
