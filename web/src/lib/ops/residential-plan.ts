import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const UsageFields = graphql(`
  fragment UsageFields on ResidentialUsage @_unmask {
    planId
    status
    totalBytes
    usedBytes
    remainingBytes
    upBytes
    downBytes
    usedTodayBytes
    dailyLimitBytes
    bytesPerSecond
    projectedEndAt
    resetsAt
    asOf
  }
`);

export type Usage = ResultOf<typeof UsageFields>;

/** The fields for lists and page heads; never the password. */
export const PlanFields = graphql(
  `
    fragment PlanFields on ResidentialPlan @_unmask {
      id
      status
      endedBy
      validUntil
      lapsedBytes
      username
      totalBytes
      dailyLimitBytes
      orderId
      createdAt
      product {
        code
        name
        formSessionMinutes
        dailyLimitAvailable
      }
      label {
        name
        note
        colour
      }
      usage {
        ...UsageFields
      }
      availableActions {
        action
        allowed
        reasonCode
        params
      }
    }
  `,
  [UsageFields],
);

export type Plan = ResultOf<typeof PlanFields>;

export const ResidentialPlans = graphql(
  `
    query ResidentialPlans {
      residentialPlans {
        ...PlanFields
      }
    }
  `,
  [PlanFields],
);

export const ResidentialPlan = graphql(
  `
    query ResidentialPlan($id: ID!) {
      residentialPlan(id: $id) {
        ...PlanFields
      }
    }
  `,
  [PlanFields],
);

export const ResidentialPlanDays = graphql(`
  query ResidentialPlanDays($id: ID!, $last: Int!) {
    residentialPlan(id: $id) {
      id
      days(last: $last) {
        on
        upBytes
        downBytes
        totalBytes
      }
    }
  }
`);

export const ResidentialPlanOldPasswords = graphql(`
  query ResidentialPlanOldPasswords($id: ID!) {
    residentialPlan(id: $id) {
      id
      oldPasswordUses(first: 50) {
        client
        tries
        firstAt
        lastAt
      }
    }
  }
`);

export const ResidentialPlanTopUps = graphql(`
  query ResidentialPlanTopUps($id: ID!) {
    residentialPlan(id: $id) {
      id
      totalBytes
      topUps {
        orderId
        bytes
        takenBackAt
        createdAt
      }
    }
  }
`);

export const ResidentialPlanSetLabel = graphql(
  `
    mutation ResidentialPlanSetLabel($id: ID!, $input: PlanLabelInput!) {
      residentialPlanSetLabel(id: $id, input: $input) {
        ...PlanFields
      }
    }
  `,
  [PlanFields],
);

export const ResidentialPlanAlerts = graphql(`
  query ResidentialPlanAlerts($id: ID!) {
    residentialPlan(id: $id) {
      id
      alerts {
        isDefault
        percents
        leftBytes
      }
    }
  }
`);

export type PlanAlerts = ResultOf<typeof ResidentialPlanAlerts>['residentialPlan']['alerts'];

export const ResidentialPlanSetAlerts = graphql(`
  mutation ResidentialPlanSetAlerts($id: ID!, $input: PlanAlertsInput) {
    residentialPlanSetAlerts(id: $id, input: $input) {
      id
      alerts {
        isDefault
        percents
        leftBytes
      }
    }
  }
`);

export const AutoTopUpFields = graphql(
  `
    fragment AutoTopUpFields on AutoTopUp @_unmask {
      enabled
      off
      leftBytes
      gigabytes
      ceiling {
        ...MoneyFields
      }
      spent {
        ...MoneyFields
      }
      pauseMinutes
      isBuying
      nextAt
    }
  `,
  [MoneyFields],
);

export type AutoTopUp = ResultOf<typeof AutoTopUpFields>;

export const ResidentialPlanAutoTopUp = graphql(
  `
    query ResidentialPlanAutoTopUp($id: ID!) {
      residentialPlan(id: $id) {
        id
        autoTopUp {
          ...AutoTopUpFields
        }
      }
    }
  `,
  [AutoTopUpFields],
);

export const ResidentialPlanSetAutoTopUp = graphql(
  `
    mutation ResidentialPlanSetAutoTopUp($id: ID!, $input: AutoTopUpInput) {
      residentialPlanSetAutoTopUp(id: $id, input: $input) {
        id
        autoTopUp {
          ...AutoTopUpFields
        }
      }
    }
  `,
  [AutoTopUpFields],
);

/** Queried only when the owner reveals or copies the credentials. */
export const ResidentialPlanPassword = graphql(`
  query ResidentialPlanPassword($id: ID!) {
    residentialPlan(id: $id) {
      id
      password
    }
  }
`);

export const ResidentialPlanResetAuthentication = graphql(
  `
    mutation ResidentialPlanResetAuthentication($id: ID!) {
      residentialPlanResetAuthentication(id: $id) {
        ...PlanFields
      }
    }
  `,
  [PlanFields],
);

export const ResidentialPlanSetDailyLimit = graphql(
  `
    mutation ResidentialPlanSetDailyLimit($id: ID!, $dailyLimitBytes: Bytes) {
      residentialPlanSetDailyLimit(id: $id, dailyLimitBytes: $dailyLimitBytes) {
        ...PlanFields
      }
    }
  `,
  [PlanFields],
);

export const ResidentialUsageChanged = graphql(
  `
    subscription ResidentialUsageChanged($planId: ID) {
      residentialUsageChanged(planId: $planId) {
        ...UsageFields
      }
    }
  `,
  [UsageFields],
);

export const ResidentialPlanChanged = graphql(
  `
    subscription ResidentialPlanChanged {
      residentialPlanChanged {
        ...PlanFields
      }
    }
  `,
  [PlanFields],
);
