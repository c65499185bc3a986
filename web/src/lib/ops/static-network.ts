import { graphql, type ResultOf } from '../graphql.ts';

const StaticNetworksFields = graphql(`
  fragment StaticNetworksFields on StaticPlan @_unmask {
    id
    networksAndPassword
    networks {
      id
      network
      ip
      note
      createdAt
      usedAt
    }
  }
`);

export type StaticNetworks = ResultOf<typeof StaticNetworksFields>;

export const StaticNetworksOf = graphql(
  `
    query StaticNetworksOf($id: ID!) {
      staticPlan(id: $id) {
        ...StaticNetworksFields
      }
    }
  `,
  [StaticNetworksFields],
);

export const StaticNetworkAdd = graphql(
  `
    mutation StaticNetworkAdd($planId: ID!, $input: StaticNetworkInput!) {
      staticNetworkAdd(planId: $planId, input: $input) {
        ...StaticNetworksFields
      }
    }
  `,
  [StaticNetworksFields],
);

export const StaticNetworkRemove = graphql(
  `
    mutation StaticNetworkRemove($id: ID!) {
      staticNetworkRemove(id: $id) {
        ...StaticNetworksFields
      }
    }
  `,
  [StaticNetworksFields],
);

export const StaticPlanSetLogIn = graphql(
  `
    mutation StaticPlanSetLogIn($id: ID!, $networksAndPassword: Boolean!) {
      staticPlanSetLogIn(id: $id, networksAndPassword: $networksAndPassword) {
        ...StaticNetworksFields
      }
    }
  `,
  [StaticNetworksFields],
);
