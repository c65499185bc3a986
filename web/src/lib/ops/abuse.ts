import { graphql, type ResultOf } from '#lib/graphql.ts';

export const SupportAddressUse = graphql(`
  query SupportAddressUse($address: String!, $at: DateTime!, $minutes: Int!) {
    supportStaticHolders(ip: $address, at: $at) {
      planId
      accountId
      startedAt
      endedAt
    }
    supportAddressUse(address: $address, at: $at, minutes: $minutes) {
      plan {
        id
        account {
          id
        }
        product {
          name
        }
      }
      session
      client
      exit
      firstAt
      lastAt
      upBytes
      downBytes
      hostCount
      hosts(first: 20) {
        host
        upBytes
        downBytes
      }
    }
  }
`);

export type AddressUse = ResultOf<typeof SupportAddressUse>['supportAddressUse'][number];

export const SupportAbuseCases = graphql(`
  query SupportAbuseCases($open: Boolean!) {
    supportAbuseCases(open: $open) {
      id
      state
      kind
      reporter
      address
      openedAt
      respondBy
      overdue
    }
  }
`);

export const SupportAbuseCaseOne = graphql(`
  query SupportAbuseCaseOne($id: ID!) {
    supportAbuseCase(id: $id) {
      id
      state
      kind
      reporter
      complaint
      address
      happenedAt
      openedAt
      respondBy
      overdue
      accounts {
        id
        email
        suspendedAt
      }
      entries {
        id
        at
        by
        kind
        accountId
        title
        lines {
          at
          text
        }
      }
      pack
    }
  }
`);

export type AbuseCase = ResultOf<typeof SupportAbuseCaseOne>['supportAbuseCase'];

export const SupportAbuseCaseOpen = graphql(`
  mutation SupportAbuseCaseOpen($input: AbuseCaseOpenInput!) {
    supportAbuseCaseOpen(input: $input) {
      id
    }
  }
`);

export const SupportAbuseCaseNote = graphql(`
  mutation SupportAbuseCaseNote($id: ID!, $text: String!, $accountId: ID) {
    supportAbuseCaseNote(id: $id, text: $text, accountId: $accountId) {
      id
    }
  }
`);

export const SupportAbuseCaseWarn = graphql(`
  mutation SupportAbuseCaseWarn($id: ID!, $accountId: ID!, $message: String!, $days: Int!) {
    supportAbuseCaseWarn(id: $id, accountId: $accountId, message: $message, days: $days) {
      id
    }
  }
`);

export const SupportAbuseCaseClose = graphql(`
  mutation SupportAbuseCaseClose($id: ID!, $outcome: String!) {
    supportAbuseCaseClose(id: $id, outcome: $outcome) {
      id
    }
  }
`);

export const SupportAbuseCaseReopen = graphql(`
  mutation SupportAbuseCaseReopen($id: ID!, $reason: String!) {
    supportAbuseCaseReopen(id: $id, reason: $reason) {
      id
    }
  }
`);
