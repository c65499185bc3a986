import { graphql } from '../graphql.ts';

export const SupportClusterAdd = graphql(`
  mutation SupportClusterAdd($name: String!, $input: HypervisorClusterInput!) {
    supportClusterAdd(name: $name, input: $input)
  }
`);

export const SupportClusterChange = graphql(`
  mutation SupportClusterChange($name: String!, $input: HypervisorClusterInput!) {
    supportClusterChange(name: $name, input: $input)
  }
`);
export const SupportClusterSetPaused = graphql(`
  mutation SupportClusterSetPaused($name: String!, $paused: Boolean!) {
    supportClusterSetPaused(name: $name, paused: $paused)
  }
`);
export const SupportClusterRemove = graphql(`
  mutation SupportClusterRemove($name: String!) {
    supportClusterRemove(name: $name)
  }
`);
