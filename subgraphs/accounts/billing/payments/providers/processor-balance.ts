// What a processor's own books say about our money there: its movements and its payouts to our bank. Amounts are integer minor units of the currency
// beside them, which is the currency of the processor's books and may differ from the payer's.
import type { MovementKind, PayoutStatus } from '../domain/balance-movement.ts';

export interface BalanceMovement {
  /** The processor's id; a dispute names its movements (`DisputeMovement`) by the same id. */
  id: string;
  kind: MovementKind;
  /** What it is about, as the processor calls it: a charge, a refund, a dispute, a payout. */
  subjectId: string | undefined;
  /** The payment that it belongs to, as `PaymentState.paymentId` has it. */
  paymentId: string | undefined;
  /** Before the fee; below zero: it left our balance. 0 for a FEE. */
  amountMinor: number;
  /** The fee that the processor keeps for it; below zero: a fee that it gives back. */
  feeMinor: number;
  currency: string;
  /** Its fee is booked with the dispute that it belongs to. */
  bookedWithDispute?: true;
  /** The processor's own description. */
  words: string;
  movedAt: Date;
  /** From when on it can be paid out. */
  availableAt: Date;
}

/** Part of a list; `next` is the cursor of the next part; undefined: this is the last part. */
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
  /** How late the processor may list a movement, in milliseconds: each reading begins this much before the end of the last one. */
  lateMs: number;
  /** The processor dates the end of a dispute's hold back to the beginning of the hold. */
  datesHoldsBack?: true;
  /** Movements from `from` on and before `until`, in any order. */
  movements(span: { from: Date; until: Date; after?: string | undefined }): Promise<Page<BalanceMovement>>;
  /** The state of these payouts by id, in as few requests as possible; the oldest of them was made at `since`. */
  payouts(ids: readonly string[], since: Date): Promise<ReadonlyMap<string, PayoutState>>;
  /** Ids of the movements that a payout is made of; its own may be among them. */
  linesOf(payoutId: string, after?: string): Promise<Page<string>>;
  /** What the processor holds for us now, whether it can be paid out or not: currency -> minor units. */
  held(): Promise<Record<string, number>>;
}
