import { graphql, type ResultOf } from '../graphql.ts';

export const SupportInfrastructure = graphql(`
  query SupportInfrastructure {
    supportInfrastructure {
      silence
      filters
      clusters {
        name
        location
        url
        ofSettings
        paused
        silentSince
        trouble
        machines
        addresses {
          first
          last
        }
      }
      nodes {
        name
        online
        inMaintenance
        cores
        ramGb
        storageGb
        machines
        promised {
          cores
          ramGb
          storageGb
        }
        left {
          cores
          ramGb
          storageGb
        }
        fits {
          plan
          machines
        }
        failures
      }
      addresses {
        first
        last
        prefixLength
        total
        held
        resting
      }
      failedPlacements {
        number
        node
        serverId
        failedAt
        trouble
        isGone
      }
    }
    supportStuckOperations {
      operation {
        id
        command
        step
        startedAt
      }
      serverId
      account {
        id
      }
      tries
      trouble
    }
  }
`);
export type HypervisorCluster = ResultOf<typeof SupportInfrastructure>['supportInfrastructure']['clusters'][number];
export type HypervisorNode = ResultOf<typeof SupportInfrastructure>['supportInfrastructure']['nodes'][number];

export const SupportNodeSetMaintenance = graphql(`
  mutation SupportNodeSetMaintenance($name: String!, $inMaintenance: Boolean!) {
    supportNodeSetMaintenance(name: $name, inMaintenance: $inMaintenance)
  }
`);
export const SupportNodeDrain = graphql(`
  mutation SupportNodeDrain($name: String!, $reason: String!) {
    supportNodeDrain(name: $name, reason: $reason)
  }
`);
export const SupportOperationRetry = graphql(`
  mutation SupportOperationRetry($id: ID!) {
    supportOperationRetry(id: $id)
  }
`);
