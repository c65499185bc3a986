import { graphql, type ResultOf } from '../graphql.ts';

export const Invoices = graphql(`
  query Invoices {
    me {
      id
      invoices {
        id
        number
        kind
        issuedAt
        note
        orderId
        downloadPath
        total {
          amountMinor
          currency
        }
        due {
          amountMinor
          currency
        }
      }
    }
  }
`);

const CreditLineFields = graphql(`
  fragment CreditLineFields on CreditLine @_unmask {
    id
    at
    title
    note
    reference
    amount {
      amountMinor
      currency
    }
    balance {
      amountMinor
      currency
    }
  }
`);

export type CreditLine = ResultOf<typeof CreditLineFields>;

export const Credit = graphql(
  `
    query Credit($after: ID) {
      me {
        id
        credit {
          balance {
            amountMinor
            currency
          }
          statement(first: 25, after: $after) {
            items {
              ...CreditLineFields
            }
            next
          }
        }
      }
    }
  `,
  [CreditLineFields],
);

export const BillingDetails = graphql(`
  query BillingDetails {
    me {
      id
      billingDetails {
        name
        address
        country
        taxId
      }
    }
  }
`);

export const BillingDetailsSet = graphql(`
  mutation BillingDetailsSet($input: BillingDetailsInput!) {
    billingDetailsSet(input: $input) {
      name
      address
      country
      taxId
    }
  }
`);
