// A residential plan as everything here passes it on: the stored facts, with the use of the day it was read on.
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';

/** What is looked at of a plan whose use has changed: what its owner was notified of, the marks for that, and those of its automatic top-up. */
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
  /** Support has taken back all that was not used: it is over. */
  withdrawn: boolean;
  /** Support has suspended its account: nothing flows, whatever its status. */
  accountSuspended: boolean;
  /** The mark of its use that the owner was last notified of; 0: none. */
  notifiedPercent: number;
  /** The owner's own marks of percent used, ascending, without 100; null: those that everybody has. */
  alertPercents: readonly number[] | null;
  /** The owner's own marks of bytes left, ascending. */
  alertLeftBytes: readonly bigint[];
  /** The lowest of those that the owner was last notified of; null: none. */
  notifiedLeftBytes: bigint | null;
  /** At which rest its automatic top-up has something to do; null: none is set, or it waits. */
  topUpLeftBytes: bigint | null;
  sessionStride: number;
  /** Position of the next session number. */
  sessionNext: number;
  createdAt: Date;
  /** The last instant of a report; null: never used. */
  ratedAt: Date | null;
  /** Bytes of the second of `ratedAt`, of the one before, and so on. */
  bytesBySecond: readonly number[];
  /** Bytes that fade with their age, as they were at `ratedAt`. */
  pacedBytes: number;
  /** From when on its use is known; null: never used. */
  usedSince: Date | null;
  /** Use on the UTC day of `asOf`. */
  usedTodayBytes: bigint;
  asOf: Date;
}

/** A plan as it is while its row is locked. */
export interface LockedPlan {
  totalBytes: bigint;
  usedBytes: bigint;
  createdAt: Date;
}

/** Spec, What the service does: both upload and download traffic are deducted. */
export const usedBytes = ({ upBytes, downBytes }: Pick<Plan, 'upBytes' | 'downBytes'>): bigint => upBytes + downBytes;

/** Never below zero: the last report may carry a few bytes more than were left. Nothing of a withdrawn one. */
export function remainingBytes(plan: Pick<Plan, 'totalBytes' | 'upBytes' | 'downBytes' | 'withdrawn'>): bigint {
  if (plan.withdrawn) return 0n;
  const rest = plan.totalBytes - usedBytes(plan);
  return rest > 0n ? rest : 0n;
}
