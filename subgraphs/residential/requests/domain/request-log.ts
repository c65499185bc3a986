// What the log of a plan's requests holds, how much of it, and what may be asked of it.
import { HOUR, daysBefore } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import type { LoggedRequest, RequestLogMode } from '../../../../edge/protocol/request-log.ts';
import { planOfSubject } from '../../../../edge/protocol/subject.ts';
import { REQUEST_LOG } from '../../../../schema/limits.ts';
import type { Retention } from '../../../../schema/retention.ts';

/** Clocks of nodes may be so far ahead of the platform's. */
const AHEAD_MS = 60_000;
export const MAX_FIRST = 1_000;

export interface RequestEntry extends Omit<LoggedRequest, 'subject' | 'at' | 'up' | 'down' | 'state' | 'city' | 'session' | 'error'> {
  /** Opaque; the log goes on after it. */
  id: string;
  seq: bigint;
  at: Date;
  userId: string | null;
  upBytes: bigint;
  downBytes: bigint;
  state: string | null;
  city: string | null;
  session: string | null;
  error: string | null;
}

/** What is kept of a plan: since when, and how much of the days that are kept. */
export interface PlanLog {
  planId: string;
  mode: RequestLogMode;
  kept: number;
  missed: number;
}

/** All that is given has to hold. `from` is inclusive, `to` exclusive. */
export interface RequestFilter {
  from?: Date | null | undefined;
  to?: Date | null | undefined;
  /** A host with all below it, or an address. */
  host?: string | null | undefined;
  status?: number | null | undefined;
  /** A code of the catalogue. */
  error?: string | null | undefined;
  onlyFailed?: boolean | null | undefined;
  userId?: string | null | undefined;
  session?: string | null | undefined;
}

/** Older entries are shown to nobody, and deleted soon. */
export const earliestRequest = (now: Date, { requests }: Pick<Retention, 'requests'>): Date => daysBefore(now, requests);

export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR) * HOUR);

/** The first hour of those that are kept, of a plan's hours in descending order: as many whole ones as a plan may have, the present one always. */
export function firstKeptHour(hours: readonly { hour: Date; entries: number }[]): Date | undefined {
  let sum = 0;
  let first: Date | undefined;
  for (const { hour, entries } of hours) {
    sum += entries;
    if (first && sum > REQUEST_LOG.plan) break;
    first = hour;
  }
  return first;
}

/** Requests of a plan and an hour. */
export interface HourOfRequests {
  planId: string;
  hour: Date;
  requests: LoggedRequest[];
  missed: number;
}

/**
 * Sorts a batch by plan and hour. `since`: when the log of each plan began; of other plans nothing is kept. What was over before, or before `oldest`, or is dated to the future, is left
 * out, the latter as missed. Gaps are of the present hour.
 */
export function byHour(
  { requests, gaps }: { requests: readonly LoggedRequest[]; gaps: readonly { subject: string; requests: number }[] },
  since: ReadonlyMap<string, Date>,
  { now, oldest }: { now: Date; oldest: Date },
): HourOfRequests[] {
  const found = new Map<string, HourOfRequests>();
  const of = (planId: string, at: Date) => {
    const hour = hourOf(at);
    const key = `${planId} ${hour.getTime()}`;
    const known = found.get(key) ?? { planId, hour, requests: [], missed: 0 };
    found.set(key, known);
    return known;
  };
  for (const request of requests) {
    const planId = planOfSubject(request.subject);
    const began = since.get(planId);
    if (!began || request.at < Math.max(began.getTime(), oldest.getTime())) continue;
    if (request.at > now.getTime() + AHEAD_MS) of(planId, now).missed++;
    else of(planId, new Date(request.at)).requests.push(request);
  }
  for (const { subject, requests: missed } of gaps) {
    const planId = planOfSubject(subject);
    if (since.has(planId)) of(planId, now).missed += missed;
  }
  return [...found.values()].sort((a, b) => (a.planId < b.planId ? -1 : a.planId > b.planId ? 1 : a.hour.getTime() - b.hour.getTime()));
}

/** Throws `parameter_invalid`. */
export function checkFirst(first: number): void {
  if (!Number.isInteger(first) || first < 1 || first > MAX_FIRST)
    throw fail('parameter_invalid', { field: 'first', reason: because('number_out_of_range', { name: 'first', max: MAX_FIRST }) });
}

export interface Cursor {
  at: Date;
  seq: bigint;
}

export const cursorOf = (at: Date, seq: bigint): string => `${at.getTime()}-${seq}`;

/** Undefined: it is none of ours. */
export function readCursor(id: string): Cursor | undefined {
  const [, at, seq] = /^(\d{1,15})-(\d{1,18})$/.exec(id) ?? [];
  return at === undefined || seq === undefined ? undefined : { at: new Date(Number(at)), seq: BigInt(seq) };
}
