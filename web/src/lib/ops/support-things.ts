import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

/** The plans and servers of an account, for support: without credentials. */
export const SupportThings = graphql(`
  query SupportThings($accountId: ID!) {
    supportResidentialPlans(accountId: $accountId) {
      id
      username
      status
      validUntil
      product {
        name
      }
      usage {
        usedBytes
        remainingBytes
        totalBytes
      }
    }
    supportStaticPlans(accountId: $accountId) {
      id
      productName
      status
      quantity
    }
    supportServers(accountId: $accountId) {
      __typename
      id
      name
      ipv4
      powerState
    }
  }
`);

export type SupportedPlan = ResultOf<typeof SupportThings>['supportResidentialPlans'][number];

export const SupportPlanWithdraw = graphql(`
  mutation SupportPlanWithdraw($input: SupportPlanWithdrawInput!) {
    supportPlanWithdraw(input: $input) {
      id
      status
    }
  }
`);

export const SupportPlanResetAuthentication = graphql(`
  mutation SupportPlanResetAuthentication($planId: ID!, $reason: String!) {
    supportPlanResetAuthentication(planId: $planId, reason: $reason) {
      id
    }
  }
`);

export const SupportStaticPlanRotatePassword = graphql(`
  mutation SupportStaticPlanRotatePassword($planId: ID!, $reason: String!) {
    supportStaticPlanRotatePassword(planId: $planId, reason: $reason)
  }
`);

export const SupportSubscriptions = graphql(
  `
    query SupportSubscriptions($accountId: ID!) {
      supportAccount(id: $accountId) {
        id
        subscriptions {
          id
          title
          status
          amount {
            ...MoneyFields
          }
          currentPeriodEnd
          cancelAtPeriodEnd
          endedAt
          daysUsed
          daysInPeriod
        }
      }
    }
  `,
  [MoneyFields],
);

export type SupportedSubscription = ResultOf<typeof SupportSubscriptions>['supportAccount']['subscriptions'][number];

export const SupportSubscriptionEnd = graphql(`
  mutation SupportSubscriptionEnd($id: ID!, $atPeriodEnd: Boolean!, $reason: String!) {
    supportSubscriptionEnd(id: $id, atPeriodEnd: $atPeriodEnd, reason: $reason) {
      id
      status
      cancelAtPeriodEnd
    }
  }
`);

/** How much of an order has been used, for the decision on its refund. */
export const SupportRefundFacts = graphql(`
  query SupportRefundFacts($id: ID!) {
    supportOrder(id: $id) {
      id
      resourceId
      account {
        id
      }
      subscription {
        id
        daysUsed
        daysInPeriod
      }
    }
  }
`);
