// What is kept of a closed account, and for how long. What an operator may set is a row of `schema/retention.ts`.
import type { KeptKind } from '../../../../schema/codes/kept.ts';
import type { Retention } from '../../../../schema/retention.ts';

/** Days, by law. */
export const KEPT_DAYS = {
  /** Orders, payments and invoices: as long as most countries require books to be kept. */
  books: 3_650,
  /** Ten years after the year of the sale (`billing/tax/domain/evidence.ts`). */
  taxEvidence: 4_015,
} as const;

export interface KeptAfterClosing {
  kind: KeptKind;
  days: number;
}

/** Shown before an account is closed, and in the mail afterwards. */
export const keptAfterClosing = ({ activity, mails }: Retention): KeptAfterClosing[] => [
  { kind: 'BOOKS', days: KEPT_DAYS.books },
  { kind: 'TAX_EVIDENCE', days: KEPT_DAYS.taxEvidence },
  { kind: 'ACTIVITY', days: activity },
  { kind: 'MAILS', days: mails },
];
