// Disputes, warnings of fraud and failed refunds, for the support desk.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const SupportDisputes = graphql(
  `
    query SupportDisputes($open: Boolean) {
      supportDisputes(open: $open) {
        id
        stage
        status
        reason
        amount {
          ...MoneyFields
        }
        fee {
          ...MoneyFields
        }
        respondBy
        submittedAt
        frozenAt
        records
        evidenceUrl
        order {
          id
          title
        }
      }
      supportFraudWarnings {
        id
        kind
        warnedAt
        order {
          id
          title
        }
      }
      supportFailedRefunds {
        failure
        refund {
          id
          status
          payTo
          createdAt
          amount {
            ...MoneyFields
          }
        }
        account {
          id
          email
        }
        order {
          id
          title
        }
      }
    }
  `,
  [MoneyFields],
);
export type DisputeRow = ResultOf<typeof SupportDisputes>['supportDisputes'][number];
export type FailedRefundRow = ResultOf<typeof SupportDisputes>['supportFailedRefunds'][number];

export const SupportDisputeSubmit = graphql(`
  mutation SupportDisputeSubmit($id: ID!, $statement: String) {
    supportDisputeSubmit(id: $id, statement: $statement) {
      id
      status
    }
  }
`);

export const SupportDisputeGiveIn = graphql(`
  mutation SupportDisputeGiveIn($id: ID!) {
    supportDisputeGiveIn(id: $id) {
      id
      status
    }
  }
`);

export const SupportFraudWarningClose = graphql(`
  mutation SupportFraudWarningClose($id: ID!) {
    supportFraudWarningClose(id: $id) {
      id
    }
  }
`);

export const SupportRefundResolve = graphql(`
  mutation SupportRefundResolve($id: ID!, $decision: RefundDecision!, $reference: String) {
    supportRefundResolve(id: $id, decision: $decision, reference: $reference) {
      id
      status
    }
  }
`);
