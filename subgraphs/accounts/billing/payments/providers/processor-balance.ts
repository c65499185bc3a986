// What a processor's own books say of our money there: what moved it, and what was paid out of it to our bank. Amounts are integer minor units of the currency
// beside them: that of the processor's books, perhaps another than the payer's.
import type { MovementKind, PayoutStatus } from '../domain/balance-movement.ts';

export interface BalanceMovement {
  /** By the same id a dispute names its movements (`DisputeMovement`). */
  id: string;
  kind: MovementKind;
  /** What it is about, as the processor calls it: a charge, a refund, a dispute, a payout. */
  subjectId: string | undefined;
  /** The payment that it belongs to, as `PaymentState.paymentId` has it. */
  paymentId: string | undefined;
  /** Before the fee; below zero it left our balance. 0 of a FEE. */
  amountMinor: number;
  /** What the processor keeps for it; below zero: gives back. */
  feeMinor: number;
  currency: string;
  /** Its fee is told, and booked, with the dispute that it is of. */
  bookedWithDispute?: true;
  /** In the processor's words. */
  words: string;
  movedAt: Date;
  /** From when on it can be paid out. */
  availableAt: Date;
}

/** Part of a list; `next` is what to ask the next part with, undefined: this is the last. */
export interface Page<Item> {
  items: Item[];
  next: string | undefined;
}

export interface PayoutState {
  status: PayoutStatus;
  /** Why it failed, in the processor's words. */
  failure: string | undefined;
  arrivesAt: Date | undefined;
  /** WAITING: the processor will say later what it is made of. UNKNOWN: it never will. */
  lines: 'WAITING' | 'KNOWN' | 'UNKNOWN';
}

/** Errors of each: vendor_unavailable. */
export interface ProcessorBalance {
  /** How long after it moved something may first be told, in milliseconds: that much is read once more each time. */
  lateMs: number;
  /** What ends a hold for a dispute stands there where the hold began, however long ago. */
  datesHoldsBack?: true;
  /** Movements from `from` on and before `until`, in any order. */
  movements(span: { from: Date; until: Date; after?: string | undefined }): Promise<Page<BalanceMovement>>;
  /** What has become of these payouts, the oldest of which is of `since`, by id, in as few requests as it takes. */
  payouts(ids: readonly string[], since: Date): Promise<ReadonlyMap<string, PayoutState>>;
  /** Ids of the movements that a payout is made of; its own may be among them. */
  linesOf(payoutId: string, after?: string): Promise<Page<string>>;
  /** What the processor holds for us now, whether it can be paid out or not: currency -> minor units. */
  held(): Promise<Record<string, number>>;
}
