import { graphql, type ResultOf } from '../graphql.ts';

export const OrderFields = graphql(`
  fragment OrderFields on Order @_unmask {
    id
    status
    title
    lines {
      label
      quantity
      amount {
        amountMinor
        currency
      }
    }
    subtotal {
      amountMinor
      currency
    }
    tax {
      amountMinor
      currency
    }
    credit {
      amountMinor
      currency
    }
    total {
      amountMinor
      currency
    }
    method
    seller
    kind
    subscriptionId
    periodStart
    periodEnd
    crypto {
      state
      seen {
        amountMinor
        currency
      }
      confirmed {
        amountMinor
        currency
      }
      credited {
        amountMinor
        currency
      }
    }
    transfer {
      reference
      amount {
        amountMinor
        currency
      }
      bank
    }
    refunds {
      id
      status
      destination
      reason
      createdAt
      amount {
        amountMinor
        currency
      }
    }
    invoices {
      id
      number
      downloadPath
    }
    checkoutUrl
    placedAt
    paidAt
    fulfilledAt
    expiresAt
    resourceId
  }
`);

export type Order = ResultOf<typeof OrderFields>;

export const OrderOne = graphql(
  `
    query OrderOne($id: ID!) {
      order(id: $id) {
        ...OrderFields
      }
    }
  `,
  [OrderFields],
);

export const Orders = graphql(
  `
    query Orders {
      me {
        id
        orders {
          ...OrderFields
        }
      }
    }
  `,
  [OrderFields],
);

export const OrderPlace = graphql(
  `
    mutation OrderPlace($offer: String!, $method: PaymentMethod!, $idempotencyKey: String!) {
      orderPlace(offer: $offer, method: $method, idempotencyKey: $idempotencyKey) {
        ...OrderFields
      }
    }
  `,
  [OrderFields],
);

export const OrderCancel = graphql(
  `
    mutation OrderCancel($id: ID!) {
      orderCancel(id: $id) {
        ...OrderFields
      }
    }
  `,
  [OrderFields],
);

export const OrderChanged = graphql(
  `
    subscription OrderChanged($id: ID!) {
      orderChanged(id: $id) {
        ...OrderFields
      }
    }
  `,
  [OrderFields],
);

export const OrderOpenCheckout = graphql(
  `
    mutation OrderOpenCheckout($id: ID!) {
      orderOpenCheckout(id: $id) {
        ...OrderFields
      }
    }
  `,
  [OrderFields],
);
