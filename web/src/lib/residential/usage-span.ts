// Spans of whole UTC days, as the address of a page has them: `?days=30` ends today, `?from=2026-11-01&to=2026-11-07` says both.
import { toDaySeconds } from '#lib/format/axis.ts';

export const DAY_COUNTS = ['7', '30', '90', '365'] as const;
export type DayCount = (typeof DAY_COUNTS)[number];

export interface DaySpan {
  /** The first and the last day, YYYY-MM-DD. */
  from: string;
  to: string;
  /** What was chosen, when it ends today. */
  count?: DayCount;
}

const DAY = 86_400_000;
const MAX_DAYS = 366;
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** How many days the span has, its last one included. */
export const lengthOf = ({ from, to }: Pick<DaySpan, 'from' | 'to'>): number => (toDaySeconds(to) - toDaySeconds(from)) / 86_400 + 1;

/** What is wrong with days that somebody has typed; undefined: nothing. */
export function faultOf(from: string, to: string): 'missing' | 'reversed' | 'long' | undefined {
  if (!isDay(from) || !isDay(to)) return 'missing';
  const length = lengthOf({ from, to });
  return length < 1 ? 'reversed' : length > MAX_DAYS ? 'long' : undefined;
}

/** `now` in milliseconds since 1970. What makes no sense becomes the last 30 days. */
export function spanOf(search: Pick<URLSearchParams, 'get'>, now: number): DaySpan {
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  if (faultOf(from, to) === undefined) return { from, to };
  const count = DAY_COUNTS.find((value) => value === search.get('days')) ?? '30';
  return { from: dayOf(now - (Number(count) - 1) * DAY), to: dayOf(now), count };
}
