// A proxy user as everything here passes it on: the stored facts, with its use on the day and in the month it was read in.
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
  /** What was used when the total limit began to count. */
  countedFromBytes: bigint;
  upBytes: bigint;
  downBytes: bigint;
  /** On the UTC day, and in the calendar month of UTC, of `asOf`. */
  usedTodayBytes: bigint;
  usedMonthBytes: bigint;
  usedAt: Date | null;
  rules: LineRules;
  pageMadeAt: Date | null;
  createdAt: Date;
  /** It is not let in any more; its bytes stay the plan's. */
  removedAt: Date | null;
  asOf: Date;
}

/** In bytes; null: no limit of its own. */
export interface UserLimits {
  daily: bigint | null;
  monthly: bigint | null;
  total: bigint | null;
}

export const USER_STATES = ['ACTIVE', 'PAUSED', 'DAILY_LIMIT', 'MONTHLY_LIMIT', 'USED_UP', 'REMOVED'] as const;
export type UserState = (typeof USER_STATES)[number];

/** One of a user's limits: its own use under it, and what bounds it. */
export interface UserCap {
  state: 'DAILY_LIMIT' | 'MONTHLY_LIMIT' | 'USED_UP';
  limitBytes: bigint;
  usedBytes: bigint;
}

export const userBytes = ({ upBytes, downBytes }: Pick<ProxyUser, 'upBytes' | 'downBytes'>): bigint => upBytes + downBytes;

/** What the total limit counts. */
export const countedBytes = (user: ProxyUser): bigint => userBytes(user) - user.countedFromBytes;

/** Those that are set, the one that lasts longest first. */
export function capsOf(user: ProxyUser): UserCap[] {
  const { daily, monthly, total } = user.limits;
  const caps: UserCap[] = [];
  if (total !== null) caps.push({ state: 'USED_UP', limitBytes: total, usedBytes: countedBytes(user) });
  if (monthly !== null) caps.push({ state: 'MONTHLY_LIMIT', limitBytes: monthly, usedBytes: user.usedMonthBytes });
  if (daily !== null) caps.push({ state: 'DAILY_LIMIT', limitBytes: daily, usedBytes: user.usedTodayBytes });
  return caps;
}

/** What holds at the moment it was read in, whatever its plan may. */
export function stateOf(user: ProxyUser): UserState {
  if (user.removedAt) return 'REMOVED';
  if (user.paused) return 'PAUSED';
  return capsOf(user).find(({ limitBytes, usedBytes }) => usedBytes >= limitBytes)?.state ?? 'ACTIVE';
}

/** As nodes are told; undefined: it may go on, or is gone. */
export const STOPS: Readonly<Record<UserState, UserStop | undefined>> = {
  ACTIVE: undefined,
  PAUSED: 'paused',
  DAILY_LIMIT: 'limit',
  MONTHLY_LIMIT: 'limit',
  USED_UP: 'used_up',
  REMOVED: undefined,
};

/** When a limit of this kind is over by itself; undefined: never. */
export function resumesAt(state: UserState, now: Date): Date | undefined {
  if (state === 'DAILY_LIMIT') return nextMidnight(now);
  return state === 'MONTHLY_LIMIT' ? nextMonth(now) : undefined;
}
