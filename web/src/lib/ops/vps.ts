import { graphql, type ResultOf } from '../graphql.ts';
import { OfferFields } from './offer.ts';

export const OperationFields = graphql(`
  fragment OperationFields on Operation @_unmask {
    id
    command
    status
    step
    progress
    startedAt
    finishedAt
    error {
      message
    }
  }
`);

export const VpsFields = graphql(
  `
    fragment VpsFields on Vps @_unmask {
      id
      hostname
      name
      status
      powerState
      ipv4
      location
      createdAt
      os
      loginName
      extraIpv4
      cancelAtPeriodEnd
      paidUntil
      plan {
        code
        name
        vcpu
        ramGb
        storageGb
      }
      availableActions {
        action
        allowed
        reasonCode
        params
      }
      backups {
        enabled
        lastAt
        nextAt
        items {
          id
          kind
          takenAt
          sizeBytes
          expiresAt
        }
      }
      operations(limit: 10) {
        ...OperationFields
      }
    }
  `,
  [OperationFields],
);

export type Vps = ResultOf<typeof VpsFields>;
export type Operation = Vps['operations'][number];

export const VpsOne = graphql(
  `
    query VpsOne($id: ID!) {
      server(id: $id) {
        __typename
        ... on Vps {
          ...VpsFields
        }
      }
    }
  `,
  [VpsFields],
);

export const VpsChanged = graphql(
  `
    subscription VpsChanged {
      vpsChanged {
        ...VpsFields
      }
    }
  `,
  [VpsFields],
);

/** Reports the id of a VPS that has changed. */
export const VpsMoved = graphql(`
  subscription VpsMoved {
    vpsChanged {
      id
    }
  }
`);

export const VpsStart = graphql(`
  mutation VpsStart($id: ID!) {
    vpsStart(id: $id) {
      id
    }
  }
`);
export const VpsReboot = graphql(`
  mutation VpsReboot($id: ID!) {
    vpsReboot(id: $id) {
      id
    }
  }
`);
export const VpsStop = graphql(`
  mutation VpsStop($id: ID!) {
    vpsStop(id: $id) {
      id
    }
  }
`);
export const VpsForceStop = graphql(`
  mutation VpsForceStop($id: ID!) {
    vpsForceStop(id: $id) {
      id
    }
  }
`);
export const VpsResetPassword = graphql(`
  mutation VpsResetPassword($id: ID!) {
    vpsResetPassword(id: $id) {
      id
    }
  }
`);
export const VpsRevealPassword = graphql(`
  mutation VpsRevealPassword($id: ID!) {
    password: vpsRevealPassword(id: $id)
  }
`);
export const VpsReinstall = graphql(`
  mutation VpsReinstall($id: ID!, $os: OperatingSystem!, $password: String, $sshKeys: [String!]) {
    vpsReinstall(id: $id, os: $os, password: $password, sshKeys: $sshKeys) {
      id
    }
  }
`);
export const VpsTakeBackup = graphql(`
  mutation VpsTakeBackup($id: ID!) {
    vpsTakeBackup(id: $id) {
      id
    }
  }
`);
export const VpsRestore = graphql(`
  mutation VpsRestore($id: ID!, $backup: ID!, $hostname: String!) {
    vpsRestore(id: $id, backup: $backup, hostname: $hostname) {
      id
    }
  }
`);
export const VpsOpenConsole = graphql(`
  mutation VpsOpenConsole($id: ID!, $kind: ConsoleKind!) {
    opened: vpsOpenConsole(id: $id, kind: $kind) {
      path
    }
  }
`);

export const VpsOffer = graphql(
  `
    query VpsOffer(
      $plan: VpsPlanCode!
      $months: Int!
      $os: OperatingSystem!
      $hostname: String
      $extraIpv4: Int!
      $sshKeys: [String!]
      $backups: Boolean!
      $userData: String
      $location: String
    ) {
      vpsOffer(
        plan: $plan
        months: $months
        os: $os
        hostname: $hostname
        extraIpv4: $extraIpv4
        sshKeys: $sshKeys
        backups: $backups
        userData: $userData
        location: $location
      ) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);

export const VpsLocations = graphql(`
  query VpsLocations($os: OperatingSystem!, $extraIpv4: Int!) {
    vpsLocations(os: $os, extraIpv4: $extraIpv4) {
      name
      plans
    }
  }
`);

export const VpsUpgradeOffer = graphql(
  `
    query VpsUpgradeOffer($id: ID!, $plan: VpsPlanCode!) {
      vpsUpgradeOffer(id: $id, plan: $plan) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);
export const VpsBackupsOffer = graphql(
  `
    query VpsBackupsOffer($id: ID!) {
      vpsBackupsOffer(id: $id) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);
export const VpsExtraIpv4Offer = graphql(
  `
    query VpsExtraIpv4Offer($id: ID!, $extraIpv4: Int!) {
      vpsExtraIpv4Offer(id: $id, extraIpv4: $extraIpv4) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);

const MetricsFields = graphql(`
  fragment MetricsFields on ServerMetrics @_unmask {
    at
    cpuRatio
    memoryBytes
    memoryTotalBytes
    diskReadBytesPerSecond
    diskWriteBytesPerSecond
    netInBytesPerSecond
    netOutBytesPerSecond
  }
`);

export type Metrics = ResultOf<typeof MetricsFields>;

export const VpsMetrics = graphql(
  `
    query VpsMetrics($id: ID!, $span: MetricsSpan!) {
      server(id: $id) {
        __typename
        ... on Vps {
          id
          metrics(span: $span) {
            ...MetricsFields
          }
        }
      }
    }
  `,
  [MetricsFields],
);

export const VpsMetricsChanged = graphql(
  `
    subscription VpsMetricsChanged($id: ID!) {
      now: vpsMetricsChanged(id: $id) {
        ...MetricsFields
      }
    }
  `,
  [MetricsFields],
);
