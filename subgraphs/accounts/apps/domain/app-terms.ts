// What an app that an account has let in may do, and for how long. The authorization server goes by these numbers too.
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { SCOPES, type Scope } from '#platform/identity.ts';

/**
 * How long each kind of record is valid, in milliseconds. An access token is short, since it is sent with each request; a refresh token is renewed at each use.
 * RFC 9700, 2.2.2 and 4.14.
 */
export const APP_LIFETIMES = {
  Interaction: HOUR,
  Session: 10 * MINUTE,
  AuthorizationCode: MINUTE,
  AccessToken: HOUR,
  RefreshToken: 30 * DAY,
  Grant: 365 * DAY,
  /** A client that nobody has let in. One that somebody has is kept as long as the grant. */
  Client: 30 * DAY,
} as const;

/** Spec is silent: the most apps of an account. The oldest is not pushed out: a new one is refused. */
export const MAX_APPS = 50;
/** What is stored of a client's name for itself. */
export const APP_NAME_LENGTH = 80;

/** The scopes of a text, without those that are not known. */
export const toScopes = (text: string): Scope[] => {
  const given = new Set(text.split(' '));
  return SCOPES.filter((scope) => given.has(scope));
};
