// A residential plan: the stored facts, with the use of the UTC day on which it was read.
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import type { HostsKept } from './hosts-kept.ts';
import { type Ending, isLapsed } from './validity.ts';

/** The marks that are checked when a plan's use changes: those that its owner was notified of, those that are set, and that of its automatic top-up. */
export type WatchedMarks = Pick<Plan, 'notifiedPercent' | 'alertPercents' | 'alertLeftBytes' | 'notifiedLeftBytes' | 'topUpLeftBytes'>;

export interface Plan {
  id: string;
  accountId: string;
  orderId: string;
  product: ProductCode;
  username: string;
  passwordSealed: Buffer;
  credentialEpoch: number;
  totalBytes: bigint;
  upBytes: bigint;
  downBytes: bigint;
  dailyLimitBytes: bigint | null;
  announcedStatus: PlanStatus;
  /** All that was not used has been taken back, by support or by a refund: the plan is over. */
  withdrawn: boolean;
  /** From then on nothing of it flows, and what is left lapses; null: it is valid for ever. */
  validUntil: Date | null;
  /** What has lapsed, as it was noted; null: nothing was noted yet. */
  lapsedBytes: bigint | null;
  /** Its account is suspended, or the payment of one of its orders is disputed: nothing flows, whatever its status. */
  accountSuspended: boolean;
  /** The mark of use that the owner was last notified of; 0: none. */
  notifiedPercent: number;
  /** The owner's own marks of percent used, ascending, without 100; null: the default marks. */
  alertPercents: readonly number[] | null;
  /** The owner's own marks of bytes left, ascending. */
  alertLeftBytes: readonly bigint[];
  /** The lowest mark of bytes left that the owner was last notified of; null: none. */
  notifiedLeftBytes: bigint | null;
  /** A report that leaves less than this has to look at the automatic top-up; null: none is set, or it waits for an order or a time. */
  topUpLeftBytes: bigint | null;
  sessionStride: number;
  /** Position of the next session number. */
  sessionNext: number;
  createdAt: Date;
  /** The instant of the last report; null: never used. */
  ratedAt: Date | null;
  /** Bytes by second: of the second of `ratedAt`, of the one before, and so on. */
  bytesBySecond: readonly number[];
  /** Bytes weighted by their age, as of `ratedAt`: the older, the less (`usage-rate.ts`). */
  pacedBytes: number;
  /** The beginning of the time that the pace is computed for; null: never used. */
  usedSince: Date | null;
  /** Use on the UTC day of `asOf`. */
  usedTodayBytes: bigint;
  asOf: Date;
}

/** What is read of a plan when its row is locked. */
export interface LockedPlan {
  totalBytes: bigint;
  usedBytes: bigint;
  createdAt: Date;
  /** How its account has chosen to have hosts kept. Null: it has not chosen. */
  hostsChosen: HostsKept | null;
}

/** Spec, What the service does: both upload and download traffic are deducted. */
export const usedBytes = ({ upBytes, downBytes }: Pick<Plan, 'upBytes' | 'downBytes'>): bigint => upBytes + downBytes;

/** What was bought and not used, never below zero: the last report may have a few bytes more than were left. */
export function unusedBytes(plan: Pick<Plan, 'totalBytes' | 'upBytes' | 'downBytes'>): bigint {
  const rest = plan.totalBytes - usedBytes(plan);
  return rest > 0n ? rest : 0n;
}

/** What is left to be used: nothing of a plan that was withdrawn or has lapsed. */
export const remainingBytes = (plan: Pick<Plan, 'totalBytes' | 'upBytes' | 'downBytes'> & Ending): bigint =>
  plan.withdrawn || isLapsed(plan) ? 0n : unusedBytes(plan);
