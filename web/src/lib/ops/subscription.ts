import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const SubscriptionFields = graphql(
  `
    fragment SubscriptionFields on BillingSubscription @_unmask {
      id
      status
      title
      seller
      method
      amount {
        ...MoneyFields
      }
      nextPrice {
        from
        amount {
          ...MoneyFields
        }
      }
      intervalCount
      currentPeriodEnd
      cancelAtPeriodEnd
      nextAttemptAt
      removalAt
      endedAt
      endReason
      orderId
      renewalOrderId
      resourceId
      upcomingRenewal {
        at
        total {
          ...MoneyFields
        }
      }
      availableActions {
        action
        allowed
        reasonCode
        params
      }
    }
  `,
  [MoneyFields],
);
export type Subscription = ResultOf<typeof SubscriptionFields>;

export const SavedCardFields = graphql(`
  fragment SavedCardFields on SavedCard @_unmask {
    id
    brand
    lastFour
    expiryMonth
    expiryYear
    method
    holder
    isDefault
  }
`);
export type SavedCard = ResultOf<typeof SavedCardFields>;

export const Subscriptions = graphql(
  `
    query Subscriptions {
      me {
        id
        subscriptions {
          ...SubscriptionFields
        }
      }
    }
  `,
  [SubscriptionFields],
);

export const SubscriptionChanged = graphql(
  `
    subscription SubscriptionChanged($id: ID!) {
      subscriptionChanged(id: $id) {
        ...SubscriptionFields
      }
    }
  `,
  [SubscriptionFields],
);

export const SubscriptionCancel = graphql(
  `
    mutation SubscriptionCancel($id: ID!) {
      subscriptionCancel(id: $id) {
        ...SubscriptionFields
      }
    }
  `,
  [SubscriptionFields],
);

export const SubscriptionKeep = graphql(
  `
    mutation SubscriptionKeep($id: ID!) {
      subscriptionKeep(id: $id) {
        ...SubscriptionFields
      }
    }
  `,
  [SubscriptionFields],
);

export const SubscriptionPayNow = graphql(
  `
    mutation SubscriptionPayNow($id: ID!, $cardId: ID, $idempotencyKey: String!) {
      subscriptionPayNow(id: $id, cardId: $cardId, idempotencyKey: $idempotencyKey) {
        ...SubscriptionFields
      }
    }
  `,
  [SubscriptionFields],
);

export const SubscriptionSetMethod = graphql(
  `
    mutation SubscriptionSetMethod($id: ID!, $method: PaymentMethod!, $cardId: ID) {
      subscriptionSetMethod(id: $id, method: $method, cardId: $cardId) {
        ...SubscriptionFields
      }
    }
  `,
  [SubscriptionFields],
);

export const SubscriptionSetCard = graphql(
  `
    mutation SubscriptionSetCard($id: ID!, $cardId: ID!) {
      subscriptionSetCard(id: $id, cardId: $cardId) {
        ...SubscriptionFields
      }
    }
  `,
  [SubscriptionFields],
);

export const SavedCards = graphql(
  `
    query SavedCards {
      me {
        id
        savedCards {
          ...SavedCardFields
        }
      }
    }
  `,
  [SavedCardFields],
);

export const CardAdd = graphql(`
  mutation CardAdd($method: PaymentMethod!) {
    cardAdd(method: $method) {
      url
    }
  }
`);

export const CardFinish = graphql(
  `
    mutation CardFinish($method: PaymentMethod!, $returned: String!) {
      cardFinish(method: $method, returned: $returned) {
        ...SavedCardFields
      }
    }
  `,
  [SavedCardFields],
);

export const CardRemove = graphql(
  `
    mutation CardRemove($id: ID!) {
      cardRemove(id: $id) {
        ...SavedCardFields
      }
    }
  `,
  [SavedCardFields],
);

export const CardMakeDefault = graphql(
  `
    mutation CardMakeDefault($id: ID!) {
      cardMakeDefault(id: $id) {
        ...SavedCardFields
      }
    }
  `,
  [SavedCardFields],
);

export const BillingOverview = graphql(
  `
    query BillingOverview {
      me {
        id
        credit {
          balance {
            ...MoneyFields
          }
        }
        subscriptions {
          ...SubscriptionFields
        }
        orders {
          id
          title
          status
          kind
          expiresAt
          total {
            ...MoneyFields
          }
        }
        arrangements {
          id
          offer {
            title
          }
        }
      }
    }
  `,
  [SubscriptionFields, MoneyFields],
);
