// Settings that the owner of a server, VPS or dedicated, can change.
import { graphql, type ResultOf } from '../graphql.ts';

export const ServerSettingsFields = graphql(`
  fragment ServerSettingsFields on Server @_unmask {
    __typename
    id
    name
    hostname
    protected
    inRescue
    labels {
      key
      value
    }
    labelsMax
    reverseNames {
      ip
      name
      state
    }
    firewall {
      enabled
      state
      rules {
        action
        protocol
        ports
        source
        note
      }
    }
    availableActions {
      action
      allowed
      reasonCode
      params
    }
  }
`);
export type ServerSettings = ResultOf<typeof ServerSettingsFields>;
export type FirewallRule = ServerSettings['firewall']['rules'][number];

export const ServerSettingsOne = graphql(
  `
    query ServerSettingsOne($id: ID!) {
      server(id: $id) {
        ...ServerSettingsFields
      }
    }
  `,
  [ServerSettingsFields],
);

export const ServerRename = graphql(
  `
    mutation ServerRename($id: ID!, $name: String) {
      serverRename(id: $id, name: $name) {
        ...ServerSettingsFields
      }
    }
  `,
  [ServerSettingsFields],
);
export const ServerSetLabels = graphql(
  `
    mutation ServerSetLabels($id: ID!, $labels: [ServerLabelInput!]!) {
      serverSetLabels(id: $id, labels: $labels) {
        ...ServerSettingsFields
      }
    }
  `,
  [ServerSettingsFields],
);
export const ServerProtect = graphql(
  `
    mutation ServerProtect($id: ID!, $protected: Boolean!) {
      serverProtect(id: $id, protected: $protected) {
        ...ServerSettingsFields
      }
    }
  `,
  [ServerSettingsFields],
);
export const ServerSetReverseName = graphql(
  `
    mutation ServerSetReverseName($id: ID!, $ip: String!, $name: String) {
      serverSetReverseName(id: $id, ip: $ip, name: $name) {
        ...ServerSettingsFields
      }
    }
  `,
  [ServerSettingsFields],
);
export const ServerSetFirewall = graphql(
  `
    mutation ServerSetFirewall($id: ID!, $enabled: Boolean!, $rules: [FirewallRuleInput!]!) {
      serverSetFirewall(id: $id, enabled: $enabled, rules: $rules) {
        ...ServerSettingsFields
      }
    }
  `,
  [ServerSettingsFields],
);
export const ServerRescue = graphql(`
  mutation ServerRescue($id: ID!) {
    serverRescue(id: $id) {
      id
    }
  }
`);
export const ServerLeaveRescue = graphql(`
  mutation ServerLeaveRescue($id: ID!) {
    serverLeaveRescue(id: $id) {
      id
    }
  }
`);
export const ServerRevealRescuePassword = graphql(`
  mutation ServerRevealRescuePassword($id: ID!) {
    serverRevealRescuePassword(id: $id)
  }
`);
