import { graphql, type ResultOf } from '../graphql.ts';

export const SupportServer = graphql(`
  query SupportServer($id: ID!) {
    supportServer(id: $id) {
      server {
        __typename
        id
        name
        hostname
        ipv4
        powerState
        os
        account {
          id
        }
      }
      status
      node
      machineNumber
      suspendedAt
      suspensionReason
      nodes
      actions {
        action
        allowed
        reasonCode
        params
      }
      operations {
        operation {
          id
          command
          status
          step
          startedAt
          error {
            message
          }
        }
        tries
        trouble
      }
    }
  }
`);
export type StaffServer = ResultOf<typeof SupportServer>['supportServer'];

export const SupportServerSuspend = graphql(`
  mutation SupportServerSuspend($id: ID!, $reason: String!) {
    supportServerSuspend(id: $id, reason: $reason)
  }
`);
export const SupportServerRestore = graphql(`
  mutation SupportServerRestore($id: ID!, $reason: String!) {
    supportServerRestore(id: $id, reason: $reason)
  }
`);
export const SupportServerDelete = graphql(`
  mutation SupportServerDelete($id: ID!, $hostname: String!, $reason: String!) {
    supportServerDelete(id: $id, hostname: $hostname, reason: $reason)
  }
`);
export const SupportServerRebuild = graphql(`
  mutation SupportServerRebuild($id: ID!, $hostname: String!, $reason: String!) {
    supportServerRebuild(id: $id, hostname: $hostname, reason: $reason) {
      id
    }
  }
`);
export const SupportServerMove = graphql(`
  mutation SupportServerMove($id: ID!, $node: String, $reason: String!) {
    supportServerMove(id: $id, node: $node, reason: $reason) {
      id
    }
  }
`);
export const SupportServerChangeAddress = graphql(`
  mutation SupportServerChangeAddress($id: ID!, $ip: String!, $reason: String!) {
    supportServerChangeAddress(id: $id, ip: $ip, reason: $reason) {
      id
    }
  }
`);
