/**
 * The kinds of movement of our balance at a processor. ..._RETURNED: the money came back to it. FEE: a fee of its own; the fee of another movement
 * stands beside that movement. OTHER: a movement that our books do not know.
 */
export const MOVEMENT_KINDS = [
  ...(['PAYMENT', 'REFUND', 'REFUND_RETURNED', 'DISPUTE', 'DISPUTE_RETURNED'] as const),
  ...(['FEE', 'PAYOUT', 'PAYOUT_RETURNED', 'OTHER'] as const),
];
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** The states of a payout to our bank. FAILED: the money is back in our balance at the processor, even if the payout had been PAID. */
export const PAYOUT_STATUSES = ['IN_TRANSIT', 'PAID', 'FAILED'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
