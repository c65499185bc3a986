// Reports from the ledger, for staff.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

const TaxLineFields = graphql(
  `
    fragment TaxLineFields on TaxLine @_unmask {
      country
      basisPoints
      hasTaxId
      documents
      net {
        ...MoneyFields
      }
      tax {
        ...MoneyFields
      }
      localNet {
        ...MoneyFields
      }
      localTax {
        ...MoneyFields
      }
    }
  `,
  [MoneyFields],
);

export const SupportFinance = graphql(
  `
    query SupportFinance($from: Date!, $to: Date!) {
      supportFinance(from: $from, to: $to) {
        from
        to
        trialBalance {
          ledger
          opening {
            ...MoneyFields
          }
          debit {
            ...MoneyFields
          }
          credit {
            ...MoneyFields
          }
          closing {
            ...MoneyFields
          }
        }
        taxReturn {
          ...TaxLineFields
        }
        oneStopShop {
          ...TaxLineFields
        }
        oneStopShopCorrections {
          quarter
          country
          documents
          tax {
            ...MoneyFields
          }
          localTax {
            ...MoneyFields
          }
        }
        recapitulativeStatement {
          country
          taxId
          documents
          net {
            ...MoneyFields
          }
          localNet {
            ...MoneyFields
          }
        }
        sales {
          seller
          product
          invoices
          sold {
            ...MoneyFields
          }
          givenBack {
            ...MoneyFields
          }
          net {
            ...MoneyFields
          }
        }
        deferredRevenue {
          months
          total {
            ...MoneyFields
          }
          schedule {
            month
            amount {
              ...MoneyFields
            }
          }
        }
        recurringRevenue {
          seller
          subscriptions
          opening {
            ...MoneyFields
          }
          added {
            ...MoneyFields
          }
          returned {
            ...MoneyFields
          }
          expanded {
            ...MoneyFields
          }
          contracted {
            ...MoneyFields
          }
          churned {
            ...MoneyFields
          }
          closing {
            ...MoneyFields
          }
        }
        customers {
          opening
          lost
          closing
          churnBasisPoints
          perCustomer {
            ...MoneyFields
          }
        }
        payouts {
          processor
          processorId
          status
          failure
          amount {
            ...MoneyFields
          }
          movedAt
          arrivesAt
          sums {
            kind
            amount {
              ...MoneyFields
            }
            fees {
              ...MoneyFields
            }
          }
        }
        processors {
          processor
          readUntil
          held {
            ...MoneyFields
          }
          booked {
            ...MoneyFields
          }
          uneven {
            payment
            orderId
            kind
            why
            since
            booked {
              ...MoneyFields
            }
            moved {
              ...MoneyFields
            }
          }
          strange {
            id
            kind
            words
            movedAt
            amount {
              ...MoneyFields
            }
          }
        }
        datev
        receivables {
          fromDays
          toDays
          orders
          amount {
            ...MoneyFields
          }
        }
      }
    }
  `,
  [MoneyFields, TaxLineFields],
);

export type Finance = ResultOf<typeof SupportFinance>['supportFinance'];

export const SupportInvoiceReissue = graphql(`
  mutation SupportInvoiceReissue($id: ID!, $reason: String!) {
    supportInvoiceReissue(id: $id, reason: $reason) {
      id
      number
    }
  }
`);
