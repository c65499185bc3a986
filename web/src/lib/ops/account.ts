import { graphql } from '../graphql.ts';

export const Me = graphql(`
  query Me {
    me {
      id
      email
      role
      staffPermissions
      apiAllowed
      impersonatedUntil
      teams {
        accountId
        name
        role
      }
      acting {
        accountId
        email
        role
        permissions
        things
      }
      preferences {
        timeZone
        dateFormat
        density
      }
    }
  }
`);

export const ResendVerification = graphql(`
  mutation ResendVerification($email: String!) {
    accountResendVerification(email: $email) {
      email
    }
  }
`);

export const Recover = graphql(`
  mutation Recover($email: String!, $next: String) {
    accountRecover(email: $email, next: $next) {
      email
    }
  }
`);

export const DeviceLink = graphql(`
  mutation DeviceLink($email: String!, $next: String) {
    accountDeviceLink(email: $email, next: $next) {
      email
    }
  }
`);

export const SetPassword = graphql(`
  mutation SetPassword($token: String!, $password: String!) {
    accountSetPassword(token: $token, password: $password) {
      email
    }
  }
`);

export const ChangePassword = graphql(`
  mutation ChangePassword($current: String!, $password: String!) {
    accountChangePassword(current: $current, password: $password) {
      id
    }
  }
`);

export const ChangeEmail = graphql(`
  mutation ChangeEmail($email: String!, $password: String!) {
    accountChangeEmail(email: $email, password: $password) {
      email
    }
  }
`);

export const AddPassword = graphql(`
  mutation AddPassword($email: String!, $password: String!) {
    accountAddPassword(email: $email, password: $password) {
      email
    }
  }
`);

export const ConfirmEmail = graphql(`
  mutation ConfirmEmail($token: String!) {
    accountConfirmEmail(token: $token) {
      email
      done
    }
  }
`);

export const ChooseLanguage = graphql(`
  mutation ChooseLanguage($language: Language!) {
    accountChooseLanguage(language: $language) {
      id
      language
    }
  }
`);

export const SetPreferences = graphql(`
  mutation SetPreferences($input: PreferencesInput!) {
    accountSetPreferences(input: $input) {
      id
      preferences {
        timeZone
        dateFormat
        density
      }
    }
  }
`);

export const ClosingTerms = graphql(`
  query ClosingTerms {
    accountClosingTerms {
      kind
      days
    }
  }
`);

export const CloseAccount = graphql(`
  mutation CloseAccount($password: String) {
    accountClose(password: $password) {
      kind
      days
    }
  }
`);
