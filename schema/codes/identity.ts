import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const IDENTITY_ERRORS = {
  account_not_found: { status: 404, message: 'There is no such account.' },
  challenge_invalid: { status: 401, message: 'This sign-in has taken too long, or was tried too often: begin again.' },
  chat_already_linked: { status: 409, message: 'This chat account belongs to another account here.' },
  chat_failed: { status: 400, message: 'The sign-in with the chat platform did not succeed: begin again.' },
  chat_not_available: { status: 404, message: 'Sign-in with a chat platform is not set up here.' },
  code_wrong: { status: 401, message: 'This code is wrong, or was used before.' },
  credentials_wrong: { status: 401, message: 'The e-mail address or the password is wrong.' },
  email_invalid: { status: 400, message: 'This is not an e-mail address.' },
  email_not_verified: { status: 403, message: 'Please confirm your e-mail address first: open the link that we sent you.' },
  enrolment_link_needed: { status: 403, message: 'The second factor of a member of support needs a link: ask another member of support.' },
  last_way_in: { status: 409, message: 'This is the last way into the account: add another one first.' },
  no_password: { status: 409, message: 'This account has no password yet.' },
  passkey_invalid: { status: 401, message: 'This passkey was not accepted.' },
  passkey_not_found: { status: 404, message: 'There is no such passkey.' },
  password_exists: { status: 409, message: 'This account has a password already.' },
  password_unfit: { status: 400, message: 'A password has 8 to 128 characters and is not a commonly used one.' },
  session_invalid: { status: 401, message: 'You are not signed in.' },
  session_not_found: { status: 404, message: 'There is no such session.' },
  sign_in_again: { status: 403, message: 'Please sign in again to do this.' },
  sign_up_not_found: { status: 404, message: 'No sign-up waits under this address.' },
  token_invalid: { status: 400, message: 'This link is not valid any more: ask for a new one.' },
  too_many_attempts: { status: 429, message: 'Too many attempts: please wait a little.', retryable: true },
  totp_exists: { status: 409, message: 'An authenticator app is set up already.' },
  totp_missing: { status: 409, message: 'No authenticator app is set up.' },
} as const satisfies ErrorTerms;

export const IDENTITY_REASONS = {
  chat_linked_already: 'This account has a chat log-in already: unlink it first.',
  name_length: 'A name has 1 to {max} characters.',
  password_leaked: 'This password stands in published leaks. Choose another one.',
  second_factor_exists: 'This account has a second factor already: who has lost it needs it removed first.',
  second_factor_missing: 'Recovery codes stand in for a second factor: set one up first.',
  staff_only: 'Only a member of staff needs such a link.',
  subscriptions_run: 'Cancel your subscriptions first: they would be charged again.',
  too_many_passkeys: 'An account has at most {max} passkeys.',
} as const satisfies ReasonTerms;
