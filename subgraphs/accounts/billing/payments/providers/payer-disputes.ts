// What payers and their banks do about a payment without asking us, as any processor knows it. Amounts are integer minor units of the currency beside
// them.
import type { DisputeReason, DisputeStage, DisputeStatus } from '../domain/payer-dispute.ts';

/** A payment as its processor names it. */
export interface ProcessorPayment {
  id: string;
  /** Ours that it is for, where the processor was told; undefined: it may be none of ours. */
  orderId: string | undefined;
}

/** What the processor says of a dispute now. */
export interface DisputeState {
  id: string;
  payment: ProcessorPayment;
  stage: DisputeStage;
  status: DisputeStatus;
  reason: DisputeReason;
  amountMinor: number;
  currency: string;
  /** Until when it can be answered; undefined: not at all. */
  respondBy: Date | undefined;
  /** What it has moved at the processor, oldest first. */
  movements: readonly DisputeMovement[];
}

/** What was said of a dispute that must be about a payment. Throws when it is about none. */
export function ofPayment(id: string, state: DisputeState | undefined): DisputeState {
  if (!state) throw new Error(`dispute ${id} belongs to no payment`);
  return state;
}

export interface DisputeMovement {
  id: string;
  /** Below zero: taken from us. */
  amountMinor: number;
  /** What the processor keeps for it; below zero: gives back. */
  feeMinor: number;
  /** Of the processor's books: perhaps another than the payer's. */
  currency: string;
}

export interface FraudWarning {
  id: string;
  payment: ProcessorPayment;
  /** In the network's words. */
  kind: string;
  /** Nobody has given it back or disputed it yet. */
  actionable: boolean;
}

/** What a dispute is answered with. */
export interface Evidence {
  pdf: Buffer;
  fileName: string;
  email: string | undefined;
  purchaseAddress: string | undefined;
  product: string;
  /** YYYY-MM-DD. */
  servedOn: string | undefined;
  /** The access log in plain lines. */
  accessLog: string;
  /** What the desk adds in its own words. */
  statement: string;
}

/** Errors of each: vendor_unavailable. */
export interface DisputeAnswers {
  /** Undefined: of a payment that is none of ours. */
  lookUp(disputeId: string): Promise<DisputeState | undefined>;
  /** Answers once: afterwards the bank decides. Asked again it finds that it was answered. */
  submit(disputeId: string, evidence: Evidence): Promise<DisputeState>;
  /** Gives the money up: the dispute is lost. */
  giveIn(disputeId: string): Promise<DisputeState>;
}
