// What is kept of people, and for how long. The one table: the sweep goes by it, the closing of an account says it.
import { DAY } from '#platform/clock.ts';
import type { KeptKind } from '../../../../schema/codes/kept.ts';
import { STAFF_ACTS_YEARS } from '../../../../schema/limits.ts';

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
  /** What members of staff did: as long as the books that it explains. */
  staffActs: STAFF_ACTS_YEARS * 365,
  /** Ten years after the one of the sale (`billing/tax/domain/evidence.ts`). */
  taxEvidence: 4_015,
} as const;

export const keptMs = (kind: keyof typeof KEPT_DAYS): number => KEPT_DAYS[kind] * DAY;

/** What stays of an account that is closed, and for how many days: said before an account is closed, and in the mail after it. */
export const AFTER_CLOSING: readonly { kind: KeptKind; days: number }[] = [
  { kind: 'BOOKS', days: KEPT_DAYS.books },
  { kind: 'TAX_EVIDENCE', days: KEPT_DAYS.taxEvidence },
  { kind: 'ACTIVITY', days: KEPT_DAYS.activity },
  { kind: 'MAILS', days: KEPT_DAYS.mail },
];
