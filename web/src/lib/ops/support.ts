// The support desk: every operation here needs a member of staff in a session with a second factor.
import { graphql, type ResultOf } from '../graphql.ts';
import { ApiKeyFields, KeyRequestFields } from './api-key.ts';
import { MoneyFields } from './money.ts';
import { OrderFields } from './order.ts';
import { SessionFields } from './session.ts';

export const SupportAccounts = graphql(`
  query SupportAccounts($search: String!) {
    supportAccounts(search: $search) {
      id
      email
      role
      apiAllowed
      createdAt
    }
  }
`);

export const SupportVersion = graphql(`
  query SupportVersion {
    supportVersion
  }
`);

export const SupportKeyRequests = graphql(
  `
    query SupportKeyRequests {
      supportKeyRequests {
        ...KeyRequestFields
        account {
          id
          email
        }
      }
    }
  `,
  [KeyRequestFields],
);

export const SupportAccount = graphql(
  `
    query SupportAccount($id: ID!) {
      supportAccount(id: $id) {
        id
        email
        emailVerifiedAt
        role
        apiAllowed
        identityLevel
        createdAt
        suspendedAt
        suspensionReason
        access {
          hasPassword
          pendingEmail
          totpSince
          recoveryCodesLeft
          passkeys {
            id
          }
          chat {
            name
          }
        }
        sessions {
          ...SessionFields
        }
        apiKeys {
          ...ApiKeyFields
        }
        keyRequests {
          ...KeyRequestFields
        }
        credit {
          balance {
            ...MoneyFields
          }
        }
        orders {
          ...OrderFields
        }
      }
    }
  `,
  [SessionFields, ApiKeyFields, KeyRequestFields, OrderFields, MoneyFields],
);

export type SupportedAccount = ResultOf<typeof SupportAccount>['supportAccount'];

export const SupportApiKeyIssue = graphql(`
  mutation SupportApiKeyIssue($input: IssueApiKeyInput!) {
    supportApiKeyIssue(input: $input) {
      key
      apiKey {
        id
      }
    }
  }
`);

export const SupportApiKeyRotate = graphql(`
  mutation SupportApiKeyRotate($id: ID!, $overlapHours: Int) {
    supportApiKeyRotate(id: $id, overlapHours: $overlapHours) {
      key
      apiKey {
        id
      }
    }
  }
`);

export const SupportApiKeyGrantOrders = graphql(`
  mutation SupportApiKeyGrantOrders($id: ID!, $ceilingMinor: Int!) {
    supportApiKeyGrantOrders(id: $id, ceilingMinor: $ceilingMinor) {
      id
    }
  }
`);

export const SupportApiKeyRevoke = graphql(`
  mutation SupportApiKeyRevoke($id: ID!) {
    supportApiKeyRevoke(id: $id) {
      id
    }
  }
`);

export const SupportMails = graphql(`
  query SupportMails {
    supportMails {
      id
      recipient
      kind
      refusedAt
      reason
    }
  }
`);

export const SupportMailSendAgain = graphql(`
  mutation SupportMailSendAgain($id: ID!) {
    supportMailSendAgain(id: $id) {
      id
    }
  }
`);

export const SupportKeyRequestDecline = graphql(`
  mutation SupportKeyRequestDecline($id: ID!) {
    supportKeyRequestDecline(id: $id) {
      id
    }
  }
`);

export const SupportAccountAllowApi = graphql(`
  mutation SupportAccountAllowApi($id: ID!, $allowed: Boolean!) {
    supportAccountAllowApi(id: $id, allowed: $allowed) {
      id
      apiAllowed
    }
  }
`);

export const SupportAccountSuspend = graphql(`
  mutation SupportAccountSuspend($accountId: ID!, $reason: String!) {
    supportAccountSuspend(accountId: $accountId, reason: $reason) {
      id
      suspendedAt
      suspensionReason
    }
  }
`);

export const SupportAccountRestore = graphql(`
  mutation SupportAccountRestore($accountId: ID!, $reason: String!) {
    supportAccountRestore(accountId: $accountId, reason: $reason) {
      id
      suspendedAt
      suspensionReason
    }
  }
`);

export const SupportResendVerification = graphql(`
  mutation SupportResendVerification($email: String!) {
    supportResendVerification(email: $email) {
      email
    }
  }
`);

export const SupportSessionsClose = graphql(`
  mutation SupportSessionsClose($accountId: ID!) {
    supportSessionsClose(accountId: $accountId)
  }
`);

export const SupportOrderRemedy = graphql(`
  mutation SupportOrderRemedy($id: ID!, $remedy: OrderRemedy!) {
    supportOrderRemedy(id: $id, remedy: $remedy) {
      id
      status
    }
  }
`);

export const SupportOrderRefund = graphql(`
  mutation SupportOrderRefund($input: SupportOrderRefundInput!) {
    supportOrderRefund(input: $input) {
      id
      status
    }
  }
`);

export const SupportCreditGrant = graphql(
  `
    mutation SupportCreditGrant($input: SupportCreditGrantInput!) {
      supportCreditGrant(input: $input) {
        ...MoneyFields
      }
    }
  `,
  [MoneyFields],
);

export const SupportEnrolmentLink = graphql(`
  mutation SupportEnrolmentLink($accountId: ID!) {
    supportEnrolmentLink(accountId: $accountId) {
      url
    }
  }
`);
