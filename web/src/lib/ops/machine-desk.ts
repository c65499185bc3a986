import { graphql, type ResultOf } from '../graphql.ts';

export const SupportMachines = graphql(`
  query SupportMachines {
    supportMachines {
      id
      name
      ip
      prefixLength
      gateway
      controllerUrl
      serverId
      restsUntil
      outOfService
      plan {
        code
        name
      }
    }
    supportHandWork {
      operation {
        id
        command
        startedAt
      }
      account {
        id
      }
      serverId
      hostname
      os
      loginName
      machine {
        id
        name
        ip
        prefixLength
        gateway
      }
      claimedBy
      mine
    }
  }
`);
export type Machine = ResultOf<typeof SupportMachines>['supportMachines'][number];
export type HandWork = ResultOf<typeof SupportMachines>['supportHandWork'][number];

export const SupportMachinesKeep = graphql(`
  mutation SupportMachinesKeep($machines: [MachineInput!]!) {
    supportMachinesKeep(machines: $machines) {
      kept
      problems
    }
  }
`);
export const SupportMachineSetService = graphql(`
  mutation SupportMachineSetService($id: ID!, $outOfService: Boolean!) {
    supportMachineSetService(id: $id, outOfService: $outOfService)
  }
`);
export const SupportHandWorkClaim = graphql(`
  mutation SupportHandWorkClaim($operationId: ID!) {
    supportHandWorkClaim(operationId: $operationId) {
      mine
    }
  }
`);
export const SupportHandWorkRevealPassword = graphql(`
  mutation SupportHandWorkRevealPassword($operationId: ID!) {
    supportHandWorkRevealPassword(operationId: $operationId)
  }
`);
export const SupportHandWorkDone = graphql(`
  mutation SupportHandWorkDone($operationId: ID!, $loginName: String) {
    supportHandWorkDone(operationId: $operationId, loginName: $loginName)
  }
`);
export const SupportHandWorkRefuse = graphql(`
  mutation SupportHandWorkRefuse($operationId: ID!, $reason: String!) {
    supportHandWorkRefuse(operationId: $operationId, reason: $reason)
  }
`);
