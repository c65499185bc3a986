// How often somebody may fail, or may make us do something. Failures count, right credentials never do. A pair of network and name waits longer after
// each failure; ceilings over all networks of a name, and over all names of a network, are far above it. A device that the account knows has an
// allowance of its own, so that nothing that strangers do keeps its owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). Spec
// is silent on the figures.
import { HOUR, MINUTE, SECOND } from '#platform/clock.ts';

export interface AttemptRule {
  /** So many pass without a wait. */
  points: number;
  /** Counted from the first, or where there is a delay from the last. */
  windowMs: number;
  /** After each of the others: doubled each time, from the first to the most. Absent: until the window ends. */
  delay?: { firstMs: number; maxMs: number };
}

const slow = { firstMs: SECOND, maxMs: 15 * MINUTE };

export const ATTEMPT_LIMITS = {
  /** Failed log-ins of one network with one address. */
  log_in: { points: 5, windowMs: HOUR, delay: slow },
  /** Failed log-ins of one device that the account knows. */
  log_in_device: { points: 5, windowMs: HOUR, delay: slow },
  /** Failed log-ins with one address from everywhere else: NIST SP 800-63B, 5.2.2, takes a hundred for the most. */
  log_in_name: { points: 100, windowMs: HOUR },
  /** Failed log-ins of one network, whatever the address. */
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
  /** Ways in that were begun (passkey, chat platform): each leaves a row. */
  start_group: { points: 300, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: 10 * SECOND } },
  start_site: { points: 1_200, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: 10 * SECOND } },
  start_device: { points: 60, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: 10 * SECOND } },
  /** Codes of coupons that do not exist, per account. */
  coupon: { points: 10, windowMs: HOUR, delay: slow },
  /** Wrong codes of the set-up of a new platform: too long to be guessed, and each look costs. */
  set_up_group: { points: 10, windowMs: HOUR, delay: slow },
  set_up_site: { points: 40, windowMs: HOUR, delay: slow },
  /** Mails of sign-ups that one network asked for. */
  mail_group: { points: 60, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: MINUTE } },
  mail_site: { points: 240, windowMs: HOUR, delay: { firstMs: SECOND, maxMs: MINUTE } },
  /** Mails of sign-ups to one recipient, of one network and of all: what is more is answered alike and sends nothing. */
  mail_pair: { points: 5, windowMs: HOUR },
  mail_name: { points: 20, windowMs: HOUR },
  /** Changes of the address that one account has asked for. */
  mail_account: { points: 5, windowMs: HOUR },
  /** Warnings of wrong second factors to one account. */
  warning: { points: 1, windowMs: HOUR },
} as const satisfies Record<string, AttemptRule>;
export type AttemptKind = keyof typeof ATTEMPT_LIMITS;

/** What a success wipes: the ceilings are other people's failures too. */
export const isForgiven = (kind: AttemptKind): boolean => 'delay' in ATTEMPT_LIMITS[kind];
