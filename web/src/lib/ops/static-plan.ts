import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

/** The fields for lists and page heads; never the credentials. */
const StaticPlanFields = graphql(
  `
    fragment StaticPlanFields on StaticPlan @_unmask {
      id
      kind
      productId
      productName
      carrier
      status
      quantity
      locations
      failing
      createdAt
      deliverBy
      allowedAddresses
      autoReplace
      availableActions {
        action
        allowed
        reasonCode
        params
      }
      replacementAllowance {
        allowed
        used
        left
        resetsAt
      }
      billing {
        id
        status
        currentPeriodEnd
        cancelAtPeriodEnd
        interval
        intervalCount
        amount {
          ...MoneyFields
        }
      }
    }
  `,
  [MoneyFields],
);

export type StaticPlan = ResultOf<typeof StaticPlanFields>;

export const StaticPlans = graphql(
  `
    query StaticPlans($kind: StaticKind!, $page: Int!, $search: String) {
      staticPlans(kind: $kind, page: $page, limit: 25, search: $search) {
        items {
          ...StaticPlanFields
        }
        total
        page
        pageCount
      }
    }
  `,
  [StaticPlanFields],
);

/** The number of plans of each kind. */
export const StaticPlanTotals = graphql(`
  query StaticPlanTotals {
    isp: staticPlans(kind: ISP, page: 1, limit: 1) {
      total
    }
    datacenter: staticPlans(kind: DATACENTER, page: 1, limit: 1) {
      total
    }
  }
`);

const StaticLineFields = graphql(`
  fragment StaticLineFields on StaticLine @_unmask {
    ip
    port
    location
    label
    line
    httpsLine
    health
    problem
    httpsProblem
    failingSince
    checkedAt
    latencyMs
  }
`);

export type StaticLine = ResultOf<typeof StaticLineFields>;

export const StaticPlanDetail = graphql(
  `
    query StaticPlanDetail($id: ID!) {
      staticPlan(id: $id) {
        ...StaticPlanFields
        username
        password
        lines {
          ...StaticLineFields
        }
      }
    }
  `,
  [StaticPlanFields, StaticLineFields],
);

export type DetailedPlan = ResultOf<typeof StaticPlanDetail>['staticPlan'];

export const StaticPlanHealth = graphql(`
  query StaticPlanHealth($id: ID!) {
    staticPlan(id: $id) {
      id
      lines {
        ip
        label
        health
        latencyMs
        days {
          day
          checks
          failures
          latencyMs
        }
      }
      outages {
        ip
        problem
        startedAt
        endedAt
      }
      replacements {
        id
        reason
        askedBy
        doneAt
        pairs {
          gone
          came
          location
        }
      }
    }
  }
`);

export type PlanHealth = ResultOf<typeof StaticPlanHealth>['staticPlan'];

/** Reports the id of a plan that has changed; the page then loads what it shows again. */
export const StaticPlanChanged = graphql(`
  subscription StaticPlanChanged {
    staticPlanChanged {
      id
      status
    }
  }
`);

export const StaticPlanRotatePassword = graphql(`
  mutation StaticPlanRotatePassword($id: ID!) {
    staticPlanRotatePassword(id: $id) {
      id
    }
  }
`);

export const StaticPlanSetCredentials = graphql(`
  mutation StaticPlanSetCredentials($id: ID!, $username: String, $password: String) {
    staticPlanSetCredentials(id: $id, username: $username, password: $password) {
      id
    }
  }
`);

export const StaticPlanSetAllowedAddresses = graphql(`
  mutation StaticPlanSetAllowedAddresses($id: ID!, $addresses: [String!]!) {
    staticPlanSetAllowedAddresses(id: $id, addresses: $addresses) {
      id
      allowedAddresses
    }
  }
`);

export const StaticPlanSetAutoReplace = graphql(`
  mutation StaticPlanSetAutoReplace($id: ID!, $autoReplace: Boolean!) {
    staticPlanSetAutoReplace(id: $id, autoReplace: $autoReplace) {
      id
      autoReplace
    }
  }
`);

/** It sends a request through the line, as the owner's programs do. */
export const StaticLineTest = graphql(`
  mutation StaticLineTest($line: String!) {
    staticLineTest(line: $line) {
      works
      problems {
        message
        reasonCode
        params
      }
      location
      isSent
      protocol
      connectMs
      firstByteMs
      exit {
        address
        country
        state
        city
        asn
        carrier
      }
      placeSource
      fault {
        code
        message
        hint
        params
      }
    }
  }
`);

export type StaticTest = ResultOf<typeof StaticLineTest>['staticLineTest'];

export const StaticPlanSetLabel = graphql(`
  mutation StaticPlanSetLabel($id: ID!, $ip: String!, $label: String) {
    staticPlanSetLabel(id: $id, ip: $ip, label: $label) {
      id
    }
  }
`);

export const StaticPlanReplacementPrepare = graphql(`
  mutation StaticPlanReplacementPrepare($id: ID!, $addresses: [String!]!, $reason: StaticReplacementReason!) {
    staticPlanReplacementPrepare(id: $id, addresses: $addresses, reason: $reason) {
      id
      counted
      expiresAt
      pairs {
        gone
        came
        location
      }
    }
  }
`);

export type PreparedReplacement = ResultOf<typeof StaticPlanReplacementPrepare>['staticPlanReplacementPrepare'];

export const StaticPlanReplacementConfirm = graphql(`
  mutation StaticPlanReplacementConfirm($id: ID!) {
    staticPlanReplacementConfirm(id: $id) {
      id
      doneAt
    }
  }
`);
