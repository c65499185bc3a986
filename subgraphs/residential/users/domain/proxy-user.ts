// A proxy user: the stored facts, with the use of the UTC day and month in which it was read.
import { nextMidnight, nextMonth } from '#platform/clock.ts';
import type { LineRules, UserStop } from '../../../../edge/protocol/control-plane.ts';

export interface ProxyUser {
  id: string;
  planId: string;
  accountId: string;
  name: string;
  username: string;
  passwordSealed: Buffer;
  passwordFingerprint: Buffer;
  credentialEpoch: number;
  paused: boolean;
  limits: UserLimits;
  /** What the user had used when the total limit began to count. */
  countedFromBytes: bigint;
  upBytes: bigint;
  downBytes: bigint;
  /** Use on the UTC day, and in the UTC month, of `asOf`. */
  usedTodayBytes: bigint;
  usedMonthBytes: bigint;
  usedAt: Date | null;
  rules: LineRules;
  pageMadeAt: Date | null;
  createdAt: Date;
  /** When the user was removed: it can no longer log in, and its bytes still count for the plan. */
  removedAt: Date | null;
  asOf: Date;
}

/** Limits in bytes; null: no limit of its own. */
export interface UserLimits {
  daily: bigint | null;
  monthly: bigint | null;
  total: bigint | null;
}

export const USER_STATES = ['ACTIVE', 'PAUSED', 'DAILY_LIMIT', 'MONTHLY_LIMIT', 'USED_UP', 'REMOVED'] as const;
export type UserState = (typeof USER_STATES)[number];

/** One of a user's limits, with the use that counts for it and the state when it is reached. */
export interface UserCap {
  state: 'DAILY_LIMIT' | 'MONTHLY_LIMIT' | 'USED_UP';
  limitBytes: bigint;
  usedBytes: bigint;
}

export const userBytes = ({ upBytes, downBytes }: Pick<ProxyUser, 'upBytes' | 'downBytes'>): bigint => upBytes + downBytes;

/** The bytes that count for the total limit. */
export const countedBytes = (user: ProxyUser): bigint => userBytes(user) - user.countedFromBytes;

/** The limits that are set, the longest-lasting first. */
export function capsOf(user: ProxyUser): UserCap[] {
  const { daily, monthly, total } = user.limits;
  const caps: UserCap[] = [];
  if (total !== null) caps.push({ state: 'USED_UP', limitBytes: total, usedBytes: countedBytes(user) });
  if (monthly !== null) caps.push({ state: 'MONTHLY_LIMIT', limitBytes: monthly, usedBytes: user.usedMonthBytes });
  if (daily !== null) caps.push({ state: 'DAILY_LIMIT', limitBytes: daily, usedBytes: user.usedTodayBytes });
  return caps;
}

/** The state at `asOf`, regardless of the plan's. */
export function stateOf(user: ProxyUser): UserState {
  if (user.removedAt) return 'REMOVED';
  if (user.paused) return 'PAUSED';
  return capsOf(user).find(({ limitBytes, usedBytes }) => usedBytes >= limitBytes)?.state ?? 'ACTIVE';
}

/** How nodes are told to stop a user; undefined: it may go on, or is removed. */
export const STOPS: Readonly<Record<UserState, UserStop | undefined>> = {
  ACTIVE: undefined,
  PAUSED: 'paused',
  DAILY_LIMIT: 'limit',
  MONTHLY_LIMIT: 'limit',
  USED_UP: 'used_up',
  REMOVED: undefined,
};

/** When a limit of this kind ends by itself; undefined: never. */
export function resumesAt(state: UserState, now: Date): Date | undefined {
  if (state === 'DAILY_LIMIT') return nextMidnight(now);
  return state === 'MONTHLY_LIMIT' ? nextMonth(now) : undefined;
}
