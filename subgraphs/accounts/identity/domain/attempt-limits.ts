// How often somebody may fail, or cause work for us. Only failures count, right credentials never do. A pair of network and name waits longer after each
// failure; the limits per name over all networks, and per network over all names, are far higher. A device that the account knows has limits of its own, so
// that nothing that strangers do keeps its owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). Spec is silent on the figures.
import { DAY, HOUR, MINUTE, SECOND } from '#platform/clock.ts';

export interface AttemptRule {
  /** How many tries pass without a wait. */
  points: number;
  /** The window in which tries are counted, from the first try; with a `delay` from the last. */
  windowMs: number;
  /** The wait after each further try, which doubles from `firstMs` up to `maxMs`. Absent: the wait lasts until the window ends. */
  delay?: { firstMs: number; maxMs: number };
}

const slow = { firstMs: SECOND, maxMs: 15 * MINUTE };

export const ATTEMPT_LIMITS = {
  /** Failed log-ins from one network with one address. */
  log_in: { points: 5, windowMs: HOUR, delay: slow },
  /** Failed log-ins from one device that the account knows. */
  log_in_device: { points: 5, windowMs: HOUR, delay: slow },
  /** Failed log-ins with one address from all networks: NIST SP 800-63B, 5.2.2, allows a hundred at most. */
  log_in_name: { points: 100, windowMs: HOUR },
  /** Failed log-ins from one network, whatever the address. */
  log_in_group: { points: 300, windowMs: HOUR },
  log_in_site: { points: 1_200, windowMs: HOUR },
  /** Wrong codes of a second factor: six digits must not be guessed through challenge after challenge. */
  second_factor: { points: 5, windowMs: HOUR, delay: slow },
  second_factor_device: { points: 5, windowMs: HOUR, delay: slow },
  second_factor_name: { points: 20, windowMs: HOUR },
  second_factor_group: { points: 300, windowMs: HOUR },
  second_factor_site: { points: 1_200, windowMs: HOUR },
  /** Wrong passwords and codes of somebody who is signed in, per session: another session of the account is not slowed by it. */
  proof: { points: 5, windowMs: HOUR, delay: slow },
  /** Log-ins that were begun by passkey or chat platform: each leaves a row. */
  start_group: { points: 300, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: 10 * SECOND } },
  start_site: { points: 1_200, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: 10 * SECOND } },
  start_device: { points: 60, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: 10 * SECOND } },
  /** Registrations of OAuth clients: each leaves a row. A program registers once, and again where it is set up anew. */
  app_group: { points: 30, windowMs: HOUR, delay: slow },
  app_site: { points: 120, windowMs: HOUR, delay: slow },
  /** Codes of coupons that do not exist, per account. */
  coupon: { points: 10, windowMs: HOUR, delay: slow },
  /** Wrong codes for the set-up of a new platform. They are too long to be guessed, but each check costs. */
  set_up_group: { points: 10, windowMs: HOUR, delay: slow },
  set_up_site: { points: 40, windowMs: HOUR, delay: slow },
  /** Mails of sign-ups that one network has asked for. */
  mail_group: { points: 60, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: MINUTE } },
  mail_site: { points: 240, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: MINUTE } },
  /** Mails of sign-ups to one recipient: asked for by one network, and by all. Beyond that the answer is the same, and nothing is sent. */
  mail_pair: { points: 5, windowMs: HOUR },
  mail_name: { points: 20, windowMs: HOUR },
  /** Changes of the e-mail address that one account has asked for. */
  mail_account: { points: 5, windowMs: HOUR },
  /** Invitations into the team of one account. */
  invitation_account: { points: 50, windowMs: DAY },
  /** Mails to one account that warn of wrong second factors. */
  warning: { points: 1, windowMs: HOUR },
} as const satisfies Record<string, AttemptRule>;
export type AttemptKind = keyof typeof ATTEMPT_LIMITS;

/** Whether a success resets this count. Limits without a delay also count other people's failures, so they are not reset. */
export const isForgiven = (kind: AttemptKind): boolean => 'delay' in ATTEMPT_LIMITS[kind];
