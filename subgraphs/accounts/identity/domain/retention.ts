// Which personal data is kept, and for how long. The sweep, the page that closes an account and the mail after it all use this table.
import { DAY } from '#platform/clock.ts';
import type { KeptKind } from '../../../../schema/codes/kept.ts';
import { STAFF_ACTS_YEARS } from '../../../../schema/limits.ts';

/** Days; spec is silent. */
export const KEPT_DAYS = {
  /** Who did what, when, from where. */
  activity: 365,
  /** The record that a mail was sent, and to whom; its content is deleted once it is sent. */
  mail: 90,
  /** Links, challenges and sign-ups, after their end. */
  link: 30,
  /** Orders, payments and invoices: as long as most countries require books to be kept. */
  books: 3_650,
  /** What members of staff did: as long as the books that it explains. */
  staffActs: STAFF_ACTS_YEARS * 365,
  /** Ten years after the year of the sale (`billing/tax/domain/evidence.ts`). */
  taxEvidence: 4_015,
} as const;

export const keptMs = (kind: keyof typeof KEPT_DAYS): number => KEPT_DAYS[kind] * DAY;

/** What is kept of a closed account, and for how many days; shown before an account is closed and in the mail afterwards. */
export const AFTER_CLOSING: readonly { kind: KeptKind; days: number }[] = [
  { kind: 'BOOKS', days: KEPT_DAYS.books },
  { kind: 'TAX_EVIDENCE', days: KEPT_DAYS.taxEvidence },
  { kind: 'ACTIVITY', days: KEPT_DAYS.activity },
  { kind: 'MAILS', days: KEPT_DAYS.mail },
];
