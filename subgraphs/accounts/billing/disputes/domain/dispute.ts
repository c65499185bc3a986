// The rules of disputes: when a purchase is frozen, and what the states mean. Amounts are integer minor units.
import type { DisputeReason, DisputeStage, DisputeStatus } from '../../payments/domain/payer-dispute.ts';

/** When a purchase is frozen; the operator chooses. */
export const FREEZES = ['opened', 'lost', 'never'] as const;
export type FreezeRule = (typeof FREEZES)[number];

interface Facts {
  stage: DisputeStage;
  status: DisputeStatus;
}

const FROZEN_IN: Record<FreezeRule, readonly DisputeStatus[]> = {
  opened: ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'LOST'],
  lost: ['LOST'],
  never: [],
};

/** Whether a purchase is frozen. An inquiry has moved no money, so it freezes nothing. */
export const isFreezing = (rule: FreezeRule, { stage, status }: Facts): boolean => stage === 'DISPUTE' && FROZEN_IN[rule].includes(status);

/** Whether the dispute is decided. */
export const isOver = (status: DisputeStatus): boolean => status === 'WON' || status === 'LOST' || status === 'CLOSED';

/** How mails and the pack of evidence describe each reason. */
export const REASON_WORDS: Record<DisputeReason, string> = {
  FRAUD: 'the payer does not know the payment',
  NOT_RECEIVED: 'the payer says that nothing was delivered',
  NOT_AS_DESCRIBED: 'the payer says that it is not what was described',
  CANCELLED: 'the payer says that it was cancelled',
  NOT_CREDITED: 'the payer waits for a refund',
  DUPLICATE: 'the payer says that it was paid twice',
  OTHER: 'the bank gives no particular reason',
};

/** How many days before a dispute's deadline the desk is warned. */
export const WARNED_DAYS_BEFORE = 2;
