// The reasons, stages and states of payers' disputes, the same for every processor.

/** Why the payer wants the money back, according to their bank. */
export const DISPUTE_REASONS = ['FRAUD', 'NOT_RECEIVED', 'NOT_AS_DESCRIBED', 'CANCELLED', 'NOT_CREDITED', 'DUPLICATE', 'OTHER'] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** INQUIRY: the bank asks, and no money has moved; DISPUTE: the money is with the bank. */
export const DISPUTE_STAGES = ['INQUIRY', 'DISPUTE'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

/** CLOSED: an inquiry that came to nothing. */
export const DISPUTE_STATUSES = ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'CLOSED'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
