import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const InvoicePage = graphql(
  `
    query InvoicePage($after: ID) {
      me {
        id
        invoicePage(first: 25, after: $after) {
          items {
            id
            number
            kind
            reverseCharge
            issuedAt
            note
            orderId
            downloadPath
            total {
              ...MoneyFields
            }
            due {
              ...MoneyFields
            }
          }
          next
        }
      }
    }
  `,
  [MoneyFields],
);

const CreditLineFields = graphql(
  `
    fragment CreditLineFields on CreditLine @_unmask {
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
    }
  `,
  [MoneyFields],
);

export type CreditLine = ResultOf<typeof CreditLineFields>;

export const Credit = graphql(
  `
    query Credit($after: ID) {
      me {
        id
        credit {
          balance {
            ...MoneyFields
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
  [CreditLineFields, MoneyFields],
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
        vatIdState
        reverseCharge
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
      vatIdState
      reverseCharge
    }
  }
`);
