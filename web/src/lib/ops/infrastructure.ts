import { graphql, type ResultOf } from '../graphql.ts';

export const SupportInfrastructure = graphql(`
  query SupportInfrastructure {
    supportInfrastructure {
      silence
      filters
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
export type HypervisorNode = ResultOf<typeof SupportInfrastructure>['supportInfrastructure']['nodes'][number];

export const SupportNodeSetMaintenance = graphql(`
  mutation SupportNodeSetMaintenance($name: String!, $inMaintenance: Boolean!) {
    supportNodeSetMaintenance(name: $name, inMaintenance: $inMaintenance)
  }
`);
export const SupportOperationRetry = graphql(`
  mutation SupportOperationRetry($id: ID!) {
    supportOperationRetry(id: $id)
  }
`);
