// The account's ways to sign in, and their protection.
import { graphql, type ResultOf } from '../graphql.ts';

export const Access = graphql(`
  query Access {
    me {
      id
      email
      createdAt
      language
      preferences {
        timeZone
        dateFormat
        density
      }
      identityLevel
      identityExpiresAt
      identityCheckOffered
      notifications {
        topic
        wanted
        pushed
        required
        eventTypes
      }
      access {
        hasPassword
        pendingEmail
        totpSince
        recoveryCodesLeft
        passkeys {
          id
          name
          createdAt
          lastUsedAt
        }
        chat {
          name
          linkedAt
        }
      }
    }
    chatPlatform
  }
`);

export const IdentityCheckBegin = graphql(`
  mutation IdentityCheckBegin {
    identityCheckBegin {
      url
    }
  }
`);

export type NotificationChoice = NonNullable<ResultOf<typeof Access>['me']>['notifications'][number];
export type AccessOfAccount = NonNullable<ResultOf<typeof Access>['me']>['access'];

export const ChooseNotification = graphql(`
  mutation ChooseNotification($topic: NotificationTopic!, $wanted: Boolean!) {
    accountChooseNotification(topic: $topic, wanted: $wanted) {
      id
      notifications {
        topic
        wanted
      }
    }
  }
`);

export const ChoosePush = graphql(`
  mutation ChoosePush($topic: NotificationTopic!, $wanted: Boolean!) {
    accountChoosePush(topic: $topic, wanted: $wanted) {
      id
      notifications {
        topic
        pushed
      }
    }
  }
`);

export const StaffEnrolmentAccept = graphql(`
  mutation StaffEnrolmentAccept($token: String!) {
    staffEnrolmentAccept(token: $token)
  }
`);

export const ChatPlatform = graphql(`
  query ChatPlatform {
    chatPlatform
  }
`);

export const ChatUnlink = graphql(`
  mutation ChatUnlink($password: String) {
    chatUnlink(password: $password) {
      id
    }
  }
`);

export const TotpStart = graphql(`
  mutation TotpStart($password: String) {
    totpStart(password: $password) {
      secret
      uri
    }
  }
`);

export const TotpConfirm = graphql(`
  mutation TotpConfirm($code: String!) {
    totpConfirm(code: $code) {
      codes
    }
  }
`);

export const TotpRemove = graphql(`
  mutation TotpRemove($code: String!, $password: String) {
    totpRemove(code: $code, password: $password) {
      id
    }
  }
`);

export const RecoveryCodesRenew = graphql(`
  mutation RecoveryCodesRenew($password: String) {
    recoveryCodesRenew(password: $password) {
      codes
    }
  }
`);

export const PasskeyStart = graphql(`
  mutation PasskeyStart($password: String) {
    passkeyStart(password: $password) {
      token
      options
    }
  }
`);

export const PasskeyAdd = graphql(`
  mutation PasskeyAdd($token: String!, $response: String!, $name: String!) {
    passkeyAdd(token: $token, response: $response, name: $name) {
      passkey {
        id
      }
      recoveryCodes
    }
  }
`);

export const PasskeyRemove = graphql(`
  mutation PasskeyRemove($id: ID!, $password: String) {
    passkeyRemove(id: $id, password: $password) {
      id
    }
  }
`);
