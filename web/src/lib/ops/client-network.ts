import { graphql, type ResultOf } from '../graphql.ts';

export const PlanNetworksFields = graphql(`
  fragment PlanNetworksFields on ResidentialPlan @_unmask {
    id
    networksAndPassword
    networks {
      id
      network
      line
      note
      createdAt
      usedAt
    }
  }
`);

export type PlanNetworks = ResultOf<typeof PlanNetworksFields>;

export const PlanNetworksOf = graphql(
  `
    query PlanNetworksOf($id: ID!) {
      residentialPlan(id: $id) {
        ...PlanNetworksFields
      }
    }
  `,
  [PlanNetworksFields],
);

export const ClientNetworkAdd = graphql(
  `
    mutation ClientNetworkAdd($planId: ID!, $input: ClientNetworkInput!) {
      clientNetworkAdd(planId: $planId, input: $input) {
        ...PlanNetworksFields
      }
    }
  `,
  [PlanNetworksFields],
);

export const ClientNetworkRemove = graphql(
  `
    mutation ClientNetworkRemove($id: ID!) {
      clientNetworkRemove(id: $id) {
        ...PlanNetworksFields
      }
    }
  `,
  [PlanNetworksFields],
);

export const PlanSetLogIn = graphql(
  `
    mutation PlanSetLogIn($id: ID!, $networksAndPassword: Boolean!) {
      residentialPlanSetLogIn(id: $id, networksAndPassword: $networksAndPassword) {
        ...PlanNetworksFields
      }
    }
  `,
  [PlanNetworksFields],
);
