import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';
import { OfferLineFields } from './offer.ts';

export const OrderFields = graphql(
  `
    fragment OrderFields on Order @_unmask {
      id
      status
      inReview
      title
      lines {
        ...OfferLineFields
      }
      coupon {
        code
        discount {
          ...MoneyFields
        }
      }
      subtotal {
        ...MoneyFields
      }
      tax {
        ...MoneyFields
      }
      credit {
        ...MoneyFields
      }
      total {
        ...MoneyFields
      }
      method
      seller
      kind
      automatic
      subscriptionId
      periodStart
      periodEnd
      crypto {
        state
        seen {
          ...MoneyFields
        }
        confirmed {
          ...MoneyFields
        }
        credited {
          ...MoneyFields
        }
      }
      transfer {
        reference
        amount {
          ...MoneyFields
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
          ...MoneyFields
        }
      }
      invoices {
        id
        kind
        number
        downloadPath
      }
      checkoutUrl
      placedAt
      paidAt
      fulfilledAt
      expiresAt
      holdExpiresAt
      resourceId
    }
  `,
  [MoneyFields, OfferLineFields],
);

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

export const OrderPage = graphql(
  `
    query OrderPage($after: ID) {
      me {
        id
        orderPage(first: 25, after: $after) {
          items {
            ...OrderFields
          }
          next
        }
      }
    }
  `,
  [OrderFields],
);

export const OrderPlace = graphql(
  `
    mutation OrderPlace($offer: String!, $method: PaymentMethod!, $idempotencyKey: String!, $coupon: String) {
      orderPlace(offer: $offer, method: $method, idempotencyKey: $idempotencyKey, coupon: $coupon) {
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
