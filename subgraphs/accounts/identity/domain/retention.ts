// What is kept of people, and for how long. The one table: the sweep goes by it, the closing of an account says it.
import { DAY } from '#platform/clock.ts';

/** Spec is silent: days. */
export const KEPT_DAYS = {
  /** Who did what, when, from where. */
  activity: 365,
  /** That a mail was sent, to whom; what it said is gone once it is sent. */
  mail: 90,
  /** Links, challenges and sign-ups that are over. */
  link: 30,
  /** Orders, payments and invoices: what the law of most countries asks of books. */
  books: 3_650,
} as const;

export const keptMs = (kind: keyof typeof KEPT_DAYS): number => KEPT_DAYS[kind] * DAY;

/** Said before an account is closed, and in the mail after it. */
export const AFTER_CLOSING: readonly { what: string; days: number; why: string }[] = [
  { what: 'Orders, payments and invoices', days: KEPT_DAYS.books, why: 'books must be kept for ten years' },
  { what: "The account's activity", days: KEPT_DAYS.activity, why: 'to look into abuse and disputes' },
  { what: 'That mails were sent, without what they said', days: KEPT_DAYS.mail, why: 'to look into complaints' },
];
