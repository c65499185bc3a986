// The risk rules for orders, and the decisions of staff on orders that they hold.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const SupportRiskRules = graphql(
  `
    query SupportRiskRules {
      supportRiskRules {
        id
        kind
        outcome
        onlyNew
        enabled
        amount {
          ...MoneyFields
        }
        maxOrders
        hours
        words
        identityLevel
        changedAt
      }
    }
  `,
  [MoneyFields],
);

export type RiskRule = ResultOf<typeof SupportRiskRules>['supportRiskRules'][number];

export const SupportRiskRuleSet = graphql(`
  mutation SupportRiskRuleSet($input: RiskRuleInput!) {
    supportRiskRuleSet(input: $input) {
      id
    }
  }
`);

export const SupportRiskRuleRemove = graphql(`
  mutation SupportRiskRuleRemove($id: ID!) {
    supportRiskRuleRemove(id: $id)
  }
`);

export const SupportOrderReview = graphql(`
  query SupportOrderReview($id: ID!) {
    supportOrder(id: $id) {
      id
      review {
        state
        reason
        decidedAt
        findings {
          kind
          detail
        }
      }
    }
  }
`);

export const SupportOrderRelease = graphql(`
  mutation SupportOrderRelease($id: ID!, $reason: String!) {
    supportOrderRelease(id: $id, reason: $reason) {
      id
    }
  }
`);

export const SupportOrderRefuse = graphql(`
  mutation SupportOrderRefuse($id: ID!, $reason: String!) {
    supportOrderRefuse(id: $id, reason: $reason) {
      id
    }
  }
`);

export const SupportAccountSetIdentity = graphql(`
  mutation SupportAccountSetIdentity($accountId: ID!, $level: Int!, $reference: String!) {
    supportAccountSetIdentity(accountId: $accountId, level: $level, reference: $reference) {
      id
      identityLevel
    }
  }
`);
