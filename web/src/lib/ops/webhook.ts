import { graphql, type ResultOf } from '../graphql.ts';

export const WebhookFields = graphql(`
  fragment WebhookFields on WebhookEndpoint @_unmask {
    id
    url
    description
    eventTypes
    createdAt
    disabledAt
    disabledBecause
    previousSecretUntil
    failures
    failingSince
    nextTryAt
    waiting
  }
`);

export type Webhook = ResultOf<typeof WebhookFields>;

export const Webhooks = graphql(
  `
    query Webhooks {
      webhookEndpoints {
        ...WebhookFields
      }
    }
  `,
  [WebhookFields],
);

/** Which end points hear which events. */
export const WebhookHearing = graphql(`
  query WebhookHearing {
    webhookEndpoints {
      id
      eventTypes
      disabledAt
    }
  }
`);

export const WebhookTypes = graphql(`
  query WebhookTypes {
    webhookEventTypes {
      name
      says
    }
  }
`);

export const WebhookAttempts = graphql(`
  query WebhookAttempts($id: ID!, $after: ID) {
    webhookEndpoint(id: $id) {
      id
      attempts(first: 25, after: $after) {
        items {
          id
          at
          askedBy
          outcome
          status
          durationMs
          said
          event {
            id
            type
            at
            subject
            body
          }
        }
        next
      }
    }
  }
`);

export const WebhookAdd = graphql(`
  mutation WebhookAdd($input: WebhookEndpointInput!) {
    webhookEndpointAdd(input: $input) {
      secret
      endpoint {
        id
      }
    }
  }
`);

export const WebhookChange = graphql(
  `
    mutation WebhookChange($id: ID!, $input: WebhookEndpointChangeInput!) {
      webhookEndpointChange(id: $id, input: $input) {
        ...WebhookFields
      }
    }
  `,
  [WebhookFields],
);

export const WebhookRemove = graphql(`
  mutation WebhookRemove($id: ID!) {
    webhookEndpointRemove(id: $id) {
      id
    }
  }
`);

export const WebhookRenewSecret = graphql(`
  mutation WebhookRenewSecret($id: ID!) {
    webhookEndpointRenewSecret(id: $id) {
      secret
      endpoint {
        id
        previousSecretUntil
      }
    }
  }
`);

export const WebhookTest = graphql(`
  mutation WebhookTest($id: ID!) {
    webhookEndpointTest(id: $id) {
      id
    }
  }
`);

export const WebhookSendAgain = graphql(`
  mutation WebhookSendAgain($id: ID!, $eventId: ID!) {
    webhookEndpointSendAgain(id: $id, eventId: $eventId) {
      id
    }
  }
`);

export const WebhookReplay = graphql(
  `
    mutation WebhookReplay($id: ID!, $after: ID) {
      webhookEndpointReplay(id: $id, after: $after) {
        ...WebhookFields
      }
    }
  `,
  [WebhookFields],
);
