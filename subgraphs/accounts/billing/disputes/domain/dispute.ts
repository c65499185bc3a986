// The rules of disputes: what stands still for one, and what each of its states means. Amounts are integer minor units.
import type { DisputeReason, DisputeStage, DisputeStatus } from '../../payments/domain/payer-dispute.ts';

/** From when on what was bought stands still: the operator's choice. */
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

/** Whether what was bought is to stand still. An inquiry has moved no money: nothing stands still for it. */
export const isFreezing = (rule: FreezeRule, { stage, status }: Facts): boolean => stage === 'DISPUTE' && FROZEN_IN[rule].includes(status);

/** Nothing moves it any more. */
export const isOver = (status: DisputeStatus): boolean => status === 'WON' || status === 'LOST' || status === 'CLOSED';

/** As mails and the pack of evidence say it. */
export const REASON_WORDS: Record<DisputeReason, string> = {
  FRAUD: 'the payer does not know the payment',
  NOT_RECEIVED: 'the payer says that nothing was delivered',
  NOT_AS_DESCRIBED: 'the payer says that it is not what was described',
  CANCELLED: 'the payer says that it was cancelled',
  NOT_CREDITED: 'the payer waits for a refund',
  DUPLICATE: 'the payer says that it was paid twice',
  OTHER: 'the bank gives no particular reason',
};

/** How long before its deadline the desk is warned, in days. */
export const WARNED_DAYS_BEFORE = 2;
