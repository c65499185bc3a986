/**
 * What moves our money at a processor. RETURNED: it came back to our balance there. FEE: what the processor keeps by itself; that of another movement
 * stands beside it. OTHER: nothing that the books know.
 */
export const MOVEMENT_KINDS = [
  ...(['PAYMENT', 'REFUND', 'REFUND_RETURNED', 'DISPUTE', 'DISPUTE_RETURNED'] as const),
  ...(['FEE', 'PAYOUT', 'PAYOUT_RETURNED', 'OTHER'] as const),
];
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** What has become of money that a processor has sent to our bank. FAILED: it is in our balance there again, also of one that was PAID. */
export const PAYOUT_STATUSES = ['IN_TRANSIT', 'PAID', 'FAILED'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
