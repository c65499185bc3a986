// What changed how plans are used, as the event log has it.
import { type EntityManager, runStatement } from '#platform/database.ts';

export const MARK_KINDS = ['CREATED', 'TOPPED_UP', 'WITHDRAWN', 'LAPSED', 'LIMITED', 'PAUSED', 'RESET'] as const;

export interface UsageMark {
  kind: (typeof MARK_KINDS)[number];
  planId: string;
  at: Date;
  /** What was bought, taken back or lapsed, or the limit of a day; null: of another kind, all that was left, or no limit any more. */
  bytes: bigint | null;
}

const KINDS = {
  'residential_plan.created': 'CREATED',
  'residential_plan.topped_up': 'TOPPED_UP',
  'residential_plan.withdrawn': 'WITHDRAWN',
  'residential_plan.lapsed': 'LAPSED',
  'residential_plan.limited': 'LIMITED',
  'residential_plan.paused': 'PAUSED',
  'residential_plan.reset': 'RESET',
} as const;
type MarkingType = keyof typeof KINDS;

interface MarkRow {
  type: MarkingType;
  at: string | Date;
  subject: string;
  data: Record<string, unknown>;
}

/** The latest `limit` marks of these plans in a span, `from` inclusive, ascending. */
export async function marksOf(
  em: EntityManager,
  planIds: readonly string[],
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<UsageMark[]> {
  const rows = await runStatement<MarkRow>(
    em,
    `select type, at, subject, data from platform.event
     where subject = any($1) and type = any($2) and at >= $3 and at < $4 order by at desc, id desc limit $5`,
    [planIds, Object.keys(KINDS), from.toISOString(), to.toISOString(), limit],
  );
  return rows
    .map(({ type, at, subject, data }) => ({ kind: KINDS[type], planId: subject, at: new Date(at), bytes: bytesOf(data) }))
    .toReversed();
}

function bytesOf({ bytes, dailyLimitBytes }: Record<string, unknown>): bigint | null {
  const given = bytes ?? dailyLimitBytes;
  return typeof given === 'string' ? BigInt(given) : null;
}
