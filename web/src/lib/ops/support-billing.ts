// Orders of all accounts, requests to sales and agreements, for staff in a session with a second factor.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';
import { OrderFields } from './order.ts';
import { ArrangementFields, SalesRequestFields } from './sales.ts';

const AccountedOrderFields = graphql(
  `
    fragment AccountedOrderFields on Order @_unmask {
      ...OrderFields
      account {
        id
        email
      }
    }
  `,
  [OrderFields],
);

export const SupportOrders = graphql(
  `
    query SupportOrders($list: SupportOrderList!) {
      supportOrders(list: $list) {
        ...AccountedOrderFields
      }
    }
  `,
  [AccountedOrderFields],
);

const TaxRecordFields = graphql(`
  fragment TaxRecordFields on OrderTaxRecord @_unmask {
    contradicted
    checkedAt
    checkReason
    reverseCharge
    vatIdCheck {
      checkedAt
      consultationNumber
    }
    evidence {
      kind
      country
      detail
    }
  }
`);

export const SupportOrderEvidenceCheck = graphql(`
  mutation SupportOrderEvidenceCheck($id: ID!, $reason: String!) {
    supportOrderEvidenceCheck(id: $id, reason: $reason) {
      id
    }
  }
`);

export type TaxRecord = ResultOf<typeof TaxRecordFields>;

export const SupportOrderOne = graphql(
  `
    query SupportOrderOne($id: ID!) {
      supportOrder(id: $id) {
        ...AccountedOrderFields
        taxRecord {
          ...TaxRecordFields
        }
        attempts {
          id
          attemptedAt
          reason
          final
          declineCode
          adviceCode
        }
        payments {
          id
          method
          paidAt
          amount {
            ...MoneyFields
          }
        }
      }
    }
  `,
  [AccountedOrderFields, MoneyFields, TaxRecordFields],
);

export const SupportTransferConfirm = graphql(`
  mutation SupportTransferConfirm($input: SupportTransferConfirmInput!) {
    supportTransferConfirm(input: $input) {
      id
      status
    }
  }
`);

export const SupportSalesRequests = graphql(
  `
    query SupportSalesRequests {
      supportSalesRequests {
        ...SalesRequestFields
        account {
          id
          email
        }
      }
    }
  `,
  [SalesRequestFields],
);

export const SupportSalesRequestClose = graphql(`
  mutation SupportSalesRequestClose($id: ID!) {
    supportSalesRequestClose(id: $id) {
      id
      status
    }
  }
`);

export const SupportAgreements = graphql(
  `
    query SupportAgreements($id: ID!) {
      supportAccount(id: $id) {
        id
        billingDetails {
          name
          address
          country
          taxId
          vatIdState
          reverseCharge
        }
        arrangements {
          ...ArrangementFields
        }
        salesRequests {
          ...SalesRequestFields
        }
      }
    }
  `,
  [ArrangementFields, SalesRequestFields],
);

export const SupportResidentialOffer = graphql(
  `
    query SupportResidentialOffer(
      $accountId: ID!
      $product: ResidentialProductCode!
      $gigabytes: Int!
      $amountMinor: Int!
      $validDays: Int!
    ) {
      supportResidentialOffer(
        accountId: $accountId
        product: $product
        gigabytes: $gigabytes
        amountMinor: $amountMinor
        validDays: $validDays
      ) {
        token
        title
        total {
          ...MoneyFields
        }
      }
    }
  `,
  [MoneyFields],
);

export const SupportStaticOffer = graphql(`
  mutation SupportStaticOffer($accountId: ID!, $productId: ID!, $quantity: Int!, $perAddressMinor: Int!, $validDays: Int!) {
    supportStaticOffer(
      accountId: $accountId
      productId: $productId
      quantity: $quantity
      perAddressMinor: $perAddressMinor
      validDays: $validDays
    ) {
      token
    }
  }
`);

export const SupportArrangementRecord = graphql(`
  mutation SupportArrangementRecord(
    $accountId: ID!
    $kind: ArrangementKind!
    $terms: String!
    $validUntil: DateTime
    $offer: String
    $requestId: ID
  ) {
    supportArrangementRecord(
      accountId: $accountId
      kind: $kind
      terms: $terms
      validUntil: $validUntil
      offer: $offer
      requestId: $requestId
    ) {
      id
    }
  }
`);

export const SupportArrangementEnd = graphql(`
  mutation SupportArrangementEnd($id: ID!) {
    supportArrangementEnd(id: $id) {
      id
    }
  }
`);
