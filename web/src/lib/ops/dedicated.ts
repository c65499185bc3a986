import { graphql, type ResultOf } from '../graphql.ts';
import { OfferFields } from './offer.ts';
import { ServerSettingsFields } from './server-settings.ts';
import { OperationFields } from './vps.ts';

export const DedicatedFields = graphql(
  `
    fragment DedicatedFields on DedicatedServer @_unmask {
      id
      hostname
      status
      powerState
      ipv4
      createdAt
      os
      loginName
      cancelAtPeriodEnd
      paidUntil
      plan {
        code
        name
        cores
        ramGb
        storage
      }
      availableActions {
        action
        allowed
        reasonCode
        params
      }
      operations(limit: 10) {
        ...OperationFields
      }
      ...ServerSettingsFields
    }
  `,
  [OperationFields, ServerSettingsFields],
);

export type Dedicated = ResultOf<typeof DedicatedFields>;

export const DedicatedOne = graphql(
  `
    query DedicatedOne($id: ID!) {
      server(id: $id) {
        __typename
        ... on DedicatedServer {
          ...DedicatedFields
        }
      }
    }
  `,
  [DedicatedFields],
);

export const DedicatedChanged = graphql(
  `
    subscription DedicatedChanged {
      dedicatedServerChanged {
        ...DedicatedFields
      }
    }
  `,
  [DedicatedFields],
);

/** Reports the id of a dedicated server that has changed. */
export const DedicatedMoved = graphql(`
  subscription DedicatedMoved {
    dedicatedServerChanged {
      id
    }
  }
`);

export const DedicatedOffer = graphql(
  `
    query DedicatedOffer($plan: DedicatedPlanCode!, $months: Int!, $os: OperatingSystem!, $hostname: String) {
      dedicatedOffer(plan: $plan, months: $months, os: $os, hostname: $hostname) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);

export const DedicatedMetrics = graphql(`
  query DedicatedMetrics($id: ID!, $span: MetricsSpan!) {
    server(id: $id) {
      __typename
      ... on DedicatedServer {
        id
        metrics(span: $span) {
          at
          cpuRatio
          memoryRatio
          diskRatio
          netInBytesPerSecond
          netOutBytesPerSecond
          watts
          inletCelsius
        }
      }
    }
  }
`);

export const DedicatedMetricsChanged = graphql(`
  subscription DedicatedMetricsChanged($id: ID!) {
    now: dedicatedServerMetricsChanged(id: $id) {
      at
      cpuRatio
      memoryRatio
      diskRatio
      netInBytesPerSecond
      netOutBytesPerSecond
      watts
      inletCelsius
    }
  }
`);
export type MetalMetrics = ResultOf<typeof DedicatedMetricsChanged>['now'];

export const DedicatedStart = graphql(`
  mutation DedicatedStart($id: ID!) {
    dedicatedServerStart(id: $id) {
      id
    }
  }
`);
export const DedicatedReboot = graphql(`
  mutation DedicatedReboot($id: ID!) {
    dedicatedServerReboot(id: $id) {
      id
    }
  }
`);
export const DedicatedStop = graphql(`
  mutation DedicatedStop($id: ID!) {
    dedicatedServerStop(id: $id) {
      id
    }
  }
`);
export const DedicatedForceStop = graphql(`
  mutation DedicatedForceStop($id: ID!) {
    dedicatedServerForceStop(id: $id) {
      id
    }
  }
`);
export const DedicatedResetPassword = graphql(`
  mutation DedicatedResetPassword($id: ID!) {
    dedicatedServerResetPassword(id: $id) {
      id
    }
  }
`);
export const DedicatedReinstall = graphql(`
  mutation DedicatedReinstall($id: ID!, $os: OperatingSystem!, $password: String) {
    dedicatedServerReinstall(id: $id, os: $os, password: $password) {
      id
    }
  }
`);
export const DedicatedRevealPassword = graphql(`
  mutation DedicatedRevealPassword($id: ID!) {
    password: dedicatedServerRevealPassword(id: $id)
  }
`);
export const DedicatedOpenConsole = graphql(`
  mutation DedicatedOpenConsole($id: ID!, $kind: ConsoleKind!) {
    opened: dedicatedServerOpenConsole(id: $id, kind: $kind) {
      path
    }
  }
`);
