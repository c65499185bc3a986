import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

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

const ServerPriceFields = graphql(
  `
    fragment ServerPriceFields on ServerPrice @_unmask {
      months
      perMonth {
        ...MoneyFields
      }
      upfront {
        ...MoneyFields
      }
    }
  `,
  [MoneyFields],
);

export const ServerPlans = graphql(
  `
    query ServerPlans {
      vpsPlans {
        code
        name
        vcpu
        ramGb
        storageGb
        maxExtraIpv4
        ownPrice {
          until
        }
        prices {
          ...ServerPriceFields
        }
      }
      dedicatedPlans {
        code
        name
        cores
        ramGb
        storage
        stock
        ownPrice {
          until
        }
        prices {
          ...ServerPriceFields
        }
      }
    }
  `,
  [ServerPriceFields],
);

export type VpsPlan = ResultOf<typeof ServerPlans>['vpsPlans'][number];
export type DedicatedPlan = ResultOf<typeof ServerPlans>['dedicatedPlans'][number];
