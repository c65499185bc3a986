// Account credit at the support desk: statement, reversals, pay-outs, and grants that wait for a second person.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const SupportCredit = graphql(
  `
    query SupportCredit($accountId: ID!, $after: ID) {
      supportAccount(id: $accountId) {
        id
        credit {
          statement(first: 25, after: $after) {
            items {
              id
              at
              title
              note
              reference
              amount {
                ...MoneyFields
              }
              balance {
                ...MoneyFields
              }
              reversible
            }
            next
          }
        }
      }
    }
  `,
  [MoneyFields],
);

export const SupportCreditPayable = graphql(
  `
    query SupportCreditPayable($accountId: ID!) {
      supportAccount(id: $accountId) {
        id
        creditPayable {
          amount {
            ...MoneyFields
          }
          byItself {
            ...MoneyFields
          }
          parts {
            charge
            destination
            byHand
            amount {
              ...MoneyFields
            }
          }
        }
        credit {
          payOuts {
            id
            status
            destination
            payTo
            createdAt
            amount {
              ...MoneyFields
            }
          }
        }
      }
    }
  `,
  [MoneyFields],
);

export const SupportCreditPayOut = graphql(
  `
    mutation SupportCreditPayOut($input: SupportCreditPayOutInput!) {
      supportCreditPayOut(input: $input) {
        id
        amount {
          ...MoneyFields
        }
      }
    }
  `,
  [MoneyFields],
);

export type SupportedCreditLine = ResultOf<typeof SupportCredit>['supportAccount']['credit']['statement']['items'][number];

export const SupportCreditReverse = graphql(
  `
    mutation SupportCreditReverse($input: SupportCreditReverseInput!) {
      supportCreditReverse(input: $input) {
        ...MoneyFields
      }
    }
  `,
  [MoneyFields],
);

export const SupportCreditRequest = graphql(`
  mutation SupportCreditRequest($input: SupportCreditRequestInput!) {
    supportCreditRequest(input: $input) {
      id
    }
  }
`);

export const SupportCreditRequests = graphql(
  `
    query SupportCreditRequests {
      supportCreditRequests {
        id
        kind
        payTo
        reason
        askedAt
        expiresAt
        amount {
          ...MoneyFields
        }
        account {
          id
          email
        }
        askedBy {
          id
          email
        }
      }
    }
  `,
  [MoneyFields],
);

export const SupportCreditApprove = graphql(`
  mutation SupportCreditApprove($id: ID!) {
    supportCreditApprove(id: $id) {
      id
      decision
    }
  }
`);

export const SupportCreditDecline = graphql(`
  mutation SupportCreditDecline($id: ID!) {
    supportCreditDecline(id: $id) {
      id
      decision
    }
  }
`);
